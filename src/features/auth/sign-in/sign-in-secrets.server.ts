import { createHmac, randomBytes } from 'node:crypto'
import { loadSecretKey } from '#features/storage/secret-file.server.ts'

// A living code is mailed again, and the database has only its hash. So link and code are derived: from the id of their row, which is random,
// under a key that is not in the database. The row alone gives neither, nor does the key alone.

const KEY_FILE = 'sign-in.key'
const KEY_BYTES = 32

/** Until `loadSignInKey`, and in the operator's commands: what they issue cannot be mailed again. */
let key: Buffer = randomBytes(KEY_BYTES)

/**
 * Reads the site's key in `dataDir`, and writes one first where there is none. Nodes with the same file mail each other's codes again.
 * Without a key that can be read the process has one of its own, and its restart makes new codes.
 * @param warn called with the Spanish reason why the file is not used; it is left as it is
 */
export function loadSignInKey(dataDir: string, warn: (text: string) => void): void {
  key = loadSecretKey(dataDir, KEY_FILE, warn) ?? key
}

/** The link token (256 bits) and the six-digit code of the row `id`, which is for `email`. */
export function deriveSecrets(id: string, email: string): { token: string; code: string } {
  const derive = (use: string) => createHmac('sha256', key).update(`${use}\0${id}\0${email}`).digest()
  // Of 48 bits: no code is likelier than another by more than one in a hundred million.
  const number = derive('code').readUIntBE(0, 6) % 1_000_000
  return { token: derive('link').toString('base64url'), code: String(number).padStart(6, '0') }
}
