import { connect } from 'node:net'
import { residentTreeBytes } from '#tests/support/process-tree.ts'
import type { TestServer } from '#tests/support/server.ts'
import { assert, call, serverSuite, signInMember, type TestMember } from '#tests/support/suites.ts'

// The limits of what a request's bytes cost the server: its memory, and delay of other requests. Each of these is
// as large as a request may be, and took minutes, or the process's life, where time or memory grew faster than its size.

/** Maximum memory of all processes above the resting level, bytes: an upload of 44 MB is in memory three times for a moment. */
const MAX_ADDED_BYTES = 400 * 1024 * 1024
/** Maximum delay of another request meanwhile, ms: linear-time handling takes a tenth of it on a busy machine. */
const ANSWER_TIMEOUT_MS = 10_000
const MB = 1024 * 1024
const hostile = serverSuite('api/robustness/hostile-texts', { LOG: 'json', LOG_REQUESTS: 'on' }, async ({ server }) => {
  const ana = await signInMember(server)
  return { ana }
})

/** Sends bytes and answers the status, 0 where the connection ended without one. */
function send(server: TestServer, head: string, body: Iterable<Buffer> = []): Promise<number> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  return new Promise((done) => {
    let answer = ''
    socket.setEncoding('latin1').on('data', (text) => (answer += text))
    socket.on('error', () => {})
    socket.on('close', () => done(Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0)))
    const pieces = body[Symbol.iterator]()
    const write = () => {
      for (;;) {
        const { value, done: isOver } = pieces.next()
        if (isOver || !socket.writable) return
        if (!socket.write(value)) return void socket.once('drain', write)
      }
    }
    socket.write(head, 'latin1')
    write()
  })
}

const get = (target: string, method = 'GET') =>
  `${method} ${target} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`
const post = (type: string, framing: string) =>
  `POST /api/dogs HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${type}\r\n${framing}\r\n\r\n`

const FORM = 'multipart/form-data; boundary=BBBB'
const PART = 'Content-Disposition: form-data; name="a"'
/** A form of 40 MB: `before`, as many `again` as there is room for, `after`. */
const form =
  (before: string, again: string, after: string, type = FORM) =>
  (server: TestServer) => {
    const body = Buffer.concat([
      Buffer.from(before, 'latin1'),
      Buffer.from(again.repeat(Math.floor((40 * MB) / again.length)), 'latin1'),
      Buffer.from(after, 'latin1'),
    ])
    return send(server, post(type, `Content-Length: ${body.length}`), [body])
  }
const path = (target: string, method?: string) => (server: TestServer) => send(server, get(target, method))

function* drops(count: number): Generator<Buffer> {
  const block = Buffer.from('1\r\nx\r\n'.repeat(10_000))
  for (let sent = 0; sent < count; sent += 10_000) yield block
  yield Buffer.from('0\r\n\r\n')
}

const END = '\r\n\r\nx\r\n--BBBB--\r\n'
const SIGNS = '@'.repeat(15_000)
const DIGITS = '1'.repeat(65_000)
const BLANKS = ' '.repeat(30_000)

