import type { Db } from '#db/client.ts'
import { isSharedByNodes } from '#db/dialect/dialect.ts'
import { DatabaseBusyError } from '#db/errors.ts'
import { RequestBatcher, type WaitingCall } from '#db/request-batcher.ts'
import { transact } from '#db/transact.ts'
import { AppError } from '#lib/errors.ts'
import { findStorageFailure } from '#lib/storage-failure.ts'
import { addLikes, type LikeRequest, type LikeAnswer } from './like-batch.server.ts'
import type { LikeState } from './likes.ts'

/** Likes of one transaction. In SQLite other queries wait for it, some ms. */
const BATCH_MAX = 32
/**
 * On PostgreSQL, which works on one batch while the process prepares the other. SQLite has one writer. A dog is in one of them: in both, its
 * likes of the second batch would find it locked.
 */
const CONCURRENT_BATCHES = 2
/**
 * Time between the beginnings of two batches in SQLite, which commits too fast for likes to meet: four together take half as long as one by one
 * (docs/adr/0189). In PostgreSQL they meet while a batch is written.
 */
const BATCH_INTERVAL_MS = 25
/** This many likes are written before the interval is over: waiting for more would save little. */
const EARLY_BATCH_SIZE = 8
/** As long as a transaction waits for its turn. */
const BATCH_TIMEOUT_MS = 10_000

const batchers = new WeakMap<Db, RequestBatcher<LikeRequest, LikeState>>()

/**
 * Adds a like together with those that come at the same time: one transaction for all of them, which is answered when it is committed
 * (docs/adr/0187).
 * @throws AppError as `like`; DatabaseBusyError
 */
export function addLikeInBatch(db: Db, request: LikeRequest): Promise<LikeState> {
  let ofDb = batchers.get(db)
  if (!ofDb) {
    ofDb = new RequestBatcher({
      max: BATCH_MAX,
      timeoutMs: BATCH_TIMEOUT_MS,
      run: (calls) => runBatch(db, calls),
      ...(isSharedByNodes(db)
        ? { concurrency: CONCURRENT_BATCHES, keyOf: ({ dogId }: LikeRequest) => dogId }
        : { intervalMs: BATCH_INTERVAL_MS, earlySize: EARLY_BATCH_SIZE }),
    })
    batchers.set(db, ofDb)
  }
  return ofDb.call(request)
}

/** A like that waits for another transaction's lock would hold up all others of its batch: it is added alone, and the next batch begins. */
async function runBatch(db: Db, calls: readonly WaitingCall<LikeRequest, LikeState>[]): Promise<void> {
  const likes = calls.map(({ input }) => input)
  const answers = await transact(db, (trx) => addLikes(trx, likes, { skipsLocked: true })).catch(
    (error: unknown): LikeAnswer[] => {
      if (!isRetryableAlone(db, error)) throw error
      return likes.map(() => 'locked')
    },
  )
  for (const [i, { input, resolve, reject }] of calls.entries()) {
    const answer = answers[i] ?? 'locked'
    if (answer === 'locked') resolve(addLikeAlone(db, input))
    else if (answer instanceof AppError) reject(answer)
    else resolve(answer)
  }
}

async function addLikeAlone(db: Db, request: LikeRequest): Promise<LikeState> {
  const [answer] = await transact(db, (trx) => addLikes(trx, [request]))
  if (answer instanceof AppError) throw answer
  if (answer === undefined || answer === 'locked') throw new Error('A like that waits for locks has no answer')
  return answer
}

/**
 * Whether likes of a batch that failed may succeed one by one: where one of them met what PostgreSQL refuses, or a lock that was not free
 * in time. A like that is added twice is one.
 */
function isRetryableAlone(db: Db, error: unknown): boolean {
  if (error instanceof DatabaseBusyError) return false
  const failure = findStorageFailure(error)
  return failure === null || (failure === 'busy' && isSharedByNodes(db))
}
