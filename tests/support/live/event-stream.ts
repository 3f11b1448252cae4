import { get, type IncomingMessage } from 'node:http'
import type { Json } from '#tests/support/api.ts'

export interface StreamEvent {
  type: string
  id: number
  data: Json
}

/** A reader of /api/events as a browser is one, with the events it has heard so far (heartbeats aside). */
export interface StreamReader {
  told: StreamEvent[]
  /** The last number heard, heartbeats included: what a browser would name when it comes back. */
  lastId: () => number
  /** Resolves once `enough` says so of what was heard. @throws after ten seconds */
  until: (enough: (told: StreamEvent[]) => boolean) => Promise<StreamEvent[]>
  response: IncomingMessage
  /** Hangs up. */
  close: () => void
  /** Resolves when the server ends or cuts the stream. */
  ended: Promise<void>
}

/** Opens a stream and waits for its first heartbeat: what is published from then on is heard. */
export async function openEventStream(url: string, headers: Record<string, string> = {}): Promise<StreamReader> {
  const request = get(url, { headers })
  const response = await new Promise<IncomingMessage>((done, fail) => request.on('response', done).on('error', fail))
  if (response.statusCode !== 200) throw new Error(`events answered ${response.statusCode}`)
  const told: StreamEvent[] = []
  let last = 0
  let rest = ''
  const state = { begun: false }
  response.setEncoding('utf8')
  response.on('data', (chunk: string) => {
    const blocks = (rest + chunk).split('\n\n')
    rest = blocks.pop()!
    for (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
      const type = field('event')
      if (!type) continue
      last = Number(field('id'))
      if (type === 'ping') state.begun = true
      else told.push({ type, id: last, data: JSON.parse(field('data')!) })
    }
  })
  const ended = new Promise<void>((done) => response.on('close', done).on('error', () => done()))
  const until = async (enough: (told: StreamEvent[]) => boolean) => {
    for (const start = Date.now(); !enough(told);) {
      if (Date.now() - start > 10_000) throw new Error(`Only heard ${JSON.stringify(told.slice(-5))}`)
      await new Promise((done) => setTimeout(done, 10))
    }
    return told
  }
  const reader = { told, lastId: () => last, until, response, close: () => void request.destroy(), ended }
  for (const start = Date.now(); !state.begun;) {
    if (Date.now() - start > 10_000) throw new Error('No heartbeat came')
    await new Promise((done) => setTimeout(done, 5))
  }
  return reader
}
