import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Db } from '#db/client.ts'
import { toSitePrefix } from '#lib/http/site-prefix.ts'
import { type EventRow, eventsAfter, firstEventId, lastEventId, onPublish, deleteOldEvents } from './live.server.ts'
import { type CommentEvent, HEARTBEAT, HEARTBEAT_INTERVAL_MS, RESYNC } from './live.ts'
import { REPLAY_BATCH_BYTES, ReplayLimiter, REPLAY_LIMITS, type ReplayLimits } from './replay-limiter.server.ts'

/** Events that come close together travel together: with a thousand streams, one write each instead of dozens. */
const TICK_MS = 250
/** Bytes that may wait for a reader who does not read; then the stream is dropped, and comes back when it can. */
const BACKLOG_MAX_BYTES = 128 * 1024
/** Open streams at once: of everyone, and of one network, be it an IPv4 address or an IPv6 site with all its /64. */
const STREAMS_MAX = 5000
const STREAMS_PER_NETWORK = 1000
/** Of one member, who has one in each browser: the connection of every stream asks for the member's session. */
const STREAMS_PER_MEMBER = 50
/** Events told at a time: so many, and of these so many bytes. */
const BATCH_EVENTS = 500
const LIVE_BATCH_BYTES = 128 * 1024
const SECOND_MS = 1000

/** Somebody with streams of their own, which share what is known of them: a list of the blocked may be long. */
interface StreamMember {
  id: string
  streams: number
  /** Whom this member does not meet. */
  blockedIds: ReadonlySet<string>
}

interface Stream {
  res: ServerResponse
  req: IncomingMessage
  network: string
  member: StreamMember | null
}

export interface Hub {
  /** Answers `GET /api/events`; leaves every other request to `next`. */
  handle: (req: IncomingMessage, res: ServerResponse, ip: string, next: () => void) => void
  /** How many streams are open. */
  size: () => number
  /** Ends every stream. */
  close: () => void
}

export interface HubOptions {
  /** Whose session the request carries; null for none. Asked again now and then, so that a stream ends with it. */
  identify: (req: IncomingMessage) => Promise<string | null>
  /** Whom a member has blocked, or was blocked by: what those say does not reach them. Asked again now and then. */
  findBlockedIds?: (userId: string) => Promise<ReadonlySet<string>>
  tickMs?: number
  /** Streams at once, of everyone, and of one network. */
  maxStreams?: number
  maxStreamsPerNetwork?: number
  replay?: ReplayLimits
}

const formatFrame = (type: string, id: number, data: string) => `event: ${type}\nid: ${id}\ndata: ${data}\n\n`
const formatEvent = (row: EventRow) => formatFrame(row.type, row.id, row.data)
const isAddressedTo = (row: EventRow, userId: string | null) => row.user_id === null || row.user_id === userId
/** Whose words an event carries; null for none. */
const authorOf = (row: EventRow): string | null =>
  row.type === 'comment' ? ((JSON.parse(row.data) as CommentEvent).comment?.user_id ?? null) : null
const isVisibleTo = (row: EventRow, { member }: Pick<Stream, 'member'>) =>
  isAddressedTo(row, member?.id ?? null) &&
  !(member && member.blockedIds.size > 0 && member.blockedIds.has(authorOf(row) ?? ''))

/**
 * The streams of this process. The table `events` is their only source: whoever comes back names the last number they
 * saw and gets the rest from there, then new ones as they are committed.
 */
