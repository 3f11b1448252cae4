import { randomBytes } from 'node:crypto'
import { chmodSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode } from '#lib/error-code.ts'
import { storageErrorText } from '#lib/storage-error-text.ts'

const KEY_BYTES = 32
const KEY_PATTERN = /^[\w-]{43}\s*$/

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
  try {
    writeFileSync(temporaryFile, content, { mode: 0o600 })
    linkSync(temporaryFile, join(dataDir, name))
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  } finally {
    // On a full disk it may be there, empty, or not at all.
    rmSync(temporaryFile, { force: true })
  }
  return readSecretFile(dataDir, name) ?? content
}

/**
 * The 256-bit key in the file `name`, which is written first where there is none. Nodes with the same file have the same key.
 * @param warn called with the Spanish reason why the file is not used; it is left as it is
 * @returns null where the file cannot be used
 */
export function loadSecretKey(dataDir: string, name: string, warn: (text: string) => void): Buffer | null {
  try {
    const content =
      readSecretFile(dataDir, name) ??
      createSecretFile(dataDir, name, `${randomBytes(KEY_BYTES).toString('base64url')}\n`)
    if (!KEY_PATTERN.test(content)) throw new Error('no guarda una clave')
    return Buffer.from(content.trim(), 'base64url')
  } catch (error) {
    warn(`${name} no se usa: ${storageErrorText(error)}`)
    return null
  }
}
