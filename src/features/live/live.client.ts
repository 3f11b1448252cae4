import { paths } from '#lib/paths.ts'
import { HEARTBEAT, LIVE_TYPES, type LiveEvents, RESYNC } from './live.ts'

// One connection per browser: the tab that holds a Web Lock reads the stream and relays its events over a
// BroadcastChannel; when that tab closes, the next one continues from the last id received. Phones freeze tabs in the
// background together with their locks, so a visible tab that gets no answer steals the lock. Without locks (plain http on
// another machine) every tab reads for itself.

interface RelayedEvent {
  type: string
  id: number
  data: unknown
  /** The id of the only tab that it is for. */
  to?: string
}
/** A tab that has just opened, or is visible again, asks the reading tab for missed events. That one always answers. */
interface CatchUpRequest {
  since: number
  from: string
}
/** The last message of an answer. */
interface CatchUpDone {
  reader: true
  to: string
}
type Message = RelayedEvent | CatchUpRequest | CatchUpDone
type Handlers = LiveEvents & { resync: Record<string, never> }

/** Delays between attempts, ms: exponential backoff with jitter, so that not all readers come back at once. */
const RETRY_MIN_MS = 1000
const RETRY_MAX_MS = 60_000
/** Events that a tab stores for the other tabs, in case it is the reading one. */
const RECENT_EVENTS_MAX = 200
/** A reading tab that has not answered after this time is frozen, ms. */
const READER_TIMEOUT_MS = 2000
const LOCK_NAME = 'perrario-live'

const handlers = new Map<string, Set<(data: never) => void>>()
const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('perrario-live')
/** The newest event id of this page; it starts with the one at which the server rendered it. */
let lastId = Number(document.body.dataset.live) || 0
let isStarted = false
/** Identifies this tab to the others. */
const tabId = Math.random().toString(36).slice(2)
const recentEvents: RelayedEvent[] = []
/** `recentEvents` has all events after this id. */
let recentSince = lastId
/** A resync has come: the page must load its data again. */
let isOutdated = false

/**
 * Calls `handle` with every event of a type. `resync` comes when events since the page was rendered are not available: then
 * the page must load its data again. Visitors' pages receive nothing.
 * @returns a function that unsubscribes
 */
export function onLive<T extends keyof Handlers>(type: T, handle: (data: Handlers[T]) => void): () => void {
  const set = handlers.get(type) ?? new Set()
  handlers.set(type, set.add(handle as (data: never) => void))
  // The page's parts load one by one: the first one may have received events that the others have not.
  const missedData =
    type === RESYNC ? (isOutdated ? [{}] : []) : recentEvents.filter((event) => event.type === type).map(dataOf)
  for (const data of missedData) queueMicrotask(() => set.has(handle as never) && callHandler(handle as never, data))
  if (!isStarted && document.body.dataset.member) startReading()
  return () => void set.delete(handle as (data: never) => void)
}

const dataOf = ({ data }: RelayedEvent) => data

function callHandler(handle: (data: never) => void, data: unknown): void {
  try {
    handle(data as never)
  } catch (error) {
    console.error(error)
  }
}

function receiveEvent(event: RelayedEvent): void {
  const { type, id, data } = event
  // The same event may come twice: from the stream, and from a tab that stored it.
  if (id <= lastId && type !== RESYNC) return
  // After a resync, ids may start lower: a backup may have been restored.
  lastId = type === RESYNC ? id : Math.max(lastId, id)
  if (type === RESYNC) {
    isOutdated = true
    recentEvents.length = 0
    recentSince = id
  } else if (recentEvents.push(event) > RECENT_EVENTS_MAX) recentSince = recentEvents.shift()!.id
  for (const handle of handlers.get(type) ?? []) callHandler(handle, data)
}

function startReading(): void {
  isStarted = true
  if (!channel || !navigator.locks) return void readStream()
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if ('type' in data && (data.to ?? tabId) === tabId) receiveEvent(data)
  })
  waitForLock()
  // A page that goes into the back/forward cache must release the lock; it requests it again when it is shown again.
  window.addEventListener('pageshow', ({ persisted }) => persisted && waitForLock())
}

