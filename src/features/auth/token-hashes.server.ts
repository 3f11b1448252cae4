import { scrypt } from 'node:crypto'
import { AppError } from '#lib/errors.ts'

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
    return await scryptHash(email, code)
  } finally {
    releaseSlot()
  }
}

const scryptHash = (email: string, code: string): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    scrypt(code, `perrario:${email}`, 32, { N: 8192, r: 8, p: 1 }, (error, key) =>
      error ? reject(error) : resolve(key),
    ),
  )
