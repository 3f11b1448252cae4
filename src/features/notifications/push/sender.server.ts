import { createHash } from 'node:crypto'
import webpush from 'web-push'
import type { Db } from '#db/client.ts'
import { isPushAddress } from '#lib/push-hosts.ts'
import type { PushKeys } from './keys.server.ts'
import { lineMessage, summaryMessage } from './message.ts'
import type { PushMessage } from './push.ts'
import * as queue from './queue.server.ts'
import { quietEnd } from './quiet.ts'
import { NEWS_FOR, type Outcome, outcomeOf, PEACE, REFUSALS_MAX, retryAfter, TRIES_MAX, waitAfter } from './retry.ts'

export interface SenderOptions {
  keys: PushKeys
  /** Whom a push service may turn to: `https://…` or `mailto:…`. */
  subject: string
  /** Entries of PUSH_HOSTS. */
  hosts: readonly string[]
  clock?: () => number
  /** How long a push service may take, ms. */
  patience?: number
}

export interface Sender {
  /** The server's public key, for browsers that subscribe. */
  key: string
  /** Sends whatever is due, and resolves once nothing is. */
  drain: () => Promise<void>
  /** Ends what is on its way, which stays in the queue. */
  close: () => Promise<void>
}

const PATIENCE = 10_000
/** Devices told at once. */
const AT_ONCE = 6
/** Messages read from the queue at once. */
const BATCH = 200
/** As many messages at once say more than their sum would. */
const SINGLE_MAX = 3
/** How often the queue is looked at, ms, for what others than this process put there. */
const LOOK = 60_000

/**
 * Tells devices what is due in the queue, from then on until `close`. One reads the queue, so a message goes out once; one
 * whose answer never came may go twice, which its tag makes one on the device.
 */
export function openSender(db: Db, options: SenderOptions): Sender {
  const { clock = Date.now } = options
  const ending = new AbortController()
  let running: Promise<void> | undefined
  let again = false
  let timer: NodeJS.Timeout | undefined

  async function work(): Promise<void> {
    for (;;) {
      again = false
      const devices = await queue.dueDevices(db, clock(), BATCH)
      await inParallel(devices, AT_ONCE, (id) => tell(id))
      if (ending.signal.aborted || (devices.length === 0 && !again)) return
    }
  }

  /** Whatever goes wrong with one device, the others are told and this one is tried later. */
  async function tell(id: string): Promise<void> {
    if (ending.signal.aborted) return
    try {
      await tellDevice(db, id, options, ending.signal)
    } catch (error) {
      if (ending.signal.aborted) return
      console.error('perrario · un aviso no se pudo enviar:', error)
      await queue.postpone(db, id, clock() + waitAfter(1, 0), TRIES_MAX)
    }
  }

  function drain(): Promise<void> {
    if (ending.signal.aborted) return Promise.resolve()
    again = true
    clearTimeout(timer)
    return (running ??= work()
      .catch((error: unknown) => console.error('perrario · los avisos no se pudieron enviar:', error))
      .finally(() => {
        running = undefined
        return schedule()
      }))
  }

  async function schedule(): Promise<void> {
    const due = await queue.nextDue(db).catch(() => undefined)
    if (ending.signal.aborted || running) return
    // What is still due after all was told could not be: not again at once.
    const wait = due === undefined ? LOOK : due <= clock() ? 1000 : Math.min(LOOK, due - clock())
    clearTimeout(timer)
    timer = setTimeout(() => void drain(), wait).unref()
  }

  queue.onQueued(() => void drain())
  void drain()
  return {
    key: options.keys.publicKey,
    drain,
    async close() {
      queue.onQueued(undefined)
      ending.abort()
      clearTimeout(timer)
      await running
    },
  }
}

async function inParallel<T>(items: readonly T[], most: number, work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items]
  const hand = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, hand))
}

