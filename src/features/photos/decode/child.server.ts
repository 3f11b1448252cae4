/**
 * Entry of the decoder processes (decoder-process.server.ts): untrusted bytes are decoded only here. The process may be killed at
 * any moment, keeps no state between two pictures, and has access to neither the database nor any secret of the environment.
 */
import { readSync, writeFileSync } from 'node:fs'
import sharp from 'sharp'
import { runDecodeTask, type DecodeResult, type DecodeTask } from './tasks.server.ts'

/** A message of the IPC channel. The picture's bytes come through a pipe of their own: serialised they would take ten times as long. */
export type DecodeRequest = { length: number; task: Omit<DecodeTask, 'bytes'> }
export type DecodeResponse = (DecodeResult | { failed: string }) & {
  /** Resident memory of the process afterwards, bytes. */
  resident: number
}
/** The first message: a process that ends before it fails through no fault of a picture. */
export type ReadyMessage = 'ready'
/** File descriptor of the pipe, after the three standard streams and the IPC channel. */
const BYTES_FD = 4

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

const send = (message: DecodeResponse | ReadyMessage) => process.send?.(message)

process.on('message', async ({ length, task }: DecodeRequest) => {
  const bytes = readBytes(length)
  const result = await runDecodeTask({ ...task, bytes } as DecodeTask).catch((error: Error) => ({
    failed: String(error.stack),
  }))
  send({ ...result, resident: process.memoryUsage.rss() })
})

send('ready')