export async function openHub(
  db: Db,
  {
    identify,
    findBlockedIds = async () => new Set(),
    tickMs = TICK_MS,
    maxStreams = STREAMS_MAX,
    maxStreamsPerNetwork = STREAMS_PER_NETWORK,
    replay: replayLimits = REPLAY_LIMITS,
  }: HubOptions,
): Promise<Hub> {
  const streams = new Set<Stream>()
  const replay = new ReplayLimiter(replayLimits)
  const perNetwork = new Map<string, number>()
  const members = new Map<string, StreamMember>()
  /** Those that are still being told their history too. */
  let open = 0
  /** Every stream in `streams` has been told all up to here. */
  let last = await lastEventId(db)
  let swept = last
  let timer: NodeJS.Timeout | undefined
  // By the clock that no one sets: with the other one corrected backwards, events would wait as long.
  let drained = 0
  let isDraining = false
  let again = false
  let isOpen = true

  const wake = () => {
    again = isDraining
    if (!isOpen || timer || isDraining) return
    timer = setTimeout(drain, Math.max(0, drained + tickMs - performance.now()))
  }

  async function drain(): Promise<void> {
    timer = undefined
    isDraining = true
    again = false
    let isMore = false
    try {
      const rows = await eventsAfter(db, last, BATCH_EVENTS, LIVE_BATCH_BYTES)
      if (rows.length > 0) tell(rows)
      isMore = rows.length > 0
      if (last - swept >= 1000) {
        swept = last
        await deleteOldEvents(db, last)
      }
    } catch (error) {
      if (isOpen) console.error(error)
    }
    drained = performance.now()
    isDraining = false
    if (again || isMore) wake()
  }

  function tell(rows: EventRow[]): void {
    last = rows.at(-1)!.id
    const named = new Set(rows.map((row) => row.user_id))
    named.delete(null)
    // Every stream writes the same buffers, whatever of them it is told: what waits for a thousand readers stands in memory
    // once. One for all whom nothing concerns in particular; in order of number for the others too.
    const frames = new Map(rows.map((row) => [row, Buffer.from(formatEvent(row))]))
    const common = Buffer.concat(rows.filter((row) => isAddressedTo(row, null)).map((row) => frames.get(row)!))
    for (const stream of streams) {
      const { member } = stream
      const own = member && (named.has(member.id) || member.blockedIds.size > 0)
      send(stream, own ? rows.filter((row) => isVisibleTo(row, stream)).map((row) => frames.get(row)!) : [common])
    }
  }

  function send({ res }: Stream, pieces: readonly (string | Buffer)[]): void {
    // What waits from before tells the reader is stuck. Cut, not ended: an end would wait behind what is not being read.
    if (res.writableLength > BACKLOG_MAX_BYTES) return void res.destroy()
    for (const piece of pieces) if (piece.length > 0) res.write(piece)
  }

  // Each second a part of the streams, so that a thousand of them never beat at once. It also notices what
  // another process wrote (npm run admin).
  const parts = HEARTBEAT_INTERVAL_MS / SECOND_MS
  let part = 0
  const beats = setInterval(() => {
    if (streams.size > 0) wake()
    part = (part + 1) % parts
    let place = 0
    for (const stream of streams) if (place++ % parts === part) void beat(stream)
  }, SECOND_MS)
  beats.unref()

  async function beat(stream: Stream): Promise<void> {
    send(stream, [formatFrame(HEARTBEAT, last, '{}')])
    const { member } = stream
    if (!member) return
    const now = await identify(stream.req).catch(() => member.id)
    if (now !== member.id) return void stream.res.end()
    member.blockedIds = await findBlockedIds(member.id).catch(() => member.blockedIds)
  }

  /** Tells what happened after `seen`, then joins the others. */
  async function begin(stream: Stream, seen: number | undefined): Promise<void> {
    const { res } = stream
    const oldest = await firstEventId(db)
    let position = seen ?? last
    const isLost = position > last || (position < last && oldest !== undefined && position < oldest - 1)
    let isAllTold = !isLost
    while (isAllTold && position < last && !res.destroyed) {
      if (!isOpen) return void res.end()
      const rows = (await eventsAfter(db, position, BATCH_EVENTS, REPLAY_BATCH_BYTES)).filter((row) => row.id <= last)
      isAllTold = replay.charge(
        stream.network,
        rows.reduce((bytes, row) => bytes + Buffer.byteLength(row.data), 0),
      )
      if (!isAllTold) break
      position = rows.at(-1)?.id ?? last
      const text = rows
        .filter((row) => isVisibleTo(row, stream))
        .map(formatEvent)
        .join('')
      if (text) await replay.write(res, stream.network, text)
    }
    if (!isOpen) return void res.end()
    if (!isAllTold) res.write(formatFrame(RESYNC, last, '{}'))
    // Nothing is awaited from the last comparison to here, so nothing falls in between.
    if (res.destroyed) return
    streams.add(stream)
    res.write(formatFrame(HEARTBEAT, last, '{}'))
  }

  async function welcome(req: IncomingMessage, res: ServerResponse, network: string): Promise<void> {
    // Counted before anything is waited for, or a burst would slip past the bounds.
    perNetwork.set(network, (perNetwork.get(network) ?? 0) + 1)
    open++
    const stream: Stream = { req, res, network, member: null }
    res.on('close', () => {
      streams.delete(stream)
      open--
      if (stream.member && --stream.member.streams === 0) members.delete(stream.member.id)
      const left = (perNetwork.get(network) ?? 1) - 1
      if (left > 0) perNetwork.set(network, left)
      else perNetwork.delete(network)
    })
    const userId = await identify(req)
    if (res.destroyed) return
    if (userId !== null) {
      const member = members.get(userId) ?? { id: userId, streams: 0, blockedIds: new Set() }
      if (member.streams >= STREAMS_PER_MEMBER) return refuseStream(res)
      member.streams++
      members.set(userId, member)
      stream.member = member
      member.blockedIds = await findBlockedIds(userId)
    }
    req.socket.setNoDelay(true)
    req.socket.setTimeout(0)
    res.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store, no-transform',
      // nginx would hold events back until its buffer is full.
      'X-Accel-Buffering': 'no',
      'X-Content-Type-Options': 'nosniff',
    })
    // Whoever is dropped with a thousand others must not come back in the same second.
    res.write(`retry: ${2000 + Math.floor(Math.random() * 3000)}\n: perrario\n\n`)
    await begin(stream, parseLastEventId(req))
  }

  onPublish(wake)
  return {
    handle(req, res, ip, next) {
      if (req.method !== 'GET' || req.url?.split('?')[0] !== '/api/events') return next()
      const network = toSitePrefix(ip)
      if (!isOpen || open >= maxStreams || (perNetwork.get(network) ?? 0) >= maxStreamsPerNetwork)
        return refuseStream(res)
      welcome(req, res, network).catch((error: unknown) => {
        if (isOpen) console.error(error)
        res.destroy()
      })
    },
    size: () => streams.size,
    close() {
      isOpen = false
      onPublish(undefined)
      clearInterval(beats)
      clearTimeout(timer)
      for (const { res } of streams) res.end()
    },
  }
}

/** The number the reader names: the header browsers send by themselves, or the address a script wrote. */
function parseLastEventId(req: IncomingMessage): number | undefined {
  const text = req.headers['last-event-id'] ?? new URLSearchParams(req.url?.split('?')[1]).get('after')
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

function refuseStream(res: ServerResponse): void {
  const detail = 'Hay demasiadas conexiones abiertas. Inténtalo dentro de un momento.'
  res.writeHead(503, { 'Content-Type': 'application/problem+json; charset=utf-8', 'Retry-After': '30' })
  res.end(JSON.stringify({ type: 'about:blank', title: 'Service Unavailable', status: 503, detail }))
}
