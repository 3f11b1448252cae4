import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { FairQueue } from './fair-queue.ts'
import { DecoderProcess, DecodeStopped, type DecoderEnvironment } from './decoder-process.server.ts'
import type { DecodeResult, DecodeTask, PictureTask } from './tasks.server.ts'
import type { ProcessLimits } from './process-limits.server.ts'

/** The sender of a picture, and whether the client still waits for it. */
export interface Sender {
  /** A member or a network: each may have MAX_WAITING_PER_SENDER pictures waiting. Default: the site itself. */
  id?: string | undefined
  /** The sender's site (`toSitePrefix`): sites take turns, and where the queue is full the one with most pictures loses its newest. */
  network?: string | undefined
  /** Aborted when the client disconnects: its picture is not decoded. */
  signal?: AbortSignal | undefined
  /** Called when a decoder takes the picture. */
  onStart?: (() => void) | undefined
}

/** Pictures of one sender that may be decoded or wait at once. An upload sends its photos one after another: this counts uploads. */
export const MAX_WAITING_PER_SENDER = 12
/** Pictures of all senders that may wait, some seconds' work: each holds its bytes. Heavy ones do not displace light ones. */
export const MAX_WAITING_TOTAL = { light: 48, heavy: 24 }

/** Why a picture was not decoded, apart from refusals. Returned, not thrown, so that the type has every caller handle it. */
export interface DecodeFailure {
  /** `sender-limit`: its sender has too many waiting; `queue-full`: all senders together have; else why its process stopped. */
  failure: 'sender-limit' | 'queue-full' | DecodeStopped['why']
  detail?: string
}

const MB = 1024 * 1024
/** Between a failed try and its retry. */
const RETRY_DELAY_MS = 50
/** An idle decoder takes some 75 MB; decode-cost.ts bounds what a picture takes on top. */
const PROCESS_LIMITS: Record<DecodeWeight, ProcessLimits> = {
  light: { resident: 150 * MB, cpu: 3000, wall: 30_000 },
  heavy: { resident: 230 * MB, cpu: 8000, wall: 60_000 },
}

type DecodeWeight = 'light' | 'heavy'

const SOURCE_ENTRY = join(import.meta.dirname, 'child.server.ts')

interface Job {
  start: (decoder: DecoderProcess) => void
  /** Rejects the waiting promise. */
  refuse: (why?: Error) => void
}

/** The queue is full, and this picture's network has most in it. */
class DecodeQueueFull extends Error {}

/** Sender and network of pictures that the site itself decodes. */
const SITE_SENDER = ''

/**
 * Decodes pictures in two processes that may be killed without harm. The first takes light pictures only, so that ordinary uploads
 * continue beside heavy ones. The second takes heavy ones, one at a time, and light ones between, at a low priority.
 */
export class DecoderPool {
  readonly #entry: string
  readonly #environment: DecoderEnvironment
  #decoders: readonly DecoderProcess[]
  readonly #queues = { light: new FairQueue<Job>(), heavy: new FairQueue<Job>() }
  readonly #senders = new Map<string, number>()

  /**
   * @param entry the module that a decoder process runs: its source, or the entry of the build
   * @param environment the variables of a decoder process
   */
  constructor(entry = SOURCE_ENTRY, environment: DecoderEnvironment = {}) {
    this.#entry = entry
    this.#environment = environment
    this.#decoders = this.#createDecoders()
  }

  /** Ids of the running decoder processes, for metrics and tests. */
  get pids(): number[] {
    return this.#decoders.flatMap(({ pid }) => pid ?? [])
  }

