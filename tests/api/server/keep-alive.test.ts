import { once } from 'node:events'
import { connect } from 'node:net'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { type RawAnswer, readAnswers } from '#tests/support/raw-answers.ts'
import { requestRaw } from '#tests/support/raw-request.ts'
import { assert, serverSuite, signIn, type TestServer, type WorldOf } from '#tests/support/suites.ts'

// Many requests on one connection, as browsers and proxies send them: each answer ends where its head says it does.

interface Sent {
  method: string
  path: string
  headers?: Record<string, string>
  status: number
}
const keepAlive = serverSuite('api/server/keep-alive', { RENDERS_PER_MINUTE: '0' }, async ({ server }) => {
  const cookie = (await signIn(server, 'ana@ejemplo.es')).cookie
  return { cookie }
})
type World = WorldOf<typeof keepAlive>

/** Of each kind of answer one: kept, rendered and redirected pages, calls, files, a card, a stream of unknown length, none. */
async function listRequests({ server, cookie }: World): Promise<Sent[]> {
  const { body: home } = await requestRaw(server, '/')
  const script = /\/_astro\/[^"'\s]+\.js/.exec(home.toString())![0]
  const { headers } = await requestRaw(server, '/')
  const card = await requestRaw(server, '/tarjetas/sitio/perrario.jpg')
  const signedIn = { Cookie: cookie }
  return [
    { method: 'GET', path: '/healthz', status: 200 },
    { method: 'GET', path: '/', status: 200 },
    { method: 'HEAD', path: '/', status: 200 },
    { method: 'GET', path: '/', headers: { 'If-None-Match': headers.etag! }, status: 304 },
    { method: 'GET', path: '/perfil', headers: signedIn, status: 200 },
    { method: 'HEAD', path: '/perfil', headers: signedIn, status: 200 },
    { method: 'GET', path: '/perros/mias', status: 302 },
    { method: 'GET', path: '/perros/', status: 301 },
    { method: 'GET', path: '/api/openapi.json', status: 200 },
    { method: 'HEAD', path: '/api/openapi.json', status: 200 },
    { method: 'GET', path: '/api/no-hay', status: 404 },
    { method: 'GET', path: '/no-hay', status: 404 },
    { method: 'GET', path: script, status: 200 },
    { method: 'GET', path: '/_astro/no-hay.js', status: 404 },
    { method: 'GET', path: '/tarjetas/sitio/perrario.jpg', status: 200 },
    {
      method: 'GET',
      path: '/tarjetas/sitio/perrario.jpg',
      headers: { 'If-None-Match': card.headers.etag! },
      status: 304,
    },
    { method: 'GET', path: '/api/account/export', headers: signedIn, status: 200 },
    { method: 'GET', path: '/healthz', status: 200 },
  ]
}

const textOf = ({ method, path, headers = {} }: Sent, more: Record<string, string>): string => {
  const lines = Object.entries({ Host: 'x', ...headers, ...more }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
}

/** Sends `requests` on one connection: all at once, or each when the answer before it is complete. */
async function answersOn(
  server: TestServer,
  requests: Sent[],
  isPipelined: boolean,
  more: Record<string, string>,
): Promise<RawAnswer[]> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  const methods = requests.map(({ method }) => method)
  const texts = requests.map((sent, n) =>
    textOf(sent, { ...more, ...(n === requests.length - 1 && { Connection: 'close' }) }),
  )
  let heard = Buffer.alloc(0)
  let sent = isPipelined ? texts.length : 1
  socket.on('data', (chunk: Buffer) => {
    heard = Buffer.concat([heard, chunk])
    if (sent < texts.length && readAnswers(heard, methods).length === sent) socket.write(texts[sent++]!)
  })
  socket.write(texts.slice(0, sent).join(''))
  await once(socket, 'close')
  return readAnswers(heard, methods)
}

const decode = ({ headers, body }: RawAnswer): Buffer => {
  const encoding = headers['content-encoding']
  if (encoding === undefined || body.length === 0) return body
  if (encoding === 'zstd') return zstdDecompressSync(body)
  return encoding === 'br' ? brotliDecompressSync(body) : gunzipSync(body)
}

for (const isPipelined of [false, true])
  for (const accepted of [undefined, 'gzip', 'gzip, deflate, br, zstd'])
    keepAlive(
      `${isPipelined ? 'pipelined' : 'sequential'} requests with «${accepted}» are answered in order`,
      async (t) => {
        const requests = await listRequests(t)
        const more: Record<string, string> = accepted === undefined ? {} : { 'Accept-Encoding': accepted }
        const answers = await answersOn(t.server, requests, isPipelined, more)
        assert.equal(
          answers.map(({ status }, n) => [requests[n]!.method, requests[n]!.path, status]),
          requests.map(({ method, path, status }) => [method, path, status]),
        )
        for (const [n, { method, path, status }] of requests.entries()) {
          const body = decode(answers[n]!).toString('latin1')
          if (method === 'HEAD' || status === 304) assert.is(body, '', path)
          else if (path === '/healthz') assert.is(JSON.parse(body).status, 'ok')
          else if (path === '/' || path === '/perfil') assert.match(body.trimEnd(), /<\/html>$/, path)
        }
      },
    )