/** Requests the lock, queued behind the tab that reads now, and asks that one for missed events. */
function waitForLock(): void {
  const pageHidden = new AbortController()
  const { signal } = pageHidden
  let queued = new AbortController()
  let stop: (() => void) | undefined

  const readWhileHeld = () => {
    const stopReading = readStream()
    return new Promise<void>((done) => {
      stop = () => {
        stop = undefined
        stopReading()
        done()
      }
    })
  }
  const requestLock = () => {
    queued = new AbortController()
    navigator.locks.request(LOCK_NAME, { signal: queued.signal }, readWhileHeld).catch(onLockLost)
  }
  /** Another tab has stolen the lock from this one, which was frozen: requests it again. */
  const onLockLost = () => {
    if (!stop || signal.aborted) return
    stop()
    requestLock()
  }
  const checkReader = async () => {
    if (stop || (await requestCatchUp(signal)) || stop || signal.aborted || document.visibilityState !== 'visible')
      return
    queued.abort()
    navigator.locks.request(LOCK_NAME, { steal: true }, readWhileHeld).catch(onLockLost)
  }
  window.addEventListener(
    'pagehide',
    () => {
      pageHidden.abort()
      queued.abort()
      stop?.()
    },
    { once: true },
  )
  document.addEventListener('visibilitychange', checkReader, { signal })
  requestLock()
  void checkReader()
}

/** Asks the reading tab for missed events. @returns whether it answered, or the answer is not needed any more */
function requestCatchUp(signal: AbortSignal): Promise<boolean> {
  return new Promise((done) => {
    const end = (isThere: boolean) => {
      clearTimeout(timer)
      channel!.removeEventListener('message', listen)
      done(isThere)
    }
    const listen = ({ data }: MessageEvent<Message>) => 'reader' in data && data.to === tabId && end(true)
    const timer = setTimeout(end, READER_TIMEOUT_MS, false)
    channel!.addEventListener('message', listen)
    signal.addEventListener('abort', () => end(true), { once: true })
    channel!.postMessage({ since: lastId, from: tabId } satisfies CatchUpRequest)
  })
}

/** Reads the stream, and reconnects after every break from the last id received. @returns a function that stops it */
function readStream(): () => void {
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let retryDelayMs = RETRY_MIN_MS

  const receiveAndRelay = (event: RelayedEvent) => {
    receiveEvent(event)
    channel?.postMessage(event)
  }
  const answerCatchUp = ({ data }: MessageEvent<Message>) => {
    if (!('since' in data)) return
    const { since, from: to } = data
    if (since < recentSince) channel!.postMessage({ type: RESYNC, id: lastId, data: {}, to } satisfies RelayedEvent)
    else
      for (const event of recentEvents)
        if (event.id > since) channel!.postMessage({ ...event, to } satisfies RelayedEvent)
    channel!.postMessage({ reader: true, to } satisfies CatchUpDone)
  }
  const open = () => {
    clearTimeout(timer)
    timer = undefined
    const stream = (source = new EventSource(`${paths.api.events}?after=${lastId}`))
    for (const type of [...LIVE_TYPES, RESYNC])
      stream.addEventListener(type, (event) => {
        receiveAndRelay({ type, id: Number(event.lastEventId), data: JSON.parse(event.data) })
      })
    stream.addEventListener(HEARTBEAT, () => {
      retryDelayMs = RETRY_MIN_MS
    })
    stream.addEventListener('error', () => {
      stream.close()
      if (source !== stream || timer) return
      timer = setTimeout(open, retryDelayMs * (0.5 + Math.random()))
      retryDelayMs = Math.min(retryDelayMs * 2, RETRY_MAX_MS)
    })
  }
  // Reconnects at once when the tab becomes visible or the network is back.
  const reconnectNow = () => {
    if (timer && document.visibilityState === 'visible') open()
  }
  open()
  channel?.addEventListener('message', answerCatchUp)
  window.addEventListener('online', reconnectNow)
  document.addEventListener('visibilitychange', reconnectNow)
  return () => {
    clearTimeout(timer)
    source?.close()
    source = undefined
    channel?.removeEventListener('message', answerCatchUp)
    window.removeEventListener('online', reconnectNow)
    document.removeEventListener('visibilitychange', reconnectNow)
  }
}
