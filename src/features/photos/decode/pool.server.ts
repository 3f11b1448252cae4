import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { NetworkQueue, type QueueOwner } from './network-queue.ts'
import { DecoderProcess, DecodeStopped } from './decoder-process.server.ts'
import type { DecodeResult, DecodeTask, PictureTask } from './tasks.server.ts'
import type { ProcessLimits } from './process-limits.server.ts'

/** Who sends a picture, and whether they still wait for it. */
export interface Sender {
  /** A member or a network: senders take turns, and one has only so many pictures waiting. Left out: the site itself. */
  who?: string
  /** Where from, as limits count sites (`siteOf`): networks take turns, and where all is full the one with most gives way. */
  network?: string
  /** Aborted when the client is gone: nothing is decoded for nobody. */
  signal?: AbortSignal
  /** Told when a decoder takes the picture. */
  begin?: () => void
}

/** Pictures of one sender that may be decoded or wait at once. An upload's photos come one after another: so many uploads. */
export const MAX_WAITING_PER_SENDER = 12
/** Pictures of everybody that may wait, some seconds' work each: each holds its bytes. Heavy ones keep no light one out. */
export const MAX_WAITING_TOTAL = { light: 48, heavy: 24 }

/** Why a picture was not decoded, through no fault that its header shows. Said, not thrown: Astro's bundle knows no class of ours. */
export interface NotDecoded {
  /** `one`: its sender has too many waiting; `all`: everybody has; else why its process stopped. */
  not: 'one' | 'all' | DecodeStopped['why']
  detail?: string
}

const MB = 1024 * 1024
/** A decoder at rest takes some 75 MB; what it may take beside them for each kind stands in budget.ts. */
const PROCESS_LIMITS: Record<DecodeWeight, ProcessLimits> = {
  light: { resident: 150 * MB, cpu: 3000, wall: 30_000 },
  heavy: { resident: 230 * MB, cpu: 8000, wall: 60_000 },
}

type DecodeWeight = 'light' | 'heavy'

const SOURCE_ENTRY = join(import.meta.dirname, 'child.server.ts')

interface Job {
  place: QueueOwner
  task: DecodeTask
  signal: AbortSignal | undefined
  start: (slot: DecoderProcess) => void
  /** Ends the wait with nothing. */
  refuse: (why?: Error) => void
}

/** The line is full, and its sender has most in it. */
class DecodeQueueFull extends Error {}

/** The sender of what the site itself decodes. */
const SITE_SENDER = ''

/**
 * Decodes pictures in processes that may be killed without harm. There are two: the first takes light pictures only, so that
 * whatever heavy ones there are, ordinary uploads go on; the second takes heavy ones, one at a time, and light ones between, and gives
 * way to the rest of the machine.
 */
export class DecodePool {
  readonly #entry: string
  #slots: readonly DecoderProcess[]
  readonly #lines = { light: new NetworkQueue<Job>(), heavy: new NetworkQueue<Job>() }
  readonly #senders = new Map<string, number>()

  /** @param entry where a decoder's process begins: its source, or the entry that the build made of it */
  constructor(entry = SOURCE_ENTRY) {
    this.#entry = entry
    this.#slots = this.#newSlots()
  }

  /** The decoders' processes now, for figures and tests. */
  get pids(): number[] {
    return this.#slots.flatMap(({ pid }) => pid ?? [])
  }

