import type { EventRow } from './live.server.ts'

/** What decides which events a stream receives. */
export interface FrameReader {
  id: string
  /** The members whom this one has blocked, or was blocked by. */
  blockedIds: ReadonlySet<string>
}

/** One event as text/event-stream spells it (HTML Standard §9.2). @param data JSON, in one line */
export const formatFrame = (type: string, id: number, data: string) => `event: ${type}\nid: ${id}\ndata: ${data}\n\n`
export const formatEvent = (row: EventRow) => formatFrame(row.type, row.id, row.data)

const isAddressedTo = (row: EventRow, userId: string | null) => row.user_id === null || row.user_id === userId

/** Whether a reader receives an event: one for everyone or for them, whose author they have no block with. */
export const isVisibleTo = (row: EventRow, reader: FrameReader | null) =>
  isAddressedTo(row, reader?.id ?? null) && !(reader && row.actor_id !== null && reader.blockedIds.has(row.actor_id))

/**
 * Encodes a batch of events once for all streams. Every stream writes the same buffers, so that what waits for a thousand
 * slow readers is in memory once.
 * @param rows in order of id
 * @returns the buffers for a reader, in order of id; null is a visitor
 */
export function encodeBatch(rows: readonly EventRow[]): (reader: FrameReader | null) => readonly Buffer[] {
  const addressees = new Set(rows.map((row) => row.user_id))
  const frames = rows.map((row) => ({ row, bytes: Buffer.from(formatEvent(row)) }))
  // One buffer for all readers without events or blocks of their own.
  const common = Buffer.concat(frames.filter(({ row }) => isAddressedTo(row, null)).map(({ bytes }) => bytes))
  return (reader) =>
    reader && (addressees.has(reader.id) || reader.blockedIds.size > 0)
      ? frames.filter(({ row }) => isVisibleTo(row, reader)).map(({ bytes }) => bytes)
      : [common]
}
