import { type ChildProcess, fork } from 'node:child_process'
import { setPriority } from 'node:os'
import type { Writable } from 'node:stream'
import type { DecodeResponse, DecodeRequest, ReadyMessage } from './child.server.ts'
import type { DecodeResult, DecodeTask } from './tasks.server.ts'
import { type ProcessLimits, watchProcess } from './process-limits.server.ts'

/** A decoder that has been idle this long ends. */
const IDLE_MS = 60_000
/** A decoder above this resident memory ends after its picture: the allocator does not return it. */
const RECYCLE_ABOVE_BYTES = 130 * 1024 * 1024
/** As in child.server.ts, which only the decoder process may import. */
const BYTES_FD = 4

/** Priority of a decoder of heavy pictures (`nice`): everything else on the machine comes first. */
const NICENESS = 10

/** Output that is retained of a decoder that is not ready yet. */
const MAX_START_OUTPUT_CHARS = 8000

/**
 * Why a picture was not decoded: a limit of its process, a crash of the process, a process that never became ready
 * (`unavailable`: no fault of the picture), or a client that disconnected (`gone`).
 */
export class DecodeStopped extends Error {
  readonly why: keyof ProcessLimits | 'crash' | 'unavailable' | 'gone'
  /** Whether the process had decoded nothing before; a used one may still hold memory of earlier pictures. */
  readonly wasFresh: boolean
  constructor(why: DecodeStopped['why'], detail = '', wasFresh = false) {
    super(`The decoding of a picture stopped: ${why} ${detail}`.trim())
    this.why = why
    this.wasFresh = wasFresh
  }
}

/** Environment variables of a decoder by name. */
export type DecoderEnvironment = Readonly<Record<string, string>>

/**
 * One process that decodes one picture after another. It starts with the first picture and ends after IDLE_MS without one. Not a
 * library's worker pool: those serialise a photo of 4 MB twice, which takes as long as decoding it.
 */
export class DecoderProcess {
  readonly #entry: string
  readonly #isLowPriority: boolean
  readonly #environment: DecoderEnvironment
  #child: ChildProcess | undefined
  #idle: NodeJS.Timeout | undefined
  #isFresh = false
  #isReady = false
  /** What the process prints before it is ready. */
  #startOutput = ''
  #isClosed = false
  /** Stops the picture that is being decoded. */
  #stop: (() => void) | undefined
  isBusy = false

  /**
   * @param entry the module that the process runs: its source, or the entry of the build
   * @param isLowPriority whether other processes of the machine come first
   * @param environment its variables: it inherits none, so that it never has the operator's secrets
   */
  constructor(entry: string, isLowPriority = false, environment: DecoderEnvironment = {}) {
    this.#entry = entry
    this.#isLowPriority = isLowPriority
    this.#environment = environment
  }

  /** Id of the process, while there is one. */
  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** Decodes one picture. @throws DecodeStopped; Error where the decoder itself failed */
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
    const stopAsGone = () => end('gone')
    let onMessage: ((message: DecodeResponse | ReadyMessage) => void) | undefined
    this.#stop = stopAsGone
    signal?.addEventListener('abort', stopAsGone, { once: true })
    const endWatch = watchProcess(() => child.pid, limits, end)
    try {
      const { resident, ...decoded } = await new Promise<DecodeResponse>((resolve, reject) => {
        onMessage = (message) => message !== 'ready' && resolve(message)
        child.on('message', onMessage)
        child.once('error', (error) => reject(this.#isReady ? error : new DecodeStopped('unavailable', error.message)))
        child.once('exit', (code, killedBy) => {
          if (stopped || this.#isReady) reject(new DecodeStopped(stopped ?? 'crash', `(${killedBy ?? code})`, wasFresh))
        })
        // `close` comes after all output is read: that the process is ready, or why it failed to start.
        child.once('close', (code, killedBy) => {
          const why = this.#isReady ? 'crash' : 'unavailable'
          const cause = why === 'unavailable' ? this.#startFailure : undefined
          reject(new DecodeStopped(why, cause ?? `(${killedBy ?? code})`, wasFresh))
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
      signal?.removeEventListener('abort', stopAsGone)
      if (onMessage) child.off('message', onMessage)
      for (const event of ['error', 'exit', 'close']) child.removeAllListeners(event)
      child.on('error', () => {})
      if (child.exitCode !== null || child.signalCode !== null || child.killed) this.#forget(child)
      else this.#idleAfter(child)
      // The next picture does not wait for a process to start.
      if (stopped) this.#startReplacement()
    }
  }

  /** Starts the process and ends it. @returns why it ended by itself; null where it is ready, or the machine has no place for it now */
  async findStartFault(): Promise<string | null> {
    try {
      const child = (this.#child = this.#start())
      return await new Promise((resolve) => {
        for (const event of ['message', 'error']) child.once(event, () => resolve(null))
        child.once('close', (code, killedBy) =>
          resolve(killedBy === 'SIGKILL' ? null : (this.#startFailure ?? String(killedBy ?? code))),
        )
      })
    } catch {
      return null
    } finally {
      this.close()
    }
  }

  /** The error that the process printed before it was ready. */
  get #startFailure(): string | undefined {
    return /^\S*Error\b.*$/m.exec(this.#startOutput)?.[0]
  }

  /** Ends the process at once. None starts afterwards: it would outlive the server. */
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
      env: this.#environment,
      execArgv: ['--disable-warning=ExperimentalWarning', '--max-old-space-size=64', '--max-semi-space-size=2'],
    })
    // Also while idle: an unhandled error event would end the server.
    child.on('error', () => {})
    this.#isFresh = true
    this.#isReady = false
    this.#startOutput = ''
    // No pipes: the system is out of file descriptors.
    if (!child.stderr) throw new DecodeStopped('unavailable', 'no process could be started')
    child.on('message', (message) => {
      if (message !== 'ready' || this.#child !== child) return
      this.#isReady = true
      if (this.#startOutput) console.error(`perrario · lector de fotos: ${this.#startOutput.trim()}`)
    })
    if (this.#isLowPriority) lowerPriority(child)
    // Its output goes through our log, or a JSON log would have lines that are no JSON.
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (this.#isReady || this.#child !== child) console.error(`perrario · lector de fotos: ${text.trim()}`)
      else this.#startOutput = (this.#startOutput + text).slice(0, MAX_START_OUTPUT_CHARS)
    })
    // The process was killed while its bytes were being sent.
    child.stdio[BYTES_FD]?.on('error', () => {})
    return child
  }

  /** Marks the process idle: it keeps no program running, and ends after IDLE_MS. */
  #idleAfter(child: ChildProcess): void {
    setKeepAlive(child, false)
    child.once('exit', () => this.#forget(child))
    this.#idle = setTimeout(() => this.#end(), IDLE_MS).unref()
  }

  #startReplacement(): void {
    if (this.#isClosed || this.#child) return
    try {
      this.#child = this.#start()
      this.#idleAfter(this.#child)
    } catch {
      // The next picture tries again and reports why.
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
    // Not permitted on this system: it runs with normal priority.
  }
}

/** Sets whether the child's streams keep this program running. */
function setKeepAlive(child: ChildProcess, keepsAlive: boolean): void {
  const streams = [child.stderr, child.stdio[BYTES_FD], child.channel, child] as { ref(): void; unref(): void }[]
  for (const stream of streams) {
    if (keepsAlive) stream?.ref()
    else stream?.unref()
  }
}
