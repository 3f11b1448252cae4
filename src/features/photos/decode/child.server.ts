/**
 * What runs in the decoders' processes (slot.server.ts): bytes from outside are decoded here and nowhere else. It may be killed at
 * any moment, holds nothing between two pictures, and knows neither the database nor any secret of the environment.
 */
import { readSync, writeFileSync } from 'node:fs'
import sharp from 'sharp'
import { runDecodeTask, type DecodeResult, type DecodeTask } from './tasks.server.ts'

/** What is asked; the picture's bytes come beside it, through a pipe of their own: serialised they would take ten times as long. */
export type DecodeRequest = { length: number; task: Omit<DecodeTask, 'bytes'> }
export type DecodeResponse = (DecodeResult | { failed: string }) & {
  /** What the process holds afterwards, bytes. */
  resident: number
}
/** The first message: whatever ends the process before it is no fault of a picture. */
export type ReadyMessage = 'ready'
/** Where the bytes come in: behind the three standard streams and the channel of questions. */
const BYTES_FD = 4

// A terminal and systemd tell the whole group to end: the server lets what is in flight finish and then ends this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.on('disconnect', () => process.exit())

// Where the machine itself runs out of memory, the kernel takes this process and not the server. Linux only.
try {
  writeFileSync('/proc/self/oom_score_adj', '900')
} catch {}

// The loaders of the formats that we take, and no other, whatever a file's first bytes led us to believe.
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

/** The next `length` bytes of the pipe. Waits for them: there is nothing else to do here, and a turn of the loop for each piece costs. */
function readBytes(length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  for (let at = 0; at < length;) {
    const count = readSync(BYTES_FD, bytes, at, length - at, null)
    if (count === 0) process.exit()
    at += count
  }
  return bytes
}

process.on('message', async ({ length, task }: DecodeRequest) => {
  const bytes = readBytes(length)
  const answered = await runDecodeTask({ ...task, bytes } as DecodeTask).catch((error: Error) => ({
    failed: String(error.stack),
  }))
  process.send!({ ...answered, resident: process.memoryUsage.rss() } satisfies DecodeResponse)
})

process.send!('ready' satisfies ReadyMessage)
