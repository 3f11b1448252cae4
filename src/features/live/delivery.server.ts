import type { Db } from '#db/client.ts'
import { deleteOldEvents, type EventRow, lastEventId, readEvents } from './live.server.ts'

/** New events read at a time, and what is sent of them. */
const BATCH_EVENTS = 500
const BATCH_BYTES = 128 * 1024
/** Old events are deleted each time that so many new ones have come. */
const EVENTS_PER_CLEANUP = 500

/** Reads new events once for all streams of this process. */
export class EventDelivery {
  readonly #db: Db
  readonly #send: (rows: readonly EventRow[]) => Promise<void>
  #head: number
  #uncleaned = 0
  /** The last batch: each continues where the one before ended. */
  #current: Promise<unknown> = Promise.resolve()

  /**
   * @param head the id up to which nobody needs events
   * @param send sends a batch to all streams that are live when it is called
   */
  constructor(db: Db, head: number, send: (rows: readonly EventRow[]) => Promise<void>) {
    this.#db = db
    this.#head = head
    this.#send = send
  }

  /** Every live stream has all events up to this id, or is about to be sent them. */
  get head(): number {
    return this.#head
  }

  /** Delivers the next events. @returns whether there may be more at once */
  deliver(): Promise<boolean> {
    const next = () => this.#deliverBatch()
    const batch = this.#current.then(next, next)
    this.#current = batch
    return batch
  }

  async #deliverBatch(): Promise<boolean> {
    const { rows, count, last } = await readEvents(this.#db, this.#head, BATCH_EVENTS)
    let bytes = 0
    const rest = rows.findIndex(({ data }) => (bytes += data.length) > BATCH_BYTES)
    const sent = rest > 0 ? rows.slice(0, rest) : rows
    this.#head = sent.length < rows.length ? sent.at(-1)!.id : last
    if (sent.length > 0) await this.#send(sent)
    this.#uncleaned += count
    if (this.#uncleaned >= EVENTS_PER_CLEANUP) {
      this.#uncleaned = 0
      await deleteOldEvents(this.#db, this.#head)
    }
    return count > 0
  }

  /**
   * Delivers all events up to `position`, which a reader has from another process that was faster, or from a page that was rendered since
   * the last tick.
   * @returns false where no such event can have been
   */
  async deliverUpTo(position: number): Promise<boolean> {
    if (position <= this.#head) return true
    if (position > (await lastEventId(this.#db))) return false
    let before: number
    do {
      before = this.#head
      await this.deliver()
    } while (this.#head < position && this.#head > before)
    // Its event may be deleted by now.
    this.#head = Math.max(this.#head, position)
    return true
  }
}
