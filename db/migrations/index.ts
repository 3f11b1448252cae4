import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Migration } from 'kysely/migration'

/** The modules of this folder by their paths. Vite puts them into the build; scripts and tests import them one by one. */
const modules = import.meta.env?.SSR
  ? import.meta.glob<Migration>('./**/2*.ts', { eager: true })
  : await importFolder(import.meta.dirname)

async function importFolder(folder: string): Promise<Record<string, Migration>> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /^2.*\.ts$/.test(basename(path)),
  )
  const imported = paths.map(async (path): Promise<[string, Migration]> => [
    path,
    await import(pathToFileURL(join(folder, path)).href),
  ])
  return Object.fromEntries(await Promise.all(imported))
}

/** The migrations by their names, those of their files, in the order in which they run. */
export const migrations: Record<string, Migration> = Object.fromEntries(
  Object.entries(modules)
    .map(([path, migration]): [string, Migration] => [basename(path, '.ts'), migration])
    .toSorted(([a], [b]) => (a < b ? -1 : 1)),
)