type Attack = (server: TestServer, ana: TestMember) => Promise<number>
const ATTACKS: Record<string, Attack> = {
  'a path of signs that cannot be decoded': path(`/%ff${SIGNS}`),
  'a path of signs with a method that it has not': path(`/api/${SIGNS}`, 'POST'),
  'a path of signs that is no path': path(`/${SIGNS}/../api/dogs`),
  'a path of percent signs': path(`/${'%40'.repeat(5000)}`),
  'a path of letters and dots': path(`/${'a.'.repeat(7500)}`),
  'a query of question marks': path(`/${'?'.repeat(15_000)}`),
  'tags that are known, and blanks': (server) =>
    call(server, '/api/breeds', { headers: { 'If-None-Match': `x${' '.repeat(15_000)}x` } }).then(
      ({ status }) => status,
    ),
  'a name of escaped quotes': form(`--BBBB\r\nContent-Disposition: form-data; name="`, '%22', `"${END}`),
  'a part of countless headers': form(`--BBBB\r\n${PART}\r\n`, 'a:b\r\n', END),
  'a part that says its name again and again': form(`--BBBB\r\n${PART}\r\n`, `${PART}\r\n`, END),
  'parts behind another boundary': form(
    '',
    `--BBBB\r\n${PART}\r\n\r\n\r\n`,
    '--BBBB--\r\n',
    `multipart/form-data; boundary=zzz, ${FORM}`,
  ),
  'parts behind a boundary that is no text': form(
    '',
    `--BB\xe9\r\n${PART}\r\n\r\n\r\n`,
    '--BB\xe9--\r\n',
    'multipart/form-data; boundary=BB\xe9',
  ),
  'parts behind their own boundary': form('', `--BBBB\r\n${PART}\r\n\r\n\r\n`, '--BBBB--\r\n'),
  'nothing but ends': form('', '--BBBB--', ''),
  'nearly a boundary': form(`--BBBB\r\n${PART}\r\n\r\n`, '\r\n--BBB', '\r\n--BBBB--\r\n'),
  'a text of 40 MB': form(`--BBBB\r\n${PART}\r\n\r\n`, 'é', '\r\n--BBBB--\r\n'),
  'four bodies in pieces of one byte': (server) =>
    Promise.all(
      Array.from({ length: 4 }, () => send(server, post(FORM, 'Transfer-Encoding: chunked'), drops(2_000_000))),
    ).then((statuses) => Math.max(...statuses)),
  'an alias of digits': (server, ana) =>
    call(server, '/api/profile', { method: 'PUT', cookie: ana.cookie, json: { alias: DIGITS, emoji: '🐶' } }).then(
      ({ status }) => status,
    ),
  'an alias of digits that is asked for': (server) =>
    call(server, `/api/profile/alias?alias=${DIGITS.slice(0, 15_000)}`).then(({ status }) => status),
  'a draft of digits': (server, ana) =>
    call(server, `/perfil?editar=&alias=${DIGITS.slice(0, 15_000)}`, { cookie: ana.cookie }).then(
      ({ status }) => status,
    ),
  'an emoji of digits': (server, ana) =>
    call(server, '/api/profile', { method: 'PUT', cookie: ana.cookie, json: { alias: 'Ana', emoji: DIGITS } }).then(
      ({ status }) => status,
    ),
  'an address of dots': (server) =>
    call(server, '/api/auth/magic-link', { method: 'POST', json: { email: `a@${'a.'.repeat(30_000)}` } }).then(
      ({ status }) => status,
    ),
  'a code of blanks': (server) =>
    call(server, '/api/auth/code', {
      method: 'POST',
      json: { email: 'ana@ejemplo.es', code: `${BLANKS}1${BLANKS}` },
    }).then(({ status }) => status),
  'a place of blanks': (server) => call(server, `/api/geocode?q=a${'+'.repeat(15_000)}b`).then(({ status }) => status),
}

for (const [name, attack] of Object.entries(ATTACKS))
  hostile(`${name} takes bounded memory and delays nobody`, async ({ server, ana }) => {
    const pid = server.pid()
    const idle = residentTreeBytes(pid)
    let peak = 0
    let longest = 0
    const over = new AbortController()
    const others = (async () => {
      do {
        const start = performance.now()
        assert.is((await call(server, '/healthz')).status, 200)
        longest = Math.max(longest, performance.now() - start)
        peak = Math.max(peak, residentTreeBytes(pid) - idle)
        await new Promise((done) => setTimeout(done, 20))
      } while (!over.signal.aborted)
    })()
    const status = await attack(server, ana).finally(() => over.abort())
    await others
    assert.ok(status < 500, `${status}`)
    assert.ok(longest < ANSWER_TIMEOUT_MS, `somebody else waited ${Math.round(longest)} ms`)
    assert.ok(peak < MAX_ADDED_BYTES, `${Math.round(peak / MB)} MB above rest`)
  })

hostile('every log line has bounded length', ({ server }) => {
  const longest = Math.max(
    ...server
      .output()
      .split('\n')
      .map((line) => line.length),
  )
  assert.ok(longest < 20_000, `${longest}`)
})
