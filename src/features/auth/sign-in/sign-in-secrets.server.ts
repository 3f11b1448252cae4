import { type BinaryLike, createHmac, randomBytes, scrypt, type ScryptOptions } from 'node:crypto'
import { promisify } from 'node:util'
import { loadSecretKey } from '#features/storage/secret-file.server.ts'
import { AppError } from '#lib/errors.ts'

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

/** Half of Node's four pool threads, which also read files. */
const MAX_CONCURRENT_HASHES = 2
/** About two seconds of work. */
const MAX_QUEUED_HASHES = 100
const RETRY_SECONDS = 5
const TOO_MANY_TEXT = 'Hay demasiada gente entrando a la vez. Inténtalo dentro de un momento.'

let runningCount = 0
const queue: (() => void)[] = []

/** Waits for a free slot. @throws AppError 503 when the queue is full */
async function acquireSlot(): Promise<void> {
  if (runningCount < MAX_CONCURRENT_HASHES) return void runningCount++
  if (queue.length >= MAX_QUEUED_HASHES) throw new AppError(503, TOO_MANY_TEXT, { retryAfter: RETRY_SECONDS })
  await new Promise<void>((resolve) => queue.push(resolve))
}

/** Hands the slot to the first of the queue, so that no later call can take it. */
function releaseSlot(): void {
  const next = queue.shift()
  if (next) next()
  else runningCount--
}

/**
 * Slow hash (scrypt) of a code, salted with the address: trying all million codes takes hours for each row of a stolen
 * database, and a code is valid for minutes. Uses 8 MB of memory.
 * @throws AppError 503 when too many hashes are queued
 */
export async function hashCode(email: string, code: string): Promise<Buffer> {
  await acquireSlot()
  try {
    return await runScrypt(code, `perrario:${email}`, 32, { N: 8192, r: 8, p: 1 })
  } finally {
    releaseSlot()
  }
}

const runScrypt = promisify<BinaryLike, BinaryLike, number, ScryptOptions, Buffer>(scrypt)
