import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { loadSecretKey } from './secret-file.server.ts'

const KEY_FILE = 'riddle.key'
const KEY_BYTES = 32

let lastKey: { dataDir: string; key: KeyObject } | undefined

/**
 * The site's key, of the file in `dataDir`, which is written first where there is none; the same on all nodes. It is read once, at the
 * start: what is computed with it and not stored is computed alike as long as the process runs. A key object, since Node takes five times as
 * long for an HMAC whose key is a buffer. With a file that holds no key, each start has a key of its own.
 */
export function loadSiteKey(dataDir: string): KeyObject {
  if (lastKey?.dataDir !== dataDir) {
    const key = loadSecretKey(dataDir, KEY_FILE, (text) => console.error(`perrario · ${text}`))
    lastKey = { dataDir, key: createSecretKey(key ?? randomBytes(KEY_BYTES)) }
  }
  return lastKey.key
}

/** The same key; before `loadSiteKey` has read it, as in the operator's commands, one of the process. */
export const siteKey = (): KeyObject => (lastKey ??= { dataDir: '', key: createSecretKey(randomBytes(KEY_BYTES)) }).key
