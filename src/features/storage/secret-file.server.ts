import { randomBytes } from 'node:crypto'
import { chmodSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode } from '#lib/error-code.ts'

/** The content of a file that only the site may read; null where there is none. */
export function readSecretFile(dataDir: string, name: string): string | null {
  const file = join(dataDir, name)
  try {
    const content = readFileSync(file, 'utf8')
    // A copied file may have looser permissions.
    chmodSync(file, 0o600)
    return content
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

/** Creates the file atomically, and never over one that another process has created meanwhile. @returns the file's content */
export function createSecretFile(dataDir: string, name: string, content: string): string {
  const temporaryFile = join(dataDir, `.${name}-${randomBytes(6).toString('hex')}`)
  writeFileSync(temporaryFile, content, { mode: 0o600 })
  try {
    linkSync(temporaryFile, join(dataDir, name))
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  } finally {
    rmSync(temporaryFile)
  }
  return readSecretFile(dataDir, name) ?? content
}
