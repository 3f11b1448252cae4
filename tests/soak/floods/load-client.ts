/**
 * The side that sends too much, as a process of its own, so that whoever measures is not held up by it:
 * `node tests/soak/floods/load-client.ts slow URL 2000` or `flood URL 600`. Ends when its stdin does, and then says what it did.
 */
import { Agent, get } from 'node:http'
import { connect, type Socket } from 'node:net'

const [kind, url, number] = process.argv.slice(2) as [string, string, string]
const amount = Number(number)
const { port, hostname } = new URL(url)
const counts = { sent: 0, cut: 0, answered: 0, refused: 0, failed: 0 }

/** What each kind of dawdler says first, and then drop by drop; who reads slowly never reads on. */
const SLOW_CLIENTS = [
  { first: 'GET /perros HTTP/1.1\r\nHost: x\r\n', drop: 'X-A: b\r\n', reads: true },
  {
    first:
      'POST /api/auth/magic-link HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{',
    drop: ' ',
    reads: true,
  },
  {
    first:
      'POST /api/dogs HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=x\r\nTransfer-Encoding: chunked\r\n\r\n',
    drop: '1\r\nx\r\n',
    reads: true,
  },
  { first: 'GET /razas HTTP/1.1\r\nHost: x\r\nAccept-Encoding: identity\r\n\r\n'.repeat(20), drop: '', reads: false },
]
const DROP_INTERVAL_MS = 4000

const sockets = new Map<Socket, string>()

/** A dawdler, and another one as soon as it is cut. */
function openSlowClient(n: number): void {
  const { first, drop, reads } = SLOW_CLIENTS[n % SLOW_CLIENTS.length]!
  const socket = connect(Number(port), hostname)
  sockets.set(socket, drop)
  counts.sent++
  socket.on('connect', () => socket.write(first))
  if (reads) socket.resume()
  else socket.pause()
  socket.on('error', () => {})
  socket.on('close', () => {
    sockets.delete(socket)
    counts.cut++
    if (!isEnding) setTimeout(openSlowClient, 250, n)
  })
}

let isEnding = false
process.stdin.resume().on('end', () => {
  isEnding = true
  process.stdout.write(`${JSON.stringify(counts)}\n`, () => process.exit(0))
})

if (kind === 'slow') {
  for (let n = 0; n < amount; n++) setTimeout(openSlowClient, n, n)
  setInterval(() => {
    for (const [socket, drop] of sockets) if (drop && socket.writable) socket.write(drop)
  }, DROP_INTERVAL_MS)
} else {
  const agent = new Agent({ keepAlive: true, maxSockets: 48 })
  const ask = (path: string) => {
    counts.sent++
    get({ host: hostname, port, path, agent }, (res) => {
      if (res.statusCode! < 400) counts.answered++
      else if (res.statusCode === 429) counts.refused++
      else counts.failed++
      res.resume()
    }).on('error', () => void counts.failed++)
  }
  const paths = process.argv.slice(5)
  let due = performance.now()
  setInterval(() => {
    // As many as are due, whether or not earlier ones were answered.
    for (const now = performance.now(); due < now; due += 1000 / amount) ask(paths[counts.sent % paths.length]!)
  }, 10)
}
process.stdout.write('lista\n')
