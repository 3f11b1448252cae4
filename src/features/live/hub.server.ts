import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { PROBLEM_TYPE, problemJson } from '#lib/http/problem-json.ts'
import type { Db } from '#db/client.ts'
import { toSitePrefix } from '#lib/http/site-prefix.ts'
import { EventDelivery } from './delivery.server.ts'
import { encodeBatch, formatEvent, formatFrame, isVisibleTo } from './frames.server.ts'
import { type EventRow, lastEventId, missedEvents, onBlock, onPublish } from './live.server.ts'
import { HEARTBEAT, HEARTBEAT_INTERVAL_MS, RESYNC } from './live.ts'
import { type Stream, StreamRegistry } from './streams.server.ts'
import { ThrottledTask } from './throttled-task.server.ts'
import { SECOND_MS } from '#lib/time.ts'

/** Events within one tick are sent in one write: with a thousand streams, one write each instead of dozens. */
const TICK_MS = 250
/** Streams that are sent a batch in one turn of the event loop. A thousand take some 20 ms, for which all requests would wait. */
const STREAMS_PER_TURN = 50
/** Bytes that may wait for a reader who does not read. Beyond that the stream is cut; the reader reconnects when it can. */
const BACKLOG_MAX_BYTES = 128 * 1024
/** Open streams at once: of everyone, and of one site, which is an IPv4 address or an IPv6 /48 (`toSitePrefix`). */
const STREAMS_MAX = 5000
const STREAMS_PER_SITE = 1000
export interface Hub {
  /** Answers `GET /api/events`; leaves every other request to `next`. */
  handle: (req: IncomingMessage, res: ServerResponse, network: string, next: () => void) => void
  /** The id up to which all streams have the events or are being sent them; an older one than the newest at most for a tick. */
  position: () => number
  /** How many streams receive new events. */
  size: () => number
  /** Looks for new events: another process may have published some. Without it they are found within a second. */
  wake: () => void
  /** Ends every stream. */
  close: () => void
}

export interface HubOptions {
  /**
   * The member of the request's session; null for none. Repeated with every heartbeat, and before whatever is for the member alone, so that a
   * stream ends with its session.
   */
  identify: (req: IncomingMessage) => Promise<string | null>
  /** Ids of the members on the other side of a member's blocks, in both directions: what they write or like is not sent. Read again at every heartbeat and after a block. */
  findBlockedIds?: (userId: string) => Promise<ReadonlySet<string>>
  tickMs?: number
  /** Streams at once, of everyone, and of one site. */
  maxStreams?: number
  maxStreamsPerSite?: number
}

/**
 * Opens the streams of this process. The table `events` is their only source: a reader that reconnects names the last id
 * it has, receives what it has missed from the table, if that is little, and then new ones as they are committed.
 */
