import { createHash } from 'node:crypto'
import type { Db } from '#db/client.ts'
import { tryExclusively } from '#db/dialect/exclusive.ts'
import { withShortCheckpoints } from '#db/dialect/short-checkpoints.ts'
import { forEachConcurrently } from '#lib/concurrency.ts'
import { backgroundThrottle } from '#lib/cpu-throttle.ts'
import { isAllowedPushEndpoint } from '#lib/http/push-hosts.ts'
import type { PushKeys } from './vapid-keys.server.ts'
import { encryptMessage } from './encrypted-message.server.ts'
import { notificationMessage, summaryMessage } from './message.ts'
import type { PushMessage } from './push.ts'
import { type PushDevice, type QueuedNotification, readDueJob } from './due-job.server.ts'
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
  /** The contact for push services: `https://…` or `mailto:…`. */
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
  /** Sends all due messages, and resolves once none are left. */
  flush: () => Promise<void>
  /** Aborts requests under way; their messages stay in the queue. */
  close: () => Promise<void>
}

const TIMEOUT_MS = 10_000
/** Devices served at the same time: ten thousand in a minute where a push service takes a tenth of a second. */
const CONCURRENT_DEVICES = 24
/** Messages read from the queue at once. */
const BATCH_MESSAGES = 200
/** More notifications than this are sent as one summary. */
const SINGLE_MESSAGES_MAX = 3
/** How often the queue is polled for notifications of other processes, ms. */
const POLL_INTERVAL_MS = 60_000

/** One for each step of a push that takes the processor: what is sent is read, encrypted, and taken out of the queue. */
const nextSlot = backgroundThrottle.lane()

/**
 * Sends due notifications to devices until `close`. One process at a time serves a device, and removes from the queue what it has sent,
 * so a message is sent once; one whose answer never came may be sent twice, which the device shows once because of its tag.
 */
export function openSender(db: Db, options: SenderOptions): Sender {
  const { clock = Date.now } = options
  const ending = new AbortController()
  let running: Promise<void> | undefined
  let isWokenAgain = false
  let timer: NodeJS.Timeout | undefined
  /** When the timer was to fire last, ms. */
  let scheduledAt = Infinity
  /** The earliest time that was queued since the queue was last read, ms. */
  let queuedDueAt = Infinity

  async function sendAllDue(): Promise<void> {
    for (;;) {
      isWokenAgain = false
      queuedDueAt = Infinity
      let served = 0
      const devices = await queue.listDueDevices(db, clock(), BATCH_MESSAGES)
      await forEachConcurrently(devices, CONCURRENT_DEVICES, async (id) => {
        if (await pushSafely(id)) served++
      })
      if (ending.signal.aborted || (served === 0 && !isWokenAgain)) return
    }
  }

  /**
   * Pushes to one device. An error postpones this device and does not affect the others.
   * @returns false where another node does
   */
  async function pushSafely(id: string): Promise<boolean> {
    if (ending.signal.aborted) return true
    try {
      return await tryExclusively(db, `push to ${id}`, (lost) =>
        pushToDevice(db, id, options, AbortSignal.any([ending.signal, lost])),
      )
    } catch (error) {
      if (ending.signal.aborted) return true
      console.error('perrario · un aviso no se pudo enviar:', error)
      await queue.postpone(db, id, clock() + retryDelay(1, 0), MAX_TRIES)
      return true
    }
  }

  function flush(): Promise<void> {
    if (ending.signal.aborted) return Promise.resolve()
    isWokenAgain = true
    clearTimeout(timer)
    return (running ??= withShortCheckpoints(db, sendAllDue)
      .catch((error: unknown) => console.error('perrario · los avisos no se pudieron enviar:', error))
      .finally(() => {
        running = undefined
        return schedule()
      }))
  }

  async function schedule(): Promise<void> {
    const dueAt = (await queue.nextDueAt(db).catch(() => undefined)) ?? Infinity
    if (ending.signal.aborted || running) return
    // What is still due after a flush has failed, and is not tried again at once.
    scheduleFlush(dueAt <= clock() ? clock() + 1000 : Math.min(dueAt, queuedDueAt))
  }

  function scheduleFlush(at: number): void {
    scheduledAt = at
    clearTimeout(timer)
    timer = setTimeout(() => void flush(), Math.min(POLL_INTERVAL_MS, Math.max(0, at - clock()))).unref()
  }

  /** What is not due yet is not looked for: a burst of likes, which wait for more, costs no statement. */
  function wake(dueAt: number): void {
    if (dueAt <= clock()) return void flush()
    queuedDueAt = Math.min(queuedDueAt, dueAt)
    // The end of a flush schedules the next one.
    if (!running && dueAt < scheduledAt) scheduleFlush(dueAt)
  }

  queue.onQueued(wake)
  void flush()
  return {
    key: options.keys.publicKey,
    flush,
    async close() {
      queue.onQueued(undefined)
      ending.abort()
      clearTimeout(timer)
      await running
    },
  }
}

