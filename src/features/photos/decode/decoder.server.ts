import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SITE_NETWORK, TurnQueue } from '#lib/turn-queue.ts'
import type { ProcessLimits } from './child.server.ts'
import { DecoderProcess, DecodeStopped, type DecoderEnvironment } from './decoder-process.server.ts'
import type { DecodeResult, DecodeTask } from './tasks.server.ts'

/** The sender of a picture, and whether the client still waits for it. */
export interface Sender {
  /** A member or a network: each may have MAX_WAITING_PER_SENDER pictures waiting. Default: the site itself. */
  id?: string | undefined
  /** The sender's site (`toSitePrefix`): sites take turns, and where the queue is full the one with most pictures loses its newest. */
  network?: string | undefined
  /** Aborted when the client disconnects: its picture is not decoded. */
  signal?: AbortSignal | undefined
  /** Called when the decoder takes the picture. */
  onStart?: (() => void) | undefined
}

/** Pictures of one sender that may be decoded or wait at once. An upload sends its photos one after another: this counts uploads. */
export const MAX_WAITING_PER_SENDER = 12
/** Pictures of all senders that may wait, some seconds' work: each holds its bytes. */
export const MAX_WAITING_TOTAL = 48

/** Why a picture was not decoded, apart from refusals. Returned, not thrown, so that the type has every caller handle it. */
export interface DecodeFailure {
  /** `sender-limit`: its sender has too many waiting; `queue-full`: all senders together have; else why its process stopped. */
  failure: 'sender-limit' | 'queue-full' | DecodeStopped['why']
  detail?: string
}

/** Between a failed try and its retry. */
const RETRY_DELAY_MS = 50
/** An idle decoder takes some 75 MB; decode-cost.ts bounds what a picture takes on top. */
const PROCESS_LIMITS: ProcessLimits = { resident: 230 * 1024 * 1024, cpu: 8000, wall: 60_000 }

const SOURCE_ENTRY = join(import.meta.dirname, 'child.server.ts')

/** The queue is full, and this picture's network has most in it. */
class DecodeQueueFull extends Error {}

/** Decodes pictures one after another, in a process that may be killed without harm. Networks take turns. */
export class PictureDecoder {
  readonly #entry: string
  readonly #environment: DecoderEnvironment
  #process: DecoderProcess
  readonly #queue = new TurnQueue({
    maxWaiting: MAX_WAITING_TOTAL,
    full: () => new DecodeQueueFull(),
    withdrawn: () => new DecodeStopped('gone'),
  })
  readonly #senders = new Map<string, number>()

  /**
   * @param entry the module that the process runs: its source, or the entry of the build
   * @param environment the variables of the process
   */
  constructor(entry = SOURCE_ENTRY, environment: DecoderEnvironment = {}) {
    this.#entry = entry
    this.#environment = environment
    this.#process = new DecoderProcess(entry, environment)
  }

  /** Id of the running process, for tests. */
  get pid(): number | undefined {
    return this.#process.pid
  }

  /** Decodes one picture when it is its sender's turn. */
  async run(
    task: DecodeTask,
    { id = SITE_NETWORK, network = id, signal, onStart }: Sender = {},
  ): Promise<DecodeResult | DecodeFailure> {
    const waiting = this.#senders.get(id) ?? 0
    if (id !== SITE_NETWORK && waiting >= MAX_WAITING_PER_SENDER) return { failure: 'sender-limit' }
    this.#senders.set(id, waiting + 1)
    try {
      return await this.#queue.run(
        () => {
          onStart?.()
          return this.#decode(task, signal)
        },
        network,
        signal,
      )
    } catch (error) {
      if (error instanceof DecodeQueueFull) return { failure: 'queue-full' }
      if (error instanceof DecodeStopped) return { failure: error.why, detail: error.message }
      throw error
    } finally {
      const left = (this.#senders.get(id) ?? 0) - 1
      if (left > 0) this.#senders.set(id, left)
      else this.#senders.delete(id)
    }
  }

  /** Starts a process and ends it. @returns why none starts; null where one does */
  findStartFault = (): Promise<string | null> => new DecoderProcess(this.#entry, this.#environment).findStartFault()

  /** Ends the process and rejects what runs and waits. A later picture starts another (the development server does). */
  close(): void {
    const ended = this.#process
    this.#process = new DecoderProcess(this.#entry, this.#environment)
    this.#queue.withdrawAll()
    ended.close()
  }

  /** Tries once more where a process stopped that proves nothing about the picture. */
  async #decode(task: DecodeTask, signal: AbortSignal | undefined): Promise<DecodeResult> {
    const decoder = this.#process
    return decoder.run(task, PROCESS_LIMITS, signal).catch(async (error: unknown) => {
      if (!(error instanceof DecodeStopped && error.mayPass)) throw error
      await sleep(RETRY_DELAY_MS)
      return decoder.run(task, PROCESS_LIMITS, signal)
    })
  }
}

let current: PictureDecoder | undefined

/** The decoder of this server. Scripts and tests that open no services get one of the sources, started at the first picture. */
export const getPictureDecoder = (): PictureDecoder => (current ??= new PictureDecoder())

/** Opens the decoder of this server, which runs the module `entry` with these variables. */
export const openPictureDecoder = (entry: string, environment: DecoderEnvironment = {}): PictureDecoder =>
  (current = new PictureDecoder(entry, environment))
