import { type ChildProcess, fork } from 'node:child_process'
import type { Writable } from 'node:stream'
import type { DecodeRequest, DecodeResponse, DecoderMessage, ProcessLimits } from './child.server.ts'
import type { DecodeResult, DecodeTask } from './tasks.server.ts'

/** A decoder that has been idle this long ends. */
const IDLE_MS = 60_000
/** A decoder above this resident memory ends after its picture: the allocator does not return it. */
const RECYCLE_ABOVE_BYTES = 130 * 1024 * 1024
/** As in child.server.ts, which only the decoder process may import. */
const BYTES_FD = 4
/** Output that is retained of a decoder that is not ready yet. */
const MAX_START_OUTPUT_CHARS = 8000

/**
 * Why a picture was not decoded: a limit of its process, a crash of the process, a process that never became ready
 * (`unavailable`: no fault of the picture), or a client that disconnected (`gone`).
 */
export class DecodeStopped extends Error {
  readonly why: keyof ProcessLimits | 'crash' | 'unavailable' | 'gone'
  /** Whether the picture may pass in another process: this one was ended from outside, or still held memory of earlier pictures. */
  readonly mayPass: boolean
  constructor(why: DecodeStopped['why'], detail = '', wasFresh = true) {
    super(`The decoding of a picture stopped: ${why} ${detail}`.trim())
    this.why = why
    this.mayPass = why === 'crash' || why === 'unavailable' || (why === 'resident' && !wasFresh)
  }
}

/** Environment variables of a decoder by name. */
export type DecoderEnvironment = Readonly<Record<string, string>>

interface Decoder {
  process: ChildProcess
  /** It has decoded nothing yet. */
  isFresh: boolean
  isReady: boolean
  /** What it prints before it is ready. */
  output: string
  /** Why it is being ended. */
  stopped: DecodeStopped['why'] | undefined
  /** Answers whoever waits for its picture. */
  settle: (outcome: DecodeResponse | DecodeStopped) => void
}

/**
 * One process that decodes one picture after another. It starts with the first picture and ends after IDLE_MS without one. Not a
 * library's worker pool: those serialise a photo of 4 MB twice, which takes as long as decoding it.
 */
export class DecoderProcess {
  readonly #entry: string
  readonly #environment: DecoderEnvironment
  #current: Decoder | undefined
  #idle: NodeJS.Timeout | undefined
  #isClosed = false

  /**
   * @param entry the module that the process runs: its source, or the entry of the build
   * @param environment its variables: it inherits none, so that it never has the operator's secrets
   */
  constructor(entry: string, environment: DecoderEnvironment = {}) {
    this.#entry = entry
    this.#environment = environment
  }

  /** Id of the process, while there is one. */
  get pid(): number | undefined {
    return this.#current?.process.pid
  }