  /** Decodes one picture when it is its sender's turn. A heavy one goes through the light queue first: only its header tells. */
  async run(
    task: PictureTask,
    { id = SITE_SENDER, network = id, signal, onStart }: Sender = {},
  ): Promise<DecodeResult | DecodeFailure> {
    const waiting = this.#senders.get(id) ?? 0
    if (id !== SITE_SENDER && waiting >= MAX_WAITING_PER_SENDER) return { failure: 'sender-limit' }
    this.#senders.set(id, waiting + 1)
    try {
      const decoders = this.#decoders
      const decodeAs = async (weight: DecodeWeight) => {
        // The pool was closed between the two queues.
        if (this.#decoders !== decoders) throw new DecodeStopped('gone')
        return this.#decode(weight, network, { ...task, mayBeHeavy: weight === 'heavy' }, signal, onStart)
      }
      const decoded = await decodeAs('light')
      return 'heavy' in decoded ? await decodeAs('heavy') : decoded
    } catch (error) {
      if (error instanceof DecodeQueueFull) return { failure: 'queue-full' }
      if (error instanceof DecodeStopped) return { failure: error.why, detail: error.message }
      throw error
    } finally {
      this.#countOut(id)
    }
  }

  /** Starts a decoder and ends it. @returns why none starts; null where one does */
  findStartFault = (): Promise<string | null> =>
    new DecoderProcess(this.#entry, true, this.#environment).findStartFault()

  /** Ends the processes and rejects what runs and waits. A later picture starts new ones (the development server does). */
  close(): void {
    const decoders = this.#decoders
    this.#decoders = this.#createDecoders()
    for (const queue of Object.values(this.#queues))
      for (let job = queue.shift(); job; job = queue.shift()) job.refuse()
    for (const decoder of decoders) decoder.close()
  }

  #createDecoders = () =>
    [false, true].map((isLowPriority) => new DecoderProcess(this.#entry, isLowPriority, this.#environment))

  #countOut(id: string): void {
    const left = (this.#senders.get(id) ?? 0) - 1
    if (left > 0) this.#senders.set(id, left)
    else this.#senders.delete(id)
  }

  async #decode(
    weight: DecodeWeight,
    network: string,
    task: DecodeTask,
    signal: AbortSignal | undefined,
    onStart: Sender['onStart'],
  ): Promise<DecodeResult> {
    const decoder = await this.#waitForDecoder(weight, network, signal)
    onStart?.()
    try {
      // A process that was killed from outside (by the kernel, short of memory), or that still held memory of earlier pictures,
      // proves nothing about this one: one retry.
      return await decoder.run(task, PROCESS_LIMITS[weight], signal).catch(async (error: unknown) => {
        if (!(error instanceof DecodeStopped)) throw error
        if (error.why !== 'crash' && error.why !== 'unavailable' && !(error.why === 'resident' && !error.wasFresh))
          throw error
        await sleep(RETRY_DELAY_MS)
        return decoder.run(task, PROCESS_LIMITS[weight], signal)
      })
    } finally {
      decoder.isBusy = false
      this.#startNext()
    }
  }

  /** Waits for a free decoder. @throws DecodeStopped where the client disconnects, DecodeQueueFull where this picture is evicted */
  #waitForDecoder(weight: DecodeWeight, network: string, signal: AbortSignal | undefined): Promise<DecoderProcess> {
    const queue = this.#queues[weight]
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(new DecodeStopped('gone'))
      const refuse = (why: Error = new DecodeStopped('gone')) => {
        signal?.removeEventListener('abort', onAbort)
        reject(why)
      }
      const onAbort = () => {
        if (queue.remove(network, job)) refuse()
      }
      const start = (decoder: DecoderProcess) => {
        signal?.removeEventListener('abort', onAbort)
        decoder.isBusy = true
        resolve(decoder)
      }
      const job: Job = { start, refuse }
      signal?.addEventListener('abort', onAbort, { once: true })
      queue.push(network, job)
      this.#startNext()
      if (network !== SITE_SENDER && queue.size > MAX_WAITING_TOTAL[weight])
        queue.removeFromLongest(network, SITE_SENDER)?.refuse(new DecodeQueueFull())
    })
  }

  #startNext(): void {
    const { light, heavy } = this.#queues
    const [forLight, forBoth] = this.#decoders as [DecoderProcess, DecoderProcess]
    if (!forBoth.isBusy) heavy.shift()?.start(forBoth)
    for (const decoder of [forLight, forBoth]) if (!decoder.isBusy) light.shift()?.start(decoder)
  }
}

let current: DecoderPool | undefined

/** The decoders of this process. Scripts and tests that open no services get decoders of the sources, started at the first picture. */
export const getDecoderPool = (): DecoderPool => (current ??= new DecoderPool())

/** Opens the decoders of this process, which run the module `entry` with these variables. */
export const openDecoderPool = (entry: string, environment: DecoderEnvironment = {}): DecoderPool =>
  (current = new DecoderPool(entry, environment))
