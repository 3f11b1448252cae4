import type { Db, Trx } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { errorCode } from '#lib/error-code.ts'
import { backgroundThrottle } from '#lib/cpu-throttle.ts'
import { type Job as BackgroundJob, runEvery } from '#lib/jobs.ts'
import { MINUTE_MS, SECOND_MS } from '#lib/time.ts'
import { enqueue, finishJob, isCurrent, isQueued, type Job, onEnqueued, readDueJob, updateJob } from './jobs.server.ts'

/** What a step leaves: nothing, or more of the job, from another cursor or at another time (ms; at once by default). */
export type Outcome = 'done' | { cursor?: string; at?: number }

interface TopicRules {
  /** As `jobs.topic` has it. */
  name: string
  /** What could not be done, for the log: «No se pudo avisar a quien sigue». */
  failure: string
  /** A job that has waited longer is dropped, ms. */
  maxAgeMs?: number
  /** Its one job never ends: it says itself when it is due again. */
  isForever?: boolean
  /** Jobs in a minute; any number by default. */
  perMinute?: number
  /** How long the whole topic rests after this error, ms: what it needs fails for all of its jobs. */
  pauseMs?: (error: unknown) => number
  /** When a job is tried again after this error, ms; later and later where it does not say. */
  retryMs?: (error: unknown) => number | undefined
}

/** A topic whose jobs only read and write: a step is one transaction with the progress of its job, so that it happens once. */
export interface WritingTopic extends TopicRules {
  step: (trx: Trx, job: Job, now: number) => Promise<Outcome>
}

/** A topic whose jobs also do what no transaction holds. After a crash the job in progress happens again. */
export interface ActingTopic extends TopicRules {
  run: (db: Db, job: Job, options: { now: number; signal: AbortSignal }) => Promise<Outcome>
}

export type Topic = WritingTopic | ActingTopic

/** An acting job that takes longer has failed, ms. */
const RUN_TIMEOUT_MS = 2 * MINUTE_MS
/** Jobs of triggers and other processes are looked for so often. */
const POLL_INTERVAL_MS = 5 * SECOND_MS
const MAX_RETRY_MS = 15 * MINUTE_MS
const backoffMs = (tries: number) => Math.min(MAX_RETRY_MS, 5 * SECOND_MS * 3 ** tries)

/** What a topic has used of its minute, and until when it rests. */
interface Gate {
  minute: number
  used: number
  pausedUntil: number
}

const isOpen = ({ perMinute = Infinity }: Topic, gate: Gate, now: number): boolean => {
  const minute = Math.floor(now / MINUTE_MS)
  if (gate.minute !== minute) Object.assign(gate, { minute, used: 0 })
  // A longer pause than an hour means that the clock was set back.
  const pauseLeftMs = gate.pausedUntil - now
  return gate.used < perMinute && (pauseLeftMs <= 0 || pauseLeftMs > 60 * MINUTE_MS)
}

const nextSlot = backgroundThrottle.lane()

/** The key of a job that never ends. */
const FOREVER = 'always'

async function beginForever(db: Db, { name }: Topic, now: number): Promise<void> {
  if (!(await isQueued(db, name, FOREVER))) await transact(db, (trx) => enqueue(trx, name, [{ key: FOREVER }], now))
}

/** Does the jobs of a topic that are due, one after another. @returns how many steps that took */
async function drain(
  db: Db,
  topic: Topic,
  gate: Gate,
  clock: () => number,
  signal: AbortSignal | undefined,
  keysFrom?: string,
): Promise<number> {
  if (topic.isForever) await beginForever(db, topic, clock())
  for (let steps = 0; ; steps++) {
    if (signal?.aborted || !isOpen(topic, gate, clock())) return steps
    const job = await readDueJob(db, topic.name, clock(), keysFrom)
    if (!job) return steps
    await nextSlot()
    gate.used++
    await doStep(db, topic, job, clock(), gate, signal)
  }
}

