import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { pinToCpu } from './interleaved.ts'

/** What the process of the readers is sent: a stream for each cookie. */
export interface StreamOrder {
  port: number
  cookies: readonly string[]
}

export interface StreamReaders {
  close: () => void
}

/**
 * Opens event streams in a process of its own, which reads and drops what they are sent. It gives way to the process that measures: fifty
 * thousand messages a second would hold up the answers that are being timed there.
 * @param cpu the processor of that process
 */
export async function openStreams(order: StreamOrder, cpu: number): Promise<StreamReaders> {
  const readers = fork(new URL('stream-readers-process.ts', import.meta.url))
  pinToCpu(readers.pid!, cpu)
  setPriority(readers.pid!, 10)
  readers.send(order)
  // Either all are open, or the process has ended with its error printed.
  const [opened] = await Promise.race([once(readers, 'message'), once(readers, 'exit')])
  if (opened !== 'open') throw new Error('the streams could not be opened')
  return { close: () => void readers.kill() }
}
