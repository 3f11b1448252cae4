import { type ChildProcess, fork } from 'node:child_process'
import type { Writable } from 'node:stream'
import { join } from 'node:path'
import type { ChildAnswer, ChildQuestion } from './child.server.ts'
import type { Decoded, DecodeTask } from './tasks.server.ts'
import { type Limits, watchProcess } from './watch.server.ts'

/** A decoder that nobody has needed for so long ends, ms. */
const IDLE_MS = 60_000
/** Above this a decoder does not give back what it took: it ends after its picture, bytes. */
const RECYCLED_ABOVE = 130 * 1024 * 1024
/** As in child.server.ts, which only its own process may load. */
const BYTES_FD = 4

/** Why a picture came to nothing: a limit of its process, a process that ended by itself, or a sender who is gone. */
export class DecodeStopped extends Error {
  readonly why: keyof Limits | 'crash' | 'gone'
  constructor(why: DecodeStopped['why'], detail = '') {
    super(`The decoding of a picture stopped: ${why} ${detail}`.trim())
    this.why = why
  }
}

/** The environment of a decoder: where to find things and how to use memory, none of the operator's secrets. */
const SHARED = ['PATH', 'NODE_COMPILE_CACHE', 'MALLOC_ARENA_MAX', 'MALLOC_MMAP_THRESHOLD_', 'SystemRoot']
const environment = () =>
  Object.fromEntries(SHARED.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])))

/**
 * One process that decodes one picture after another. It begins with the first and ends when none have come for a while. Not a
 * pool of a library: those serialise a photo of 4 MB twice on its way, which takes as long as decoding it.
 */
export class DecodeSlot {
  readonly #folder: string
  #child: ChildProcess | undefined
  #idle: NodeJS.Timeout | undefined
  #isClosed = false
  /** Stops what is being decoded. */
  #stop: (() => void) | undefined
  isBusy = false

  /** @param folder where the sources of decoders lie: a bundle has no file for a process to begin with */
  constructor(folder: string) {
    this.#folder = folder
  }

  /** The process, while there is one. */
  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** @throws DecodeStopped */
  async run({ bytes, ...task }: DecodeTask, limits: Limits, signal?: AbortSignal): Promise<Decoded> {
    if (this.#isClosed || signal?.aborted) throw new DecodeStopped('gone')
    clearTimeout(this.#idle)
    const child = (this.#child ??= this.#start())
    hold(child, true)
    let stopped: DecodeStopped['why'] | undefined
    const end = (why: DecodeStopped['why']) => {
      stopped ??= why
      child.kill('SIGKILL')
    }
    const gone = () => end('gone')
    this.#stop = gone
    signal?.addEventListener('abort', gone, { once: true })
    const endWatch = watchProcess(() => child.pid, limits, end)
    try {
      const { resident, ...decoded } = await new Promise<ChildAnswer>((resolve, reject) => {
        child.once('message', resolve)
        child.once('error', reject)
        child.once('exit', (code, by) => reject(new DecodeStopped(stopped ?? 'crash', `(${by ?? code})`)))
        child.send({ length: bytes.length, task } satisfies ChildQuestion, () => {})
        ;(child.stdio[BYTES_FD] as Writable).write(bytes)
      })
      if (resident > RECYCLED_ABOVE) this.#end()
      if ('failed' in decoded) throw new Error(decoded.failed)
      return decoded
    } finally {
      endWatch()
      this.#stop = undefined
      signal?.removeEventListener('abort', gone)
      for (const event of ['message', 'error', 'exit']) child.removeAllListeners(event)
      child.on('error', () => {})
      if (child.exitCode !== null || child.signalCode !== null || child.killed) this.#forget(child)
      else this.#rest(child)
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
    const child = fork(join(this.#folder, 'child.server.ts'), {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc', 'pipe'],
      env: environment(),
      execArgv: ['--disable-warning=ExperimentalWarning', '--max-old-space-size=64', '--max-semi-space-size=2'],
    })
    // What it prints goes the way of our own words, or a log of JSON would have lines that are none.
    child.stderr!.setEncoding('utf8').on('data', (text: string) => console.error(`decoder: ${text.trim()}`))
    // It was killed while its bytes were on their way.
    child.stdio[BYTES_FD]!.on('error', () => {})
    return child
  }

  /** Nothing is asked of it: it keeps no program running, and ends after a while. */
  #rest(child: ChildProcess): void {
    hold(child, false)
    child.once('exit', () => this.#forget(child))
    this.#idle = setTimeout(() => this.#end(), IDLE_MS).unref()
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

/** Whether this program goes on until the child has answered. */
function hold(child: ChildProcess, isHeld: boolean): void {
  const streams = [child.stderr, child.stdio[BYTES_FD], child.channel, child] as { ref(): void; unref(): void }[]
  for (const stream of streams) {
    if (isHeld) stream?.ref()
    else stream?.unref()
  }
}