  /** Decodes one picture. @throws DecodeStopped; Error where the decoder itself failed */
  async run({ bytes, ...task }: DecodeTask, limits: ProcessLimits, signal?: AbortSignal): Promise<DecodeResult> {
    if (this.#isClosed || signal?.aborted) throw new DecodeStopped('gone')
    clearTimeout(this.#idle)
    const decoder = (this.#current ??= this.#start())
    setKeepAlive(decoder.process, true)
    const stopAsGone = () => this.#end('gone')
    signal?.addEventListener('abort', stopAsGone, { once: true })
    const overdue = setTimeout(() => this.#end('wall'), limits.wall)
    try {
      const answer = new Promise<DecodeResponse | DecodeStopped>((resolve) => (decoder.settle = resolve))
      decoder.process.send({ length: bytes.length, task, limits } satisfies DecodeRequest, () => {})
      ;(decoder.process.stdio[BYTES_FD] as Writable).write(bytes)
      const decoded = await answer
      if (decoded instanceof DecodeStopped) throw decoded
      if (decoded.resident > RECYCLE_ABOVE_BYTES) this.#end('gone')
      if ('failed' in decoded) throw new Error(decoded.failed)
      const { resident: _, ...result } = decoded
      return result
    } finally {
      clearTimeout(overdue)
      signal?.removeEventListener('abort', stopAsGone)
      decoder.isFresh = false
      if (this.#current === decoder) this.#idleAfter(decoder)
      else this.#startReplacement()
    }
  }

  /** Starts the process and ends it. @returns why it ended by itself; null where it is ready, or the machine has no place for it now */
  async findStartFault(): Promise<string | null> {
    try {
      const decoder = (this.#current = this.#start())
      return await new Promise((resolve) => {
        for (const event of ['message', 'error']) decoder.process.once(event, () => resolve(null))
        decoder.process.once('close', (code, killedBy) =>
          resolve(killedBy === 'SIGKILL' ? null : (findError(decoder) ?? String(killedBy ?? code))),
        )
      })
    } catch {
      return null
    } finally {
      this.close()
    }
  }

  /** Ends the process at once. None starts afterwards: it would outlive the server. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#idle)
    this.#end('gone')
  }

  #start(): Decoder {
    const child = fork(this.#entry, {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc', 'pipe'],
      env: this.#environment,
      execArgv: ['--disable-warning=ExperimentalWarning', '--max-old-space-size=64', '--max-semi-space-size=2'],
    })
    const decoder: Decoder = {
      process: child,
      isFresh: true,
      isReady: false,
      output: '',
      stopped: undefined,
      settle: () => {},
    }
    // Also while idle: an unhandled error event would end the server.
    child.on('error', (error) => {
      if (!decoder.isReady) decoder.settle(new DecodeStopped('unavailable', error.message))
    })
    // No pipes: the system is out of file descriptors.
    if (!child.stderr) throw new DecodeStopped('unavailable', 'no process could be started')
    child.on('message', (message: DecoderMessage) => {
      if (message === 'ready') {
        decoder.isReady = true
        if (decoder.output) console.error(`perrario · lector de fotos: ${decoder.output.trim()}`)
      } else if ('exceeded' in message) decoder.stopped ??= message.exceeded
      else decoder.settle(message)
    })
    // `close` comes after all messages and output are read: that the process is ready, or why it failed to start.
    child.on('close', (code, killedBy) => {
      if (this.#current === decoder) this.#current = undefined
      const why = decoder.stopped ?? (decoder.isReady ? 'crash' : 'unavailable')
      const cause = why === 'unavailable' ? findError(decoder) : undefined
      decoder.settle(new DecodeStopped(why, cause ?? `(${killedBy ?? code})`, decoder.isFresh))
    })
    // Its output goes through our log, or a JSON log would have lines that are no JSON.
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (decoder.isReady) console.error(`perrario · lector de fotos: ${text.trim()}`)
      else decoder.output = (decoder.output + text).slice(0, MAX_START_OUTPUT_CHARS)
    })
    // The process was killed while its bytes were being sent.
    child.stdio[BYTES_FD]?.on('error', () => {})
    return decoder
  }

  /** Keeps the process, which keeps no program running, and ends it after IDLE_MS. */
  #idleAfter(decoder: Decoder): void {
    setKeepAlive(decoder.process, false)
    this.#idle = setTimeout(() => this.#end('gone'), IDLE_MS).unref()
  }

  /** Starts the process of the next picture, which so does not wait for it. */
  #startReplacement(): void {
    if (this.#isClosed) return
    try {
      this.#idleAfter((this.#current = this.#start()))
    } catch {
      // The next picture tries again and reports why.
    }
  }

  #end(why: DecodeStopped['why']): void {
    const decoder = this.#current
    this.#current = undefined
    if (!decoder) return
    decoder.stopped ??= why
    decoder.process.kill('SIGKILL')
  }
}

/** The error that the process printed before it was ready. */
const findError = ({ output }: Decoder): string | undefined => /^\S*Error\b.*$/m.exec(output)?.[0]

/** Sets whether the child's streams keep this program running. */
function setKeepAlive(child: ChildProcess, keepsAlive: boolean): void {
  const streams = [child.stderr, child.stdio[BYTES_FD], child.channel, child] as { ref(): void; unref(): void }[]
  for (const stream of streams) {
    if (keepsAlive) stream?.ref()
    else stream?.unref()
  }
}
