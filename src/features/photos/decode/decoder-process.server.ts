import { type ChildProcess, fork } from 'node:child_process'
import { setPriority } from 'node:os'
import type { Writable } from 'node:stream'
import type { DecodeResponse, DecodeRequest, ReadyMessage } from './child.server.ts'
import type { DecodeResult, DecodeTask } from './tasks.server.ts'
import { type ProcessLimits, watchProcess } from './process-limits.server.ts'

/** A decoder that nobody has needed for so long ends, ms. */
const IDLE_MS = 60_000
/** Above this a decoder does not give back what it took: it ends after its picture, bytes. */
const RECYCLE_ABOVE_BYTES = 130 * 1024 * 1024
/** As in child.server.ts, which only its own process may load. */
const BYTES_FD = 4

/** How far a decoder of heavy pictures gives way to everything else on the machine. */
const NICENESS = 10

/** Of what a decoder prints before it is ready, characters kept. */
const MAX_START_OUTPUT_CHARS = 8000

/**
 * Why a picture came to nothing: a limit of its process, a process that ended by itself, one that never became ready
 * (`unavailable`: no fault of the picture), or a sender who is gone.
 */
export class DecodeStopped extends Error {
  readonly why: keyof ProcessLimits | 'crash' | 'unavailable' | 'gone'
  /** Whether its process had decoded nothing before; another may still hold some of what went before. */
  readonly wasFresh: boolean
  constructor(why: DecodeStopped['why'], detail = '', wasFresh = false) {
    super(`The decoding of a picture stopped: ${why} ${detail}`.trim())
    this.why = why
    this.wasFresh = wasFresh
  }
}

/** The environment of a decoder: where to find things and how to use memory, none of the operator's secrets. */
const SHARED_ENV_NAMES = ['PATH', 'NODE_COMPILE_CACHE', 'MALLOC_ARENA_MAX', 'MALLOC_MMAP_THRESHOLD_', 'SystemRoot']
const decoderEnvironment = () =>
  Object.fromEntries(SHARED_ENV_NAMES.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])))

/**
 * One process that decodes one picture after another. It begins with the first and ends when none have come for a while. Not a
 * pool of a library: those serialise a photo of 4 MB twice on its way, which takes as long as decoding it.
 */
export class DecoderProcess {
  readonly #entry: string
  readonly #givesWay: boolean
  #child: ChildProcess | undefined
  #idle: NodeJS.Timeout | undefined
  #isFresh = false
  #isReady = false
  /** What the process printed before it was ready. */
  #startOutput = ''
  #isClosed = false
  /** Stops what is being decoded. */
  #stop: (() => void) | undefined
  isBusy = false

  /**
   * @param entry where the process begins: its source, or the entry that the build made of it
   * @param givesWay whether other processes go first where the machine is busy
   */
  constructor(entry: string, givesWay = false) {
    this.#entry = entry
    this.#givesWay = givesWay
  }

