import type { Db } from '#db/client.ts'
import { isSharedByNodes } from '#db/dialect/dialect.ts'
import { DatabaseBusyError } from '#db/errors.ts'
import { GroupedCalls, type WaitingCall } from '#db/grouped-calls.ts'
import { transact } from '#db/transact.ts'
import { AppError } from '#lib/errors.ts'
import { findStorageFailure } from '#lib/storage-failure.ts'
import { addLikes, type AskedLike, type LikeAnswer } from './like-group.server.ts'
import type { LikeState } from './likes.ts'

/** Likes of one transaction. In SQLite other queries wait for it, some ms. */
const MAX_GROUP = 32
/**
 * Groups at a time on PostgreSQL, which works on one while the process prepares the other. SQLite has one writer. A dog is in one of them:
 * in both, its likes of the second group would find it locked.
 */
const GROUPS_AT_A_TIME = 2
/**
 * Time between the beginnings of two groups in SQLite, which commits too fast for likes to meet: four together take half as long as one by one
 * (docs/adr/0189). In PostgreSQL they meet while a group is written.
 */
const INTERVAL_MS = 10
/** As long as a transaction waits for its turn. */
const TIMEOUT_MS = 10_000

const groups = new WeakMap<Db, GroupedCalls<AskedLike, LikeState>>()

/**
 * Adds a like together with those that come at the same time: one transaction for all of them, which is answered when it is committed
 * (docs/adr/0187).
 * @throws AppError as `like`; DatabaseBusyError
 */
export function giveLike(db: Db, asked: AskedLike): Promise<LikeState> {
  let ofDb = groups.get(db)
  if (!ofDb) {
    ofDb = new GroupedCalls({
      max: MAX_GROUP,
      timeoutMs: TIMEOUT_MS,
      run: (calls) => giveTogether(db, calls),
      ...(isSharedByNodes(db)
        ? { concurrency: GROUPS_AT_A_TIME, keyOf: ({ dogId }: AskedLike) => dogId }
        : { intervalMs: INTERVAL_MS }),
    })
    groups.set(db, ofDb)
  }
  return ofDb.call(asked)
}

/** A like that waits for another transaction's lock would hold up all others of its group: it is given alone, and the next group begins. */
async function giveTogether(db: Db, calls: readonly WaitingCall<AskedLike, LikeState>[]): Promise<void> {
  const likes = calls.map(({ input }) => input)
  const answers = await transact(db, (trx) => addLikes(trx, likes, { skipsLocked: true })).catch(
    (error: unknown): LikeAnswer[] => {
      if (!isWorthTryingAlone(db, error)) throw error
      return likes.map(() => 'locked')
    },
  )
  for (const [i, { input, resolve, reject }] of calls.entries()) {
    const answer = answers[i] ?? 'locked'
    if (answer === 'locked') resolve(giveAlone(db, input))
    else if (answer instanceof AppError) reject(answer)
    else resolve(answer)
  }
}

async function giveAlone(db: Db, asked: AskedLike): Promise<LikeState> {
  const [answer] = await transact(db, (trx) => addLikes(trx, [asked]))
  if (answer instanceof AppError) throw answer
  if (answer === undefined || answer === 'locked') throw new Error('A like that waits for locks has no answer')
  return answer
}

/**
 * Whether likes of a group that failed may succeed one by one: where one of them met what PostgreSQL refuses, or a lock that was not free
 * in time. A like that is given twice is one.
 */
function isWorthTryingAlone(db: Db, error: unknown): boolean {
  if (error instanceof DatabaseBusyError) return false
  const failure = findStorageFailure(error)
  return failure === null || (failure === 'busy' && isSharedByNodes(db))
}
