import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { call } from '#tests/support/api.ts'
import { signInMember } from '#tests/support/members.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

export const SLOW_HEADERS = 'GET /perros HTTP/1.1\r\nHost: x\r\n'
export const SLOW_BODY =
  'POST /api/auth/magic-link HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{'
const SLOW_UPLOAD =
  'POST /api/dogs HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=x\r\nTransfer-Encoding: chunked\r\n\r\n'

/** How often a few bytes more are sent, ms. */
const SEND_EVERY_MS = 300
/** By then the server must have cut everybody, ms: its own limits are 3 and 4 s. */
const CUT_WITHIN_MS = 60_000
const OPEN_FILES_MAX = 200

/** A connection that has sent `text`, with what it was answered. */
export async function openConnection(
  server: TestServer,
  text: string,
): Promise<{ socket: Socket; answer: () => string; end: Promise<void> }> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  let answer = ''
  socket.setEncoding('utf8').on('data', (chunk) => (answer += chunk))
  socket.on('error', () => {})
  const end = new Promise<void>((done) => socket.on('close', () => done()))
  await once(socket, 'connect')
  socket.write(text)
  return { socket, answer: () => answer, end }
}

/** Sends a few bytes again and again until the other side has enough. */
function sendSlowly(socket: Socket, text: string): void {
  const timer = setInterval(() => (socket.writable ? socket.write(text) : clearInterval(timer)), SEND_EVERY_MS)
  socket.on('close', () => clearInterval(timer))
}

export interface SlowReport {
  connections: number
  /** Until the last of them was cut, s. */
  seconds: number
  /** Files and sockets that the server has open afterwards. */
  openFiles: number
  /** Must stay empty. */
  failures: string[]
}

/** Opens `pairs` connections whose headers never end and as many whose bodies never do; pages must go on, and all be cut. */
export async function openSlowConnections(pairs: number): Promise<SlowReport> {
  const server = await startServer({ HEADERS_SECONDS: '3', REQUEST_SECONDS: '4' })
  const failures: string[] = []
  const visit = async (path: string, cookie?: string) => {
    const { status } = await call(server, path, { cookie })
    if (status !== 200) failures.push(`${path} answered ${status}`)
  }
  try {
    const ana = await signInMember(server)
    const start = performance.now()
    const ends: Promise<void>[] = []
    for (let n = 0; n < pairs; n++)
      for (const [text, drop] of [
        [SLOW_HEADERS, 'X-A: b\r\n'],
        n % 2 ? [SLOW_BODY, ' '] : [SLOW_UPLOAD, '1\r\nx\r\n'],
      ] as const) {
        const { socket, end } = await openConnection(server, text)
        sendSlowly(socket, drop)
        ends.push(end)
      }
    await visit('/perros')
    await visit('/perfil', ana.cookie)
    await visit('/api/dogs')
    const patience = new Promise((done) => setTimeout(done, CUT_WITHIN_MS, 'never').unref())
    if ((await Promise.race([Promise.all(ends), patience])) === 'never') failures.push('not all of them are cut')
    const seconds = (performance.now() - start) / 1000
    const openFiles = readdirSync(`/proc/${server.pid()}/fd`).length
    if (openFiles >= OPEN_FILES_MAX) failures.push(`${openFiles} files and sockets are open`)
    await visit('/perros')
    return { connections: ends.length, seconds, openFiles, failures }
  } finally {
    await server.dispose()
  }
}