  /** The process, while there is one. */
  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** @throws DecodeStopped */
  async run({ bytes, ...task }: DecodeTask, limits: ProcessLimits, signal?: AbortSignal): Promise<DecodeResult> {
    if (this.#isClosed || signal?.aborted) throw new DecodeStopped('gone')
    clearTimeout(this.#idle)
    const child = (this.#child ??= this.#start())
    setKeepAlive(child, true)
    const wasFresh = this.#isFresh
    this.#isFresh = false
    let stopped: DecodeStopped['why'] | undefined
    const end = (why: DecodeStopped['why']) => {
      stopped ??= why
      child.kill('SIGKILL')
    }
    const gone = () => end('gone')
    let answered: ((message: DecodeResponse | ReadyMessage) => void) | undefined
    this.#stop = gone
    signal?.addEventListener('abort', gone, { once: true })
    const endWatch = watchProcess(() => child.pid, limits, end)
    try {
      const { resident, ...decoded } = await new Promise<DecodeResponse>((resolve, reject) => {
        answered = (message) => message !== 'ready' && resolve(message)
        child.on('message', answered)
        child.once('error', (error) => reject(this.#isReady ? error : new DecodeStopped('unavailable', error.message)))
        child.once('exit', (code, by) => {
          if (stopped || this.#isReady) reject(new DecodeStopped(stopped ?? 'crash', `(${by ?? code})`, wasFresh))
        })
        // Only then is all read that it said: that it was ready, or why it could not be.
        child.once('close', (code, by) => {
          const why = this.#isReady ? 'crash' : 'unavailable'
          const cause = why === 'unavailable' ? /^\S*Error\b.*$/m.exec(this.#startOutput)?.[0] : undefined
          reject(new DecodeStopped(why, cause ?? `(${by ?? code})`, wasFresh))
        })
        child.send({ length: bytes.length, task } satisfies DecodeRequest, () => {})
        ;(child.stdio[BYTES_FD] as Writable).write(bytes)
      })
      if (resident > RECYCLE_ABOVE_BYTES) this.#end()
      if ('failed' in decoded) throw new Error(decoded.failed)
      return decoded
    } finally {
      endWatch()
      this.#stop = undefined
      signal?.removeEventListener('abort', gone)
      if (answered) child.off('message', answered)
      for (const event of ['error', 'exit', 'close']) child.removeAllListeners(event)
      child.on('error', () => {})
      if (child.exitCode !== null || child.signalCode !== null || child.killed) this.#forget(child)
      else this.#rest(child)
      // Whoever is next does not wait until another has begun.
      if (stopped) this.#replace()
    }
  }

  /** Ends the process, whatever it is doing. None begins after that: it would outlive the server. */
  close(): void {
    this.#isClosed = true
    this.#stop?.()
    clearTimeout(this.#idle)
    this.#end()
  }

  #start(): ChildProcess {
    const child = fork(this.#entry, {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc', 'pipe'],
      env: decoderEnvironment(),
      execArgv: ['--disable-warning=ExperimentalWarning', '--max-old-space-size=64', '--max-semi-space-size=2'],
    })
    // Also where nobody waits for a picture: a process that cannot begin does not end the server.
    child.on('error', () => {})
    this.#isFresh = true
    this.#isReady = false
    this.#startOutput = ''
    // No pipes: the system has no more files to open.
    if (!child.stderr) throw new DecodeStopped('unavailable', 'no process could be started')
    child.on('message', (message) => {
      if (message !== 'ready' || this.#child !== child) return
      this.#isReady = true
      if (this.#startOutput) console.error(`decoder: ${this.#startOutput.trim()}`)
    })
    if (this.#givesWay) lowerPriority(child)
    // What it prints goes the way of our own words, or a log of JSON would have lines that are none.
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (this.#isReady || this.#child !== child) console.error(`decoder: ${text.trim()}`)
      else this.#startOutput = (this.#startOutput + text).slice(0, MAX_START_OUTPUT_CHARS)
    })
    // It was killed while its bytes were on their way.
    child.stdio[BYTES_FD]!.on('error', () => {})
    return child
  }

  /** Nothing is asked of it: it keeps no program running, and ends after a while. */
  #rest(child: ChildProcess): void {
    setKeepAlive(child, false)
    child.once('exit', () => this.#forget(child))
    this.#idle = setTimeout(() => this.#end(), IDLE_MS).unref()
  }

  #replace(): void {
    if (this.#isClosed || this.#child) return
    try {
      this.#child = this.#start()
      this.#rest(this.#child)
    } catch {
      // The next picture tries again, and says why.
    }
  }

  #end(): void {
    const child = this.#child
    this.#child = undefined
    child?.kill('SIGKILL')
  }

  #forget(child: ChildProcess): void {
    if (this.#child === child) this.#child = undefined
  }
}

function lowerPriority({ pid }: ChildProcess): void {
  try {
    if (pid) setPriority(pid, NICENESS)
  } catch {
    // Not allowed here: then it takes its equal share.
  }
}

/** Whether this program goes on until the child has answered. */
function setKeepAlive(child: ChildProcess, isHeld: boolean): void {
  const streams = [child.stderr, child.stdio[BYTES_FD], child.channel, child] as { ref(): void; unref(): void }[]
  for (const stream of streams) {
    if (isHeld) stream?.ref()
    else stream?.unref()
  }
}
