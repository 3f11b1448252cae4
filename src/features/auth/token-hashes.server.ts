import { createHash, scrypt } from 'node:crypto'
import { AppError } from '#lib/errors.ts'

/** For what is drawn by lot from so many that nobody tries them out. */
export const hashSecret = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Slow hashes at once: half of Node's four threads, since files are read by the same ones. */
const MAX_CONCURRENT_HASHES = 2
/** Beyond those so many wait, some two seconds' work. */
const MAX_QUEUED_HASHES = 100
const RETRY_SECONDS = 5
const TOO_MANY_TEXT = 'Hay demasiada gente entrando a la vez. Inténtalo dentro de un momento.'

let running = 0
const waiting: (() => void)[] = []

/** Waits for its turn. @throws AppError 503 where too many wait already */
async function acquireSlot(): Promise<void> {
  if (running < MAX_CONCURRENT_HASHES) return void running++
  if (waiting.length >= MAX_QUEUED_HASHES) throw new AppError(503, TOO_MANY_TEXT, { retryAfter: RETRY_SECONDS })
  await new Promise<void>((resolve) => waiting.push(resolve))
}

/** The next one takes over the place, so that nobody slips in between. */
function releaseSlot(): void {
  const next = waiting.shift()
  if (next) next()
  else running--
}

/**
 * A slow hash salted with the address: a million codes are tried in no time against a fast one, whereas this takes
 * hours for each row of a stolen database, and a code lives for minutes. 8 MB of memory a run.
 * @throws AppError 503 where too many are asked for at once
 */
export async function hashCode(email: string, code: string): Promise<Buffer> {
  await acquireSlot()
  try {
    return await scryptHash(email, code)
  } finally {
    releaseSlot()
  }
}

const scryptHash = (email: string, code: string): Promise<Buffer> =>
  new Promise((done, fail) =>
    scrypt(code, `perrario:${email}`, 32, { N: 8192, r: 8, p: 1 }, (error, key) => (error ? fail(error) : done(key))),
  )
