import { paths } from '#lib/paths.ts'
import { HEARTBEAT, LIVE_TYPES, type LiveEvents, RESYNC } from './live.ts'

// One connection a browser: the tab that holds the lock reads the stream and passes on what it hears; when it goes, the
// next tab takes over from the last number heard. Phones put tabs in the background to sleep, lock and all: a tab that is
// looked at and gets no answer takes the lock. Without locks (plain http on another machine) every tab reads by itself.

interface RelayedEvent {
  type: string
  id: number
  data: unknown
  /** For that tab alone. */
  to?: string
}
/** A tab that has just come, or is looked at again, asks the reading one for what it has missed; it always answers. */
interface CatchUpRequest {
  since: number
  from: string
}
/** The answer's last word. */
interface CatchUpDone {
  reader: true
  to: string
}
type Message = RelayedEvent | CatchUpRequest | CatchUpDone
type Handlers = LiveEvents & { resync: Record<string, never> }

/** Waits between attempts, ms: doubled each time, with chance in it so that not all come back at once. */
const RETRY_MIN_MS = 1000
const RETRY_MAX_MS = 60_000
/** What a tab keeps for those that come, should it be the reading one. */
const RECENT_EVENTS_MAX = 200
/** A reading tab that has not answered by then sleeps, ms. */
const READER_TIMEOUT_MS = 2000
const LOCK_NAME = 'perrario-live'

const handlers = new Map<string, Set<(data: never) => void>>()
const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('perrario-live')
/** The newest number this page knows; it starts with what the server rendered. */
let last = Number(document.body.dataset.live) || 0
let isStarted = false
/** This tab's name among the others. */
const tabId = Math.random().toString(36).slice(2)
const recentEvents: RelayedEvent[] = []
/** `kept` is all that was told after this number. */
let recentSince = last
/** This page was told that what it shows must be asked for again. */
let isOutdated = false

/**
 * Calls `handle` with every event of this kind from now on, `resync` when the history since the page was made is not to
 * be had: then what the page shows must be asked for again. Members only: elsewhere nothing ever comes.
 * @returns what ends it
 */
export function onLive<T extends keyof Handlers>(type: T, handle: (data: Handlers[T]) => void): () => void {
  const set = handlers.get(type) ?? new Set()
  handlers.set(type, set.add(handle as (data: never) => void))
  // The page's parts load one by one; what the first of them already heard, the others have missed.
  const missed =
    type === RESYNC ? (isOutdated ? [{}] : []) : recentEvents.filter((heard) => heard.type === type).map(dataOf)
  for (const data of missed) queueMicrotask(() => set.has(handle as never) && callHandler(handle as never, data))
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

function receiveEvent(heard: RelayedEvent): void {
  const { type, id, data } = heard
  // The same event may come twice: from the stream and from a tab that kept it.
  if (id <= last && type !== RESYNC) return
  // After a lost history, a restored backup say, numbers may start lower.
  last = type === RESYNC ? id : Math.max(last, id)
  if (type === RESYNC) {
    isOutdated = true
    recentEvents.length = 0
    recentSince = id
  } else if (recentEvents.push(heard) > RECENT_EVENTS_MAX) recentSince = recentEvents.shift()!.id
  for (const handle of handlers.get(type) ?? []) callHandler(handle, data)
}

function startReading(): void {
  isStarted = true
  if (!channel || !navigator.locks) return void readStream()
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if ('type' in data && (data.to ?? tabId) === tabId) receiveEvent(data)
  })
  waitForLock()
  // A page that is put aside must let go, or it could not be kept for «back»; it queues again when it returns.
  window.addEventListener('pageshow', ({ persisted }) => persisted && waitForLock())
}

/** Waits for the lock, in line behind the tab that reads now, and asks that one for what it has told already. */
function waitForLock(): void {
  const leaving = new AbortController()
  const { signal } = leaving
  let waiting = new AbortController()
  let stop: (() => void) | undefined

  const hold = () => {
    const stopReading = readStream()
    return new Promise<void>((done) => {
      stop = () => {
        stop = undefined
        stopReading()
        done()
      }
    })
  }
  const wait = () => {
    waiting = new AbortController()
    navigator.locks.request(LOCK_NAME, { signal: waiting.signal }, hold).catch(lost)
  }
  /** The lock was taken from a tab that slept: it stands in line again. */
  const lost = () => {
    if (!stop || signal.aborted) return
    stop()
    wait()
  }
  const look = async () => {
    if (stop || (await requestCatchUp(signal)) || stop || signal.aborted || document.visibilityState !== 'visible')
      return
    waiting.abort()
    navigator.locks.request(LOCK_NAME, { steal: true }, hold).catch(lost)
  }
  window.addEventListener(
    'pagehide',
    () => {
      leaving.abort()
      waiting.abort()
      stop?.()
    },
    { once: true },
  )
  document.addEventListener('visibilitychange', look, { signal })
  wait()
  void look()
}

/** Asks the reading tab for what this one has missed. @returns whether it said anything, or nobody needs to any more */
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
    channel!.postMessage({ since: last, from: tabId } satisfies CatchUpRequest)
  })
}

/** Reads the stream until told to stop, coming back after every break with the last number heard. */
function readStream(): () => void {
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let wait = RETRY_MIN_MS

  const pass = (heard: RelayedEvent) => {
    receiveEvent(heard)
    channel?.postMessage(heard)
  }
  const answer = ({ data }: MessageEvent<Message>) => {
    if (!('since' in data)) return
    const { since, from: to } = data
    if (since < recentSince) channel!.postMessage({ type: RESYNC, id: last, data: {}, to } satisfies RelayedEvent)
    else
      for (const heard of recentEvents)
        if (heard.id > since) channel!.postMessage({ ...heard, to } satisfies RelayedEvent)
    channel!.postMessage({ reader: true, to } satisfies CatchUpDone)
  }
  const open = () => {
    clearTimeout(timer)
    timer = undefined
    const stream = (source = new EventSource(`${paths.api.events}?after=${last}`))
    for (const type of [...LIVE_TYPES, RESYNC])
      stream.addEventListener(type, (event) => {
        pass({ type, id: Number(event.lastEventId), data: JSON.parse(event.data) })
      })
    stream.addEventListener(HEARTBEAT, () => {
      wait = RETRY_MIN_MS
    })
    stream.addEventListener('error', () => {
      stream.close()
      if (source !== stream || timer) return
      timer = setTimeout(open, wait * (0.5 + Math.random()))
      wait = Math.min(wait * 2, RETRY_MAX_MS)
    })
  }
  // Who comes back to the tab, or to the network, does not wait for the timer.
  const hurry = () => {
    if (timer && document.visibilityState === 'visible') open()
  }
  open()
  channel?.addEventListener('message', answer)
  window.addEventListener('online', hurry)
  document.addEventListener('visibilitychange', hurry)
  return () => {
    clearTimeout(timer)
    source?.close()
    source = undefined
    channel?.removeEventListener('message', answer)
    window.removeEventListener('online', hurry)
    document.removeEventListener('visibilitychange', hurry)
  }
}