/** Tells one device what is due for it, message after message, until its service has had enough. */
async function tellDevice(db: Db, id: string, options: SenderOptions, ending: AbortSignal): Promise<void> {
  const { clock = Date.now, hosts } = options
  const now = clock()
  const job = await queue.takeJob(db, id, now)
  if (!job) return
  const { device, waiting } = job
  if (device.isOver || !isPushAddress(device.endpoint, hosts)) return queue.removeDevice(db, id)
  if (waiting.length === 0) return
  const { quiet, time_zone } = device.settings
  const until = quietEnd(now, quiet, time_zone)
  if (until !== null) return queue.hold(db, id, until)
  let { refusals } = device
  for (const parts of bundles(waiting)) {
    const lines = parts.map(({ line }) => line)
    const message = lines.length > 1 ? summaryMessage(lines) : lineMessage(lines[0]!)
    const { outcome, asked } = await send(device, message, options, ending)
    if (ending.aborted && outcome === 'later') return
    if (outcome === 'gone') return queue.removeDevice(db, id)
    if (outcome === 'later') {
      const tries = Math.max(...parts.map((part) => part.tries)) + 1
      return queue.postpone(db, id, clock() + waitAfter(tries, asked), TRIES_MAX)
    }
    await queue.forget(
      db,
      id,
      parts.map(({ line, queuedAt }) => ({ id: line.id, at: queuedAt })),
    )
    refusals = outcome === 'refused' ? refusals + 1 : 0
    if (refusals >= REFUSALS_MAX) return queue.removeDevice(db, id)
    await queue.noteDevice(db, id, { refusals, rest_until: clock() + PEACE })
  }
}

/** After quiet hours, and of very many, one message for all; else one each, the oldest first. */
function bundles(waiting: queue.Waiting[]): queue.Waiting[][] {
  const isOne = waiting.length > SINGLE_MAX || (waiting.length > 1 && waiting.some(({ isHeld }) => isHeld))
  return isOne ? [waiting] : waiting.map((each) => [each]).reverse()
}

/** Names the message to the push service, so that of two that wait there for a sleeping phone the later one stays. */
const topicOf = (tag: string) => createHash('sha256').update(tag).digest('base64url').slice(0, 32)

async function send(
  { endpoint, keys }: queue.Device,
  message: PushMessage,
  { keys: own, subject, clock = Date.now, patience = PATIENCE }: SenderOptions,
  ending: AbortSignal,
): Promise<{ outcome: Outcome; asked: number }> {
  const { method, headers, body } = webpush.generateRequestDetails({ endpoint, keys }, JSON.stringify(message), {
    vapidDetails: { subject, ...own },
    TTL: NEWS_FOR / 1000,
    topic: topicOf(message.tag),
    urgency: 'normal',
  })
  try {
    const response = await fetch(endpoint, {
      method,
      headers: Object.entries(headers)
        .filter(([name]) => name !== 'Content-Length')
        .map(([name, value]): [string, string] => [name, String(value)]),
      body: new Uint8Array(body),
      // An address that is on the list must not lead us to one that is not.
      redirect: 'manual',
      signal: AbortSignal.any([ending, AbortSignal.timeout(patience)]),
    })
    const text = await firstWords(response)
    const outcome = outcomeOf(response.status)
    if (outcome === 'refused')
      console.error(`perrario · ${new URL(endpoint).host} rechaza un aviso (${response.status}): ${text}`)
    return { outcome, asked: retryAfter(response.headers.get('retry-after'), clock()) }
  } catch {
    return { outcome: 'later', asked: 0 }
  }
}

/** The beginning of an answer, on one line, for the log; what comes after it is not fetched. */
async function firstWords(response: Response): Promise<string> {
  if (response.status < 300 || !response.body) {
    await response.body?.cancel()
    return ''
  }
  const reader = response.body.getReader()
  const { value } = await reader.read()
  await reader.cancel()
  return new TextDecoder().decode(value?.subarray(0, 300)).replace(/[\s\p{Cc}]+/gu, ' ')
}