export async function openHub(
  db: Db,
  {
    identify,
    findBlockedIds = async () => new Set(),
    tickMs = TICK_MS,
    maxStreams = STREAMS_MAX,
    maxStreamsPerSite = STREAMS_PER_SITE,
  }: HubOptions,
): Promise<Hub> {
  const streams = new StreamRegistry(maxStreams, maxStreamsPerSite)
  let isOpen = true
  const delivery = new EventDelivery(db, await lastEventId(db), sendBatch)

  const deliveryTask = new ThrottledTask({ intervalMs: tickMs, run: () => delivery.deliver() })

  async function sendBatch(rows: readonly EventRow[]): Promise<void> {
    const framesFor = encodeBatch(rows)
    const addressees = new Set(rows.map(({ user_id }) => user_id))
    const lastId = rows.at(-1)?.id ?? 0
    let turns = 0
    // A copy: a stream that becomes live meanwhile has these events from the table.
    const receivers = [...streams.live]
    for (const stream of receivers) {
      if (++turns % STREAMS_PER_TURN === 0) await nextTurn()
      if (!isOpen) return
      if (!streams.live.has(stream)) continue
      // What is for one member alone waits for no heartbeat to learn that they have closed the session.
      if (stream.member && addressees.has(stream.member.id) && (await endIfSignedOut(stream, identify))) continue
      send(stream, framesFor(stream.member))
      stream.position = lastId
    }
  }

  async function sendHeartbeat(stream: Stream): Promise<void> {
    send(stream, [formatFrame(HEARTBEAT, stream.position, '{}')])
    const { member } = stream
    if (member && !(await endIfSignedOut(stream, identify))) await streams.readBlocks(member.id, findBlockedIds)
  }

  // Each second a share of the streams, so that a thousand heartbeats never coincide.
  const shares = HEARTBEAT_INTERVAL_MS / SECOND_MS
  let share = 0
  const heartbeats = setInterval(() => {
    // Finds what another process published (npm run admin), which cannot wake this one.
    if (streams.live.size > 0) deliveryTask.wake()
    share = (share + 1) % shares
    let index = 0
    for (const stream of streams.live) if (index++ % shares === share) void sendHeartbeat(stream)
  }, SECOND_MS)
  heartbeats.unref()

  /** Sends what the reader has missed, or tells them to load it again, then adds the stream to the live ones. */
  async function catchUp(stream: Stream, lastSeenId: number | undefined): Promise<void> {
    const { res } = stream
    let position = lastSeenId ?? delivery.head
    let isComplete = await delivery.deliverUpTo(position)
    // Again where live streams have been sent more meanwhile.
    while (isComplete && position < delivery.head && !res.destroyed) {
      const { head } = delivery
      const missed = await missedEvents(db, position, head)
      if (missed && stream.member && (await endIfSignedOut(stream, identify))) return
      isComplete = missed !== null
      for (const row of missed ?? []) if (isVisibleTo(row, stream.member)) res.write(formatEvent(row))
      position = head
    }
    if (!isOpen) return void res.end()
    if (!isComplete) res.write(formatFrame(RESYNC, delivery.head, '{}'))
    // Nothing is awaited between the last comparison with `delivery.head` and here, so no event falls in between.
    if (res.destroyed) return
    stream.position = delivery.head
    streams.live.add(stream)
    res.write(formatFrame(HEARTBEAT, stream.position, '{}'))
  }

  async function startStream(req: IncomingMessage, res: ServerResponse, site: string): Promise<void> {
    // Counted before anything is awaited: otherwise a burst would pass the limits.
    const stream = streams.open(req, res, site)
    const userId = await identify(req)
    if (res.destroyed) return
    if (userId !== null) {
      const member = streams.assignMember(stream, userId)
      if (!member) return refuseStream(res)
      member.blockedIds = await findBlockedIds(userId)
    }
    writeStreamHead(req, res)
    await catchUp(stream, parseLastEventId(req))
  }

  onPublish(() => deliveryTask.wake())
  onBlock((userId) => void streams.readBlocks(userId, findBlockedIds))
  return {
    handle(req, res, network, next) {
      if (req.method !== 'GET' || req.url?.split('?')[0] !== '/api/events') return next()
      const site = toSitePrefix(network)
      if (!isOpen || !streams.makeRoom(site)) return refuseStream(res)
      startStream(req, res, site).catch((error: unknown) => {
        if (isOpen) console.error('perrario · los avisos en directo no pudieron empezar:', error)
        res.destroy()
      })
    },
    position: () => delivery.head,
    size: () => streams.live.size,
    wake: () => deliveryTask.wake(),
    close() {
      isOpen = false
      onPublish(undefined)
      onBlock(undefined)
      clearInterval(heartbeats)
      deliveryTask.stop()
      for (const { res } of streams.live) res.end()
    },
  }
}

/** Ends a member's stream whose session is over; where the session cannot be read, it goes on. @returns whether it was ended */
async function endIfSignedOut({ req, res, member }: Stream, identify: HubOptions['identify']): Promise<boolean> {
  if (!member) return false
  const userId = await identify(req).catch(() => member.id)
  if (userId === member.id) return false
  res.end()
  return true
}

function send({ res }: Stream, chunks: readonly (string | Buffer)[]): void {
  // Its session has ended.
  if (res.writableEnded) return
  // A backlog from before means a stuck reader. The connection is cut, because an end would wait behind the backlog.
  if (res.writableLength > BACKLOG_MAX_BYTES) return void res.destroy()
  for (const chunk of chunks) if (chunk.length > 0) res.write(chunk)
}

function writeStreamHead(req: IncomingMessage, res: ServerResponse): void {
  req.socket.setNoDelay(true)
  req.socket.setTimeout(0)
  res.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store, no-transform',
    // nginx would hold events back until its buffer is full.
    'X-Accel-Buffering': 'no',
    'X-Content-Type-Options': 'nosniff',
  })
  // Random, so that a thousand readers cut at once do not reconnect in the same second.
  res.write(`retry: ${2000 + Math.floor(Math.random() * 3000)}\n: perrario\n\n`)
}

/** The last event id that the reader has: from the header that browsers send by themselves, or the query. */
function parseLastEventId(req: IncomingMessage): number | undefined {
  const text = req.headers['last-event-id'] ?? new URLSearchParams(req.url?.split('?')[1]).get('after')
  const id = typeof text === 'string' && /^\d{1,16}$/.test(text) ? Number(text) : NaN
  return Number.isSafeInteger(id) ? id : undefined
}

function refuseStream(res: ServerResponse): void {
  const detail = 'Hay demasiadas conexiones abiertas. Inténtalo dentro de un momento.'
  res.writeHead(503, { 'Content-Type': PROBLEM_TYPE, 'Retry-After': '30' })
  res.end(problemJson({ title: 'Service Unavailable', status: 503, detail }))
}
