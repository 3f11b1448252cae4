import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { openServer } from '#server/connections/http-server.ts'
import { assert, suite } from '#tests/support/suites.ts'

const LIMITS = {
  headersSeconds: 60,
  requestSeconds: 60,
  connectionsPerSite: 15,
  trustProxy: false,
  unreadBytesPerSite: 0,
  maxConnections: 20,
}
const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'

const connections = suite<{ server: Server; sockets: Socket[] }>('unit/server/connections')

connections.before.each(async (t) => {
  t.sockets = []
  t.server = openServer((req, res) => {
    // A stream has no end.
    if (req.url === '/stream') res.write('x')
    else res.end('answered')
  }, LIMITS).listen(0, '127.0.0.1')
  await once(t.server, 'listening')
})
connections.after.each(async ({ server, sockets }) => {
  for (const socket of sockets) socket.destroy()
  server.closeAllConnections()
  server.close()
})

interface Client {
  socket: Socket
  /** What it was sent, until the first answer or the end. */
  answer: () => Promise<string>
}

async function open(
  { server, sockets }: { server: Server; sockets: Socket[] },
  from: string,
  send = '',
): Promise<Client> {
  const { port } = server.address() as AddressInfo
  const arrived = once(server, 'connection')
  const socket = connect({ port, host: '127.0.0.1', localAddress: from })
  sockets.push(socket)
  socket.on('error', () => {})
  const answer = new Promise<string>((resolve) => {
    socket.once('data', (chunk) => resolve(String(chunk)))
    socket.once('close', () => resolve(''))
  })
  await arrived
  if (send) socket.write(send)
  return { socket, answer: () => answer }
}

connections('when all are in use, the oldest silent one of the largest network is closed', async (t) => {
  const crowd: Client[] = []
  for (let n = 0; n < 12; n++) crowd.push(await open(t, '127.0.0.2'))
  const others: Client[] = []
  for (let n = 0; n < 8; n++) others.push(await open(t, '127.0.0.3'))
  for (let n = 0; n < 3; n++) {
    const visitor = await open(t, `127.0.0.${10 + n}`, GET)
    assert.match(await visitor.answer(), /answered/)
    assert.is(await crowd[n]!.answer(), '', 'the oldest is closed')
  }
  for (const { socket } of others) socket.write(GET)
  for (const { answer } of others) assert.match(await answer(), /answered/)
  for (const { socket } of crowd.slice(3)) socket.write(GET)
  for (const { answer } of crowd.slice(3)) assert.match(await answer(), /answered/)
})

connections('a connection with a request under way is not closed', async (t) => {
  const stream = GET.replace('/ ', '/stream ')
  const readers: Client[] = []
  for (let n = 0; n < 12; n++) readers.push(await open(t, '127.0.0.2', stream))
  for (const { answer } of readers) assert.match(await answer(), /200 OK/)
  const silent: Client[] = []
  for (let n = 0; n < 8; n++) silent.push(await open(t, '127.0.0.3'))
  assert.match(await (await open(t, '127.0.0.4', GET)).answer(), /answered/)
  assert.is(await silent[0]!.answer(), '')
  assert.ok(readers.every(({ socket }) => !socket.destroyed))
})

connections('a network has no more than its share', async (t) => {
  for (let n = 0; n < 15; n++) await open(t, '127.0.0.2')
  assert.is(await (await open(t, '127.0.0.2', GET)).answer(), '')
  assert.match(await (await open(t, '127.0.0.3', GET)).answer(), /answered/)
})

connections('large chunks of a refused body are read to its end, and the connection serves on', async (t) => {
  const size = 0x10000
  const chunk = `${size.toString(16)}\r\n${'a'.repeat(size)}\r\n`
  const { socket } = await open(t, '127.0.0.2', 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')
  let heard = ''
  socket.on('data', (data) => (heard += String(data)))
  for (let n = 0; n < 200; n++) if (!socket.write(chunk)) await once(socket, 'drain')
  socket.write(`0\r\n\r\n${GET.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')}`)
  await once(socket, 'close')
  assert.is(heard.split('answered').length - 1, 2)
})

connections('of one body 256 MB are read', async (t) => {
  const { socket } = await open(t, '127.0.0.2', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 600000000\r\n\r\n')
  const closed = new Promise((done) => socket.resume().once('close', done))
  const piece = Buffer.alloc(2 ** 20)
  let sent = 0
  while (!socket.destroyed && sent < 600) {
    sent++
    if (!socket.write(piece)) await Promise.race([new Promise((done) => socket.once('drain', done)), closed])
  }
  await closed
  // What the kernel holds on its way counts as sent.
  assert.ok(sent >= 256 && sent < 300, `${sent} MB`)
})
