import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { closeStalledSockets } from '#server/connections/idle-sockets.ts'

/** Far more than sockets and kernel take from a server whose reader stands still. */
const BODY = Buffer.alloc(20_000_000)
const CHECK_INTERVAL_MS = 40
const MAX_WAIT_MS = 60_000

const idleSockets = suite('stalled readers')

/** One end of a connection each. */
interface Pair {
  client: Socket
  server: Socket
}

/** A server under watch; its clients and itself are gone after `work`, however that ends. */
async function withWatchedServer(
  looks: number,
  work: (open: (path: string) => Promise<Pair>) => Promise<void>,
): Promise<void> {
  const server = createServer((req, res) => void res.end(req.url === '/large' ? BODY : 'hola')).listen(0, '127.0.0.1')
  const stop = closeStalledSockets(server, CHECK_INTERVAL_MS, looks)
  const clients: Socket[] = []
  const open = async (path: string): Promise<Pair> => {
    const accepted = once(server, 'connection') as Promise<[Socket]>
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
    clients.push(client)
    const [socket] = await accepted
    client.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
    return { client, server: socket }
  }
  const timer = new AbortController()
  const late = sleep(MAX_WAIT_MS, undefined, { signal: timer.signal }).then(() =>
    assert.unreachable('nothing came of it'),
  )
  try {
    await once(server, 'listening')
    await Promise.race([work(open), late])
  } finally {
    timer.abort()
    late.catch(() => {})
    stop()
    for (const client of clients) client.destroy()
    server.closeAllConnections()
    server.close()
  }
}

/** How much of `BODY` came: all of it, or what came until the connection ended. */
async function readAll(client: Socket): Promise<number> {
  let read = 0
  client.on('data', (chunk) => {
    read += chunk.length
    if (read >= BODY.length) client.destroy()
  })
  client.resume()
  if (!client.closed) await once(client, 'close')
  return Math.min(read, BODY.length)
}

idleSockets('who takes nothing is cut', () =>
  withWatchedServer(3, async (open) => {
    const stuck = await open('/large')
    stuck.client.pause()
    if (!stuck.server.closed) await once(stuck.server, 'close')
    assert.ok((await readAll(stuck.client)) < BODY.length)
  }),
)

idleSockets('who reads, or waits for the next request, stays', () =>
  // Ten seconds: longer than a loaded machine keeps a reader waiting.
  withWatchedServer(250, async (open) => {
    const idle = await open('/small')
    idle.client.resume()
    assert.is(await readAll((await open('/large')).client), BODY.length)
    assert.not.ok(idle.client.destroyed)
  }),
)

idleSockets('who waits for the next request is not taken for one who takes nothing', () =>
  withWatchedServer(3, async (open) => {
    const idle = await open('/small')
    await once(idle.client, 'data')
    // One who is cut after as many looks, and is a connection younger.
    const stuck = await open('/large')
    stuck.client.pause()
    if (!stuck.server.closed) await once(stuck.server, 'close')
    assert.not.ok(idle.server.destroyed)
  }),
)

idleSockets.run()
