import { paths } from '#lib/paths.ts'
import { HEARTBEAT, LIVE_TYPES, type LiveEvents, RESYNC } from './live.ts'

// One connection a browser: the tab that holds the lock reads the stream and passes on what it hears; when it goes, the
// next tab takes over from the last number heard. Without locks (plain http on another machine) every tab reads by itself.

interface Heard {
  type: string
  id: number
  data: unknown
}
type Handlers = LiveEvents & { resync: Record<string, never> }

/** Waits between attempts, ms: doubled each time, with chance in it so that not all come back at once. */
const FIRST_WAIT = 1000
const LONGEST_WAIT = 60_000
/** What the reading tab keeps for tabs that have just come. */
const KEPT = 200

const handlers = new Map<string, Set<(data: never) => void>>()
const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('perrario-live')
/** The newest number this page knows; it starts with what the server rendered. */
let last = Number(document.body.dataset.live) || 0
let isStarted = false

/**
 * Calls `handle` with every event of this kind from now on, `resync` when the history since the page was made is not to
 * be had: then what the page shows must be asked for again. Members only: elsewhere nothing ever comes.
 * @returns what ends it
 */
export function onLive<T extends keyof Handlers>(type: T, handle: (data: Handlers[T]) => void): () => void {
  const set = handlers.get(type) ?? new Set()
  handlers.set(type, set.add(handle as (data: never) => void))
  if (!isStarted && document.body.dataset.member) start()
  return () => void set.delete(handle as (data: never) => void)
}

function hear({ type, id, data }: Heard): void {
  // The same event may come twice: from the stream and from a tab that kept it.
  if (id <= last && type !== RESYNC) return
  // After a lost history, a restored backup say, numbers may start lower.
  last = type === RESYNC ? id : Math.max(last, id)
  for (const handle of handlers.get(type) ?? []) {
    try {
      handle(data as never)
    } catch (error) {
      console.error(error)
    }
  }
}

function start(): void {
  isStarted = true
  if (!channel || !navigator.locks) return void read()
  channel.addEventListener('message', ({ data }: MessageEvent<Heard | { since: number }>) => {
    if ('type' in data) hear(data)
  })
  lead()
  // A page that is put aside must let go, or it could not be kept for «back»; it queues again when it returns.
  window.addEventListener('pageshow', ({ persisted }) => persisted && lead())
}

/** Waits for the lock, in line behind the tab that reads now. */
function lead(): void {
  channel!.postMessage({ since: last })
  const leaving = new AbortController()
  window.addEventListener('pagehide', () => leaving.abort(), { once: true })
  navigator.locks
    .request('perrario-live', { signal: leaving.signal }, () => {
      const stop = read()
      return new Promise<void>((done) =>
        leaving.signal.addEventListener('abort', () => {
          stop()
          done()
        }),
      )
    })
    .catch(() => {})
}

/** Reads the stream until told to stop, coming back after every break with the last number heard. */
function read(): () => void {
  const kept: Heard[] = []
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let wait = FIRST_WAIT

  const pass = (heard: Heard) => {
    kept.push(heard)
    if (kept.length > KEPT) kept.shift()
    hear(heard)
    channel?.postMessage(heard)
  }
  const answer = ({ data }: MessageEvent<Heard | { since: number }>) => {
    if ('since' in data) for (const heard of kept) if (heard.id > data.since) channel!.postMessage(heard)
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
      wait = FIRST_WAIT
    })
    stream.addEventListener('error', () => {
      stream.close()
      if (source !== stream || timer) return
      timer = setTimeout(open, wait * (0.5 + Math.random()))
      wait = Math.min(wait * 2, LONGEST_WAIT)
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