async function doStep(
  db: Db,
  topic: Topic,
  job: Job,
  now: number,
  gate: Gate,
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    if (topic.maxAgeMs !== undefined && job.queuedAt < now - topic.maxAgeMs)
      await transact(db, (trx) => finishJob(trx, job, now))
    else if ('step' in topic)
      await transact(db, async (trx) => {
        if (await isCurrent(trx, job)) await settle(trx, job, await topic.step(trx, job, now), now)
      })
    else {
      const claimed = { ...job, runAt: now + 2 * RUN_TIMEOUT_MS }
      const claim = async (trx: Trx) => (await isCurrent(trx, job)) && updateJob(trx, job, { run_at: claimed.runAt })
      if (!(await transact(db, claim))) return
      const outcome = await runInTime(topic, db, claimed, now, signal)
      await transact(db, (trx) => settle(trx, job, outcome, now))
    }
  } catch (error) {
    // A stop is no failure: the job is due again.
    const changes = signal?.aborted
      ? { run_at: now }
      : { run_at: now + (topic.retryMs?.(error) ?? backoffMs(job.tries)), tries: job.tries + 1, error: nameOf(error) }
    // A mail server's answer quotes an address.
    if (!signal?.aborted) console.error(`perrario · ${topic.failure}:`, isAnswer(error) ? nameOf(error) : error)
    gate.pausedUntil = now + (topic.pauseMs?.(error) ?? 0)
    await transact(db, (trx) => updateJob(trx, job, changes))
  }
}

const isAnswer = (error: unknown): boolean => error instanceof Error && 'response' in error

/** An error without its message, which may quote an address. */
const nameOf = (error: unknown): string =>
  [error instanceof Error ? error.name : typeof error, errorCode(error)].filter(Boolean).join(' ')

async function settle(trx: Trx, job: Job, outcome: Outcome, now: number): Promise<void> {
  if (outcome === 'done') return finishJob(trx, job, now)
  const { cursor = job.cursor, at = now } = outcome
  await updateJob(trx, job, { cursor, run_at: at, tries: 0, error: null })
}

/** @throws what the job throws; where it takes too long, or is stopped, the signal's reason */
async function runInTime(
  topic: ActingTopic,
  db: Db,
  job: Job,
  now: number,
  stop: AbortSignal | undefined,
): Promise<Outcome> {
  const signal = AbortSignal.any([AbortSignal.timeout(RUN_TIMEOUT_MS), ...(stop ? [stop] : [])])
  const late = Promise.withResolvers<never>()
  const end = () => late.reject(signal.reason)
  signal.addEventListener('abort', end)
  try {
    return await Promise.race([topic.run(db, job, { now, signal }), late.promise])
  } finally {
    signal.removeEventListener('abort', end)
  }
}

const newGate = (): Gate => ({ minute: 0, used: 0, pausedUntil: 0 })

/** Does what is due of `topics`, or of their keys that begin so. @returns how many steps that took */
export async function runDueJobs(
  db: Db,
  topics: readonly Topic[],
  { now = Date.now(), signal, keysFrom }: { now?: number; signal?: AbortSignal; keysFrom?: string } = {},
): Promise<number> {
  let steps = 0
  for (const topic of topics) steps += await drain(db, topic, newGate(), () => now, signal, keysFrom)
  return steps
}

/**
 * Does the jobs of all topics as they become due, those of each topic one after another and topics beside each other, so that one that is
 * slow or fails holds up no other. All state is in the database.
 */
export function startOutbox(
  db: Db,
  topics: readonly Topic[],
  { intervalMs = POLL_INTERVAL_MS, clock = Date.now } = {},
): BackgroundJob {
  const ending = new AbortController()
  const lanes = new Map(
    topics.map((topic) => [topic.name, { topic, gate: newGate(), isWoken: false, running: Promise.resolve() }]),
  )

  function wake(name: string): void {
    const lane = lanes.get(name)
    if (!lane || lane.isWoken || ending.signal.aborted) return
    lane.isWoken = true
    lane.running = lane.running.then(async () => {
      lane.isWoken = false
      await drain(db, lane.topic, lane.gate, clock, ending.signal).catch((error: unknown) =>
        console.error(`perrario · ${lane.topic.failure}:`, error),
      )
    })
  }

  onEnqueued(wake)
  const polls = runEvery({ intervalMs }, 'perrario · las tareas pendientes no se pudieron leer:', async () => {
    for (const name of lanes.keys()) wake(name)
  })
  return {
    async close() {
      onEnqueued(undefined)
      ending.abort()
      await polls.close()
      await Promise.all([...lanes.values()].map(({ running }) => running))
    },
  }
}
