import { createHash } from 'node:crypto'
import webpush from 'web-push'
import type { Db } from '#db/client.ts'
import { isAllowedPushEndpoint } from '#lib/http/push-hosts.ts'
import type { PushKeys } from './vapid-keys.server.ts'
import { notificationMessage, summaryMessage } from './message.ts'
import type { PushMessage } from './push.ts'
import * as queue from './queue.server.ts'
import { quietEnd } from './quiet-hours.ts'
import {
  MESSAGE_TTL_MS,
  type PushOutcome,
  outcomeOf,
  DEVICE_PAUSE_MS,
  MAX_REFUSALS,
  retryAfter,
  MAX_TRIES,
  retryDelay,
} from './retry.ts'

export interface SenderOptions {
  keys: PushKeys
  /** Whom a push service may turn to: `https://…` or `mailto:…`. */
  subject: string
  /** Entries of PUSH_HOSTS. */
  hosts: readonly string[]
  clock?: () => number
  /** How long a push service may take, ms. */
  timeoutMs?: number
}

export interface Sender {
  /** The server's public key, for browsers that subscribe. */
  key: string
  /** Sends whatever is due, and resolves once nothing is. */
  flush: () => Promise<void>
  /** Ends what is on its way, which stays in the queue. */
  close: () => Promise<void>
}

const TIMEOUT_MS = 10_000
/** Devices told at once. */
const CONCURRENT_DEVICES = 6
/** Messages read from the queue at once. */
const BATCH_MESSAGES = 200
/** As many messages at once say more than their sum would. */
const SINGLE_MESSAGES_MAX = 3
/** How often the queue is looked at, ms, for what others than this process put there. */
const POLL_INTERVAL_MS = 60_000

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
      const devices = await queue.listDueDevices(db, clock(), BATCH_MESSAGES)
      await forEachConcurrently(devices, CONCURRENT_DEVICES, (id) => tell(id))
      if (ending.signal.aborted || (devices.length === 0 && !again)) return
    }
  }

  /** Whatever goes wrong with one device, the others are told and this one is tried later. */
  async function tell(id: string): Promise<void> {
    if (ending.signal.aborted) return
    try {
      await pushToDevice(db, id, options, ending.signal)
    } catch (error) {
      if (ending.signal.aborted) return
      console.error('perrario · un aviso no se pudo enviar:', error)
      await queue.postpone(db, id, clock() + retryDelay(1, 0), MAX_TRIES)
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
    const due = await queue.nextDueAt(db).catch(() => undefined)
    if (ending.signal.aborted || running) return
    // What is still due after all was told could not be: not again at once.
    const wait =
      due === undefined ? POLL_INTERVAL_MS : due <= clock() ? 1000 : Math.min(POLL_INTERVAL_MS, due - clock())
    clearTimeout(timer)
    timer = setTimeout(() => void drain(), wait).unref()
  }

  queue.onQueued(() => void drain())
  void drain()
  return {
    key: options.keys.publicKey,
    flush: drain,
    async close() {
      queue.onQueued(undefined)
      ending.abort()
      clearTimeout(timer)
      await running
    },
  }
}

async function forEachConcurrently<T>(
  items: readonly T[],
  most: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = [...items]
  const hand = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, hand))
}

/** Tells one device what is due for it, message after message, until its service has had enough. */
async function pushToDevice(db: Db, id: string, options: SenderOptions, ending: AbortSignal): Promise<void> {
  const { clock = Date.now, hosts } = options
  const now = clock()
  const job = await queue.readDueJob(db, id, now)
  if (!job) return
  const { device, waiting } = job
  if (device.isOver || !isAllowedPushEndpoint(device.endpoint, hosts)) return queue.removeDevice(db, id)
  if (waiting.length === 0) return
  const { quiet, time_zone } = device.settings
  const until = quietEnd(now, quiet, time_zone)
  if (until !== null) return queue.deferUntil(db, id, until)
  let { refusals } = device
  for (const parts of groupMessages(waiting)) {
    const lines = parts.map(({ line }) => line)
    const message = lines.length > 1 ? summaryMessage(lines) : notificationMessage(lines[0]!)
    const { outcome, asked } = await sendMessage(device, message, options, ending)
    if (ending.aborted && outcome === 'later') return
    if (outcome === 'gone') return queue.removeDevice(db, id)
    if (outcome === 'later') {
      const tries = Math.max(...parts.map((part) => part.tries)) + 1
      return queue.postpone(db, id, clock() + retryDelay(tries, asked), MAX_TRIES)
    }
    await queue.removeFromQueue(
      db,
      id,
      parts.map(({ line, queuedAt }) => ({ id: line.id, at: queuedAt })),
    )
    refusals = outcome === 'refused' ? refusals + 1 : 0
    if (refusals >= MAX_REFUSALS) return queue.removeDevice(db, id)
    await queue.updateDevice(db, id, { refusals, rest_until: clock() + DEVICE_PAUSE_MS })
  }
}

/** After quiet hours, and of very many, one message for all; else one each, the oldest first. */
function groupMessages(waiting: queue.QueuedNotification[]): queue.QueuedNotification[][] {
  const isOne = waiting.length > SINGLE_MESSAGES_MAX || (waiting.length > 1 && waiting.some(({ isHeld }) => isHeld))
  return isOne ? [waiting] : waiting.map((each) => [each]).reverse()
}

/** Names the message to the push service, so that of two that wait there for a sleeping phone the later one stays. */
const topicOf = (tag: string) => createHash('sha256').update(tag).digest('base64url').slice(0, 32)

async function sendMessage(
  { endpoint, keys }: queue.PushDevice,
  message: PushMessage,
  { keys: own, subject, clock = Date.now, timeoutMs = TIMEOUT_MS }: SenderOptions,
  ending: AbortSignal,
): Promise<{ outcome: PushOutcome; asked: number }> {
  const { method, headers, body } = webpush.generateRequestDetails({ endpoint, keys }, JSON.stringify(message), {
    vapidDetails: { subject, ...own },
    TTL: MESSAGE_TTL_MS / 1000,
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
      signal: AbortSignal.any([ending, AbortSignal.timeout(timeoutMs)]),
    })
    const text = await readErrorStart(response)
    const outcome = outcomeOf(response.status)
    if (outcome === 'refused')
      console.error(`perrario · ${new URL(endpoint).host} rechaza un aviso (${response.status}): ${text}`)
    return { outcome, asked: retryAfter(response.headers.get('retry-after'), clock()) }
  } catch {
    return { outcome: 'later', asked: 0 }
  }
}

/** The beginning of an answer, on one line, for the log; what comes after it is not fetched. */
async function readErrorStart(response: Response): Promise<string> {
  if (response.status < 300 || !response.body) {
    await response.body?.cancel()
    return ''
  }
  const reader = response.body.getReader()
  const { value } = await reader.read()
  await reader.cancel()
  return new TextDecoder().decode(value?.subarray(0, 300)).replace(/[\s\p{Cc}]+/gu, ' ')
}
