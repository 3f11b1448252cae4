import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { deserialize } from 'node:v8'
import { brotliDecompressSync } from 'node:zlib'

/** The versions whose data folders are kept here, oldest first (README.md). */
export const EARLIER_VERSIONS = ['62beae7', '12cacb85'] as const
export type EarlierVersion = (typeof EARLIER_VERSIONS)[number]

/** The files of a version's data folder, by their path in it: `perrario.db` and its photos. */
export const readEarlierFiles = (version: EarlierVersion): Record<string, Buffer> =>
  deserialize(brotliDecompressSync(readFileSync(join(import.meta.dirname, `${version}.br`)))) as Record<string, Buffer>

/** Writes a version's data folder into `dataDir`. */
export function unpackEarlierFiles(version: EarlierVersion, dataDir: string): void {
  for (const [path, bytes] of Object.entries(readEarlierFiles(version))) {
    mkdirSync(dirname(join(dataDir, path)), { recursive: true })
    writeFileSync(join(dataDir, path), bytes)
  }
}
