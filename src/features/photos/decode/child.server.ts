/**
 * Entry of the decoder process (decoder-process.server.ts): untrusted bytes are decoded only here. The process may be killed at
 * any moment, keeps no state between two pictures, and has access to neither the database nor any secret of the environment.
 */
import { readSync, writeFileSync } from 'node:fs'
import sharp from 'sharp'
import { runDecodeTask, type DecodeResult, type DecodeTask } from './tasks.server.ts'

/** What one picture may take of the process. */
export interface ProcessLimits {
  /** Resident memory, bytes. */
  resident: number
  /** Processor time, ms: a busy machine does not refuse what an idle one accepts. */
  cpu: number
  /** Wall-clock time, ms: catches what hangs. The server watches it. */
  wall: number
}

/** A message of the IPC channel. The picture's bytes come through a pipe of their own: serialised they would take ten times as long. */
export type DecodeRequest = { length: number; task: Omit<DecodeTask, 'bytes'>; limits: ProcessLimits }
export type DecodeResponse = (DecodeResult | { failed: string }) & {
  /** Resident memory of the process afterwards, bytes. */
  resident: number
}
/** `ready` is the first message: a process that ends before it fails through no fault of a picture. `exceeded` is the last. */
export type DecoderMessage = 'ready' | { exceeded: keyof ProcessLimits } | DecodeResponse

/** File descriptor of the pipe, after the three standard streams and the IPC channel. */
const BYTES_FD = 4
/** A process allocates half a megabyte a millisecond at most. */
const CHECK_INTERVAL_MS = 20

// A terminal and systemd signal the whole process group: the server finishes what is in flight and then ends this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.on('disconnect', () => process.exit())

// Where the machine itself runs out of memory, the kernel takes this process and not the server. Linux only.
try {
  writeFileSync('/proc/self/oom_score_adj', '900')
} catch {}

// Only the loaders of the accepted formats, whatever sniffing a file's first bytes returned.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadWebpBuffer',
    'VipsForeignLoadHeifBuffer',
    'VipsForeignLoadNsgifBuffer',
  ],
})

/** The next `length` bytes of the pipe. Blocks: this process does nothing else, and an event loop turn for each chunk costs time. */
function readBytes(length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  for (let at = 0; at < length;) {
    const count = readSync(BYTES_FD, bytes, at, length - at, null)
    if (count === 0) process.exit()
    at += count
  }
  return bytes
}

const send = (message: DecoderMessage, sent = () => {}) => process.send?.(message, sent)

/** Ends the process above its limits: libvips works in other threads, and no limit of V8 reaches it. @returns the watch, to be cleared */
function watchUsage({ resident, cpu }: ProcessLimits): NodeJS.Timeout {
  const start = process.cpuUsage()
  const watch = setInterval(() => {
    const { user, system } = process.cpuUsage(start)
    const exceeded = process.memoryUsage.rss() > resident ? 'resident' : (user + system) / 1000 > cpu ? 'cpu' : null
    if (!exceeded) return
    clearInterval(watch)
    send({ exceeded }, () => process.kill(process.pid, 'SIGKILL'))
  }, CHECK_INTERVAL_MS)
  return watch
}

process.on('message', async ({ length, task, limits }: DecodeRequest) => {
  const bytes = readBytes(length)
  const watch = watchUsage(limits)
  const result = await runDecodeTask({ ...task, bytes } as DecodeTask).catch((error: Error) => ({
    failed: String(error.stack),
  }))
  clearInterval(watch)
  send({ ...result, resident: process.memoryUsage.rss() })
})

send('ready')