  /** Decodes one picture when it is its sender's turn. */
  async run(
    task: PictureTask,
    { who = SITE_SENDER, network = who, signal, begin }: Sender = {},
  ): Promise<DecodeResult | NotDecoded> {
    const own = this.#senders.get(who) ?? 0
    if (who !== SITE_SENDER && own >= MAX_WAITING_PER_SENDER) return { not: 'one' }
    this.#senders.set(who, own + 1)
    const place = { network, sender: who }
    try {
      const began = this.#slots
      const asked = async (line: DecodeWeight) => {
        // Closed between the two lines.
        if (this.#slots !== began) throw new DecodeStopped('gone')
        return this.#decode(line, place, { ...task, mayBeHeavy: line === 'heavy' }, signal, begin)
      }
      const decoded = await asked('light')
      return 'heavy' in decoded ? await asked('heavy') : decoded
    } catch (error) {
      if (error instanceof DecodeQueueFull) return { not: 'all' }
      if (error instanceof DecodeStopped) return { not: error.why, detail: error.message }
      throw error
    } finally {
      this.#leave(who)
    }
  }

  /** Ends the processes. What they do and what waits comes to nothing; a picture after that begins others (the development server's). */
  close(): void {
    const slots = this.#slots
    this.#slots = this.#newSlots()
    for (const line of Object.values(this.#lines)) for (let job = line.shift(); job; job = line.shift()) job.refuse()
    for (const slot of slots) slot.close()
  }

  #newSlots = () => [new DecoderProcess(this.#entry), new DecoderProcess(this.#entry, true)]

  #leave(who: string): void {
    const left = this.#senders.get(who)! - 1
    if (left > 0) this.#senders.set(who, left)
    else this.#senders.delete(who)
  }

  async #decode(
    line: DecodeWeight,
    place: QueueOwner,
    task: DecodeTask,
    signal: AbortSignal | undefined,
    begin: Sender['begin'],
  ): Promise<DecodeResult> {
    const slot = await this.#turn(line, place, task, signal)
    begin?.()
    try {
      // A process that was ended from outside (by the kernel, where memory is short), or that still held what earlier pictures
      // took, says nothing of this one: once more.
      return await slot.run(task, PROCESS_LIMITS[line], signal).catch(async (error: unknown) => {
        if (!(error instanceof DecodeStopped)) throw error
        if (error.why !== 'crash' && error.why !== 'unavailable' && !(error.why === 'resident' && !error.wasFresh))
          throw error
        await sleep(50)
        return slot.run(task, PROCESS_LIMITS[line], signal)
      })
    } finally {
      slot.isBusy = false
      this.#next()
    }
  }

  /** Waits for a process. @throws DecodeStopped for who is gone before, LineFull for who gives way */
  #turn(
    line: DecodeWeight,
    place: QueueOwner,
    task: DecodeTask,
    signal: AbortSignal | undefined,
  ): Promise<DecoderProcess> {
    const waiting = this.#lines[line]
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(new DecodeStopped('gone'))
      const refuse = (why: Error = new DecodeStopped('gone')) => {
        signal?.removeEventListener('abort', gone)
        reject(why)
      }
      const gone = () => {
        if (waiting.remove(place, job)) refuse()
      }
      const start = (slot: DecoderProcess) => {
        signal?.removeEventListener('abort', gone)
        slot.isBusy = true
        resolve(slot)
      }
      const job: Job = { place, task, signal, start, refuse }
      signal?.addEventListener('abort', gone, { once: true })
      waiting.push(place, job)
      this.#next()
      if (place.sender !== SITE_SENDER && waiting.size > MAX_WAITING_TOTAL[line])
        waiting.removeFromLongest(place, SITE_SENDER)?.refuse(new DecodeQueueFull())
    })
  }

  #next(): void {
    const { light, heavy } = this.#lines
    const [forLight, forBoth] = this.#slots as [DecoderProcess, DecoderProcess]
    if (!forBoth.isBusy) heavy.shift()?.start(forBoth)
    for (const slot of [forLight, forBoth]) if (!slot.isBusy) light.shift()?.start(slot)
  }
}

let current: DecodePool | undefined

/** The decoders of this process. */
export const getDecoderPool = (): DecodePool => (current ??= new DecodePool())

/** Has pictures decoded by processes that begin at `entry`. */
export const openDecoderPool = (entry: string): DecodePool => (current = new DecodePool(entry))
