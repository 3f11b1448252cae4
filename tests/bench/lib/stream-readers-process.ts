// The process that stream-readers.ts starts.
import { connect } from 'node:net'
import type { StreamOrder } from './stream-readers.ts'

const OPENED_AT_ONCE = 50

/** A bare socket: a reader that parses would cost many times as much. */
const openStream = (port: number, cookie: string): Promise<void> =>
  new Promise((done, fail) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(`GET /api/events HTTP/1.1\r\nHost: x\r\nCookie: ${cookie}\r\n\r\n`),
    )
    socket.once('error', fail)
    socket.once('data', () => done())
    socket.on('data', () => {})
  })

process.once('message', async ({ port, cookies }: StreamOrder) => {
  for (let n = 0; n < cookies.length; n += OPENED_AT_ONCE)
    await Promise.all(cookies.slice(n, n + OPENED_AT_ONCE).map((cookie) => openStream(port, cookie)))
  process.send!('open')
})
