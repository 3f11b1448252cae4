import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { withUnreadLimit } from '#server/connections/unread-answers.ts'
import { assert, suite } from '#tests/support/suites.ts'

/** Far more than sockets and kernel take from a server whose reader stands still. */
const BODY = Buffer.alloc(20_000_000)
const MAX_WAIT_MS = 60_000

const unread = suite('unit/server/unread-answers')

/** One end of a connection each. */
interface Pair {
  client: Socket
  server: Socket
}

interface World {
  /** Asks for `path`; answers once it has been answered, read or not. */
  open: (path: string, network?: string) => Promise<Pair>
}

/** A server whose answers are measured; its clients and itself are gone after `work`, however that ends. */
async function withMeasuredServer(
  { bytes = 0, stallMs = 10 * MAX_WAIT_MS }: { bytes?: number; stallMs?: number },
  work: (world: World) => Promise<void>,
): Promise<void> {
  const ServerResponse = withUnreadLimit({ unreadBytesPerSite: bytes, trustProxy: true }, stallMs)
  const server = createServer({ ServerResponse }, (req, res) => {
    res.end(req.url === '/large' ? BODY : 'hola')
    server.emit('answered')
  }).listen(0, '127.0.0.1')
  const clients: Socket[] = []
  const open = async (path: string, network = '192.0.2.1'): Promise<Pair> => {
    const accepted = once(server, 'connection') as Promise<[Socket]>
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
    clients.push(client)
    const [socket] = await accepted
    const answered = once(server, 'answered')
    client.pause().write(`GET ${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${network}\r\n\r\n`)
    await answered
    return { client, server: socket }
  }
  const timer = new AbortController()
  const late = sleep(MAX_WAIT_MS, undefined, { signal: timer.signal }).then(() =>
    assert.unreachable('nothing came of it'),
  )
  try {
    await once(server, 'listening')
    await Promise.race([work({ open }), late])
  } finally {
    timer.abort()
    late.catch(() => {})
    for (const client of clients) client.destroy()
    server.closeAllConnections()
    server.close()
  }
}

/** Waits for the end of a socket, by an error or without. */
const closed = (socket: Socket): Promise<void> =>
  new Promise((done) => (socket.closed ? done() : socket.once('close', () => done())))

/** How much of `BODY` came: all of it, or what came until the connection ended. */
async function readAll(client: Socket): Promise<number> {
  let read = 0
  client.on('data', (chunk) => {
    read += chunk.length
    if (read >= BODY.length) client.destroy()
  })
  client.resume()
  await closed(client)
  return Math.min(read, BODY.length)
}

unread('a client that stops reading is disconnected', () =>
  withMeasuredServer({ stallMs: 120 }, async ({ open }) => {
    const stuck = await open('/large')
    await closed(stuck.server)
    assert.ok((await readAll(stuck.client)) < BODY.length)
  }),
)

unread('a client that reads, or waits for its next request, stays connected', () =>
  // Ten seconds: longer than a loaded machine keeps a reader waiting.
  withMeasuredServer({ stallMs: 10_000 }, async ({ open }) => {
    const idle = await open('/small')
    idle.client.resume()
    assert.is(await readAll((await open('/large')).client), BODY.length)
    assert.not.ok(idle.client.destroyed)
  }),
)

unread('a client waiting for its next request is not taken for a stalled one', () =>
  withMeasuredServer({ stallMs: 120 }, async ({ open }) => {
    const idle = await open('/small')
    idle.client.resume()
    await once(idle.client, 'data')
    // One who is cut after as long, and is a connection younger.
    const stuck = await open('/large')
    await closed(stuck.server)
    assert.not.ok(idle.server.destroyed)
  }),
)

const alive = (pairs: readonly Pair[]) => pairs.map(({ server }) => !server.destroyed)

unread('of a network with too many unread bytes the longest stalled client is disconnected, and none of another', () =>
  withMeasuredServer({ bytes: 50_000_000 }, async ({ open }) => {
    const other = await open('/large', '192.0.2.2')
    const crowd: Pair[] = []
    for (let n = 0; n < 4; n++) crowd.push(await open('/large'))
    assert.equal(alive(crowd), [false, false, true, true])
    assert.equal(alive([other]), [true])
  }),
)

unread('the networks of one IPv6 site count together', () =>
  withMeasuredServer({ bytes: 50_000_000 }, async ({ open }) => {
    const crowd: Pair[] = []
    for (let n = 0; n < 4; n++) crowd.push(await open('/large', `2001:db8:1:${n}::1`))
    assert.equal(alive(crowd), [false, false, true, true])
  }),
)

unread('when the total is exceeded the largest networks are disconnected, each keeping its newest client', () =>
  withMeasuredServer({ bytes: 50_000_000 }, async ({ open }) => {
    const networks = ['192.0.2.1', '192.0.2.2', '192.0.2.3']
    const crowds = await Promise.all(networks.map(async (): Promise<Pair[]> => []))
    for (const [n, network] of networks.entries())
      for (let count = 0; count < 2; count++) crowds[n]!.push(await open('/large', network))
    assert.equal(
      crowds.map((crowd) => alive(crowd).at(-1)),
      [true, true, true],
    )
  }),
)
