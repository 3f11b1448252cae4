import type { Db } from '#db/client.ts'
import { formatEvent, isVisibleTo } from './frames.server.ts'
import { eventsAfter } from './live.server.ts'
import { REPLAY_BATCH_BYTES, type ReplayLimiter } from './replay-limiter.server.ts'
import type { Stream } from './streams.server.ts'

/** Past events read at a time, unless REPLAY_BATCH_BYTES ends the batch earlier. */
const REPLAY_BATCH_EVENTS = 500

/**
 * Whether the history holds every event after `position`.
 * @param head the newest id that the live streams have
 * @param oldest the oldest id that is still stored; undefined when the history is empty
 */
export const isInHistory = (position: number, head: number, oldest: number | undefined): boolean =>
  position <= head && !(position < head && oldest !== undefined && position < oldest - 1)

/**
 * Sends a stream the next batch of events after `position`, up to and including `head`.
 * @returns the position reached; null, and nothing is sent, where the reader's site has used up its budget
 */
export async function replayBatch(
  db: Db,
  stream: Stream,
  { position, head, limiter }: { position: number; head: number; limiter: ReplayLimiter },
): Promise<number | null> {
  const rows = (await eventsAfter(db, position, REPLAY_BATCH_EVENTS, REPLAY_BATCH_BYTES)).filter(({ id }) => id <= head)
  const bytes = rows.reduce((sum, row) => sum + Buffer.byteLength(row.data), 0)
  if (!limiter.charge(stream.site, bytes)) return null
  const text = rows
    .filter((row) => isVisibleTo(row, stream.member))
    .map(formatEvent)
    .join('')
  if (text) await limiter.write(stream.res, stream.site, text)
  return rows.at(-1)?.id ?? head
}
