import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { cutStalled } from '#server/stalled.ts'

const stalled = suite('stalled readers')

stalled('who takes nothing is cut, who reads or waits for the next request stays', async () => {
  const body = Buffer.alloc(20_000_000)
  const server = createServer((req, res) => void res.end(req.url === '/large' ? body : 'hola')).listen(0, '127.0.0.1')
  const stop = cutStalled(server, 40, 3)
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const open = async (path: string) => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    await once(socket, 'connect')
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
    return socket
  }
  const idle = await open('/small')
  idle.resume()
  const stuck = await open('/large')
  stuck.pause()
  const reader = await open('/large')
  let read = 0
  reader.on('data', (chunk) => (read += chunk.length))
  while ((await new Promise<number>((done, fail) => server.getConnections((e, n) => (e ? fail(e) : done(n))))) > 2)
    await new Promise((done) => setTimeout(done, 20))
  while (read < body.length) await new Promise((done) => setTimeout(done, 20))
  assert.not.ok(idle.destroyed)
  for (const socket of [idle, stuck, reader]) socket.destroy()
  stop()
  server.close()
})

stalled.run()