/** Sends one device its due notifications, message after message, until the push service fails. */
async function pushToDevice(db: Db, id: string, options: SenderOptions, ending: AbortSignal): Promise<void> {
  const { clock = Date.now, hosts } = options
  await nextSlot()
  const now = clock()
  const job = await readDueJob(db, id, now)
  if (!job) return
  const { device, queued } = job
  if (device.isSessionExpired || !isAllowedPushEndpoint(device.endpoint, hosts)) return queue.removeDevice(db, id)
  if (queued.length === 0) return
  const { quiet, time_zone } = device.settings
  const until = quietEnd(now, quiet, time_zone)
  if (until !== null) await queue.deferUntil(db, id, until)
  const sendable = until === null ? queued : queued.filter(({ breaksQuiet }) => breaksQuiet)
  let { refusals } = device
  for (const group of groupMessages(sendable)) {
    const notifications = group.map(({ notification }) => notification)
    const message = notifications.length > 1 ? summaryMessage(notifications) : notificationMessage(notifications[0]!)
    // Phones that sleep are woken for what breaks quiet hours.
    const urgency = group.some(({ breaksQuiet }) => breaksQuiet) ? 'high' : 'normal'
    const { outcome, retryAfterMs } = await sendMessage(device, message, { ...options, urgency }, ending)
    if (ending.aborted && outcome === 'later') return
    if (outcome === 'gone') return queue.removeDevice(db, id)
    if (outcome === 'later') {
      const tries = Math.max(...group.map((part) => part.tries)) + 1
      return queue.postpone(db, id, clock() + retryDelay(tries, retryAfterMs), MAX_TRIES)
    }
    await nextSlot()
    await queue.removeFromQueue(
      db,
      id,
      group.map(({ notification, queuedAt }) => ({ id: notification.id, at: queuedAt })),
    )
    refusals = outcome === 'refused' ? refusals + 1 : 0
    if (refusals >= MAX_REFUSALS) return queue.removeDevice(db, id)
    await queue.updateDevice(db, id, { refusals, rest_until: clock() + DEVICE_PAUSE_MS })
  }
}

/** Groups notifications by message: one for all after quiet hours, or of many; else one each, the oldest first. */
function groupMessages(queued: QueuedNotification[]): QueuedNotification[][] {
  const isSummary =
    queued.length > SINGLE_MESSAGES_MAX || (queued.length > 1 && queued.some(({ wasDeferred }) => wasDeferred))
  return isSummary ? [queued] : queued.map((each) => [each]).reverse()
}

/** The Topic header (RFC 8030 §5.4): of two messages that wait for a sleeping phone, only the later one is delivered. */
const topicOf = (tag: string) => createHash('sha256').update(tag).digest('base64url').slice(0, 32)

async function sendMessage(
  { endpoint, keys }: PushDevice,
  message: PushMessage,
  {
    keys: serverKeys,
    subject,
    clock = Date.now,
    timeoutMs = TIMEOUT_MS,
    urgency,
  }: SenderOptions & { urgency: 'normal' | 'high' },
  ending: AbortSignal,
): Promise<{ outcome: PushOutcome; retryAfterMs: number }> {
  await nextSlot()
  const { method, headers, body } = await encryptMessage({ endpoint, keys }, JSON.stringify(message), {
    serverKeys,
    subject,
    TTL: MESSAGE_TTL_MS / 1000,
    topic: topicOf(message.tag),
    urgency,
  })
  try {
    const response = await fetch(endpoint, {
      method,
      headers,
      body,
      // An allowed host must not redirect to one that is not.
      redirect: 'manual',
      signal: AbortSignal.any([ending, AbortSignal.timeout(timeoutMs)]),
    })
    const text = await readErrorStart(response)
    const outcome = outcomeOf(response.status)
    if (outcome === 'refused')
      console.error(`perrario · ${new URL(endpoint).host} rechaza un aviso (${response.status}): ${text}`)
    return { outcome, retryAfterMs: retryAfter(response.headers.get('retry-after'), clock()) }
  } catch {
    return { outcome: 'later', retryAfterMs: 0 }
  }
}

/** The beginning of an error answer, on one line, for the log; the rest is not read. */
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
