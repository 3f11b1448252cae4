import { connect } from 'node:net'
import { assert, serverSuite, signIn, type TestServer } from '#tests/support/suites.ts'

// Whatever stands in a header, a cookie or an address, and wherever a body breaks off: an answer, and nothing in the log that
// tells of a fault of ours.

const api = serverSuite('api/robustness/no-stack-traces', { METRICS_TOKEN: 'x'.repeat(20), LOG_LEVEL: 'debug' })

/** Before Astro: cached pages, files, metrics, the live stream, photos, renders. Then Astro's own. */
const PATHS = [
  '/api/events',
  '/api/events?after=',
  '/',
  '/perros',
  '/sw.js',
  '/favicon.svg',
  '/_astro/x.js',
  '/metrics',
  '/photos/x.jpg',
  '/_ipx/q_90,s_120x120/photos/x.jpg',
  '/api/session',
  '/login/codigo',
  '/perfil/cuenta',
]
const MALFORMED_VALUES = [
  '%E0',
  '%',
  '%E0%A4%A',
  '%00',
  '"',
  '\xe0',
  '\xff\xfe',
  '={}',
  '__proto__',
  ';;;=;',
  '-1',
  '9'.repeat(400),
  '',
]
const HEADERS = [
  'Cookie',
  'Last-Event-ID',
  'If-None-Match',
  'If-Modified-Since',
  'Range',
  'Accept',
  'Accept-Encoding',
  'Accept-Language',
  'Authorization',
  'Content-Type',
  'Origin',
  'Referer',
  'User-Agent',
  'Sec-Fetch-Site',
  'X-Forwarded-For',
  'X-Request-Id',
  'Idempotency-Key',
]
const COOKIES = [
  'perrario',
  'perrario-aparato',
  'perrario-entrada',
  'perrario-entrada-google',
  'sidebar:state',
  '__Host-perrario',
]

/** Sends the bytes and answers the first of what comes back, '' where the connection ends without. */
function send(server: TestServer, bytes: string, cut = false): Promise<string> {
  const { port } = new URL(server.url)
  return new Promise((done) => {
    const socket = connect(Number(port), '127.0.0.1', () => {
      socket.write(Buffer.from(bytes, 'latin1'))
      // Gone while the body is still awaited.
      if (cut) setTimeout(() => (socket.resetAndDestroy(), done('cut')), 60)
    })
    socket.setTimeout(20_000, () => socket.destroy())
    socket.once('data', (data) => (done(data.toString('latin1', 0, 40)), socket.destroy()))
    socket.on('error', () => {}).on('close', () => done(''))
  })
}

const STACK = /\n\s+at |Error:|unhandled|uncaught/i
const findStacks = (text: string) =>
  text.split('\n').filter((line, at, all) => STACK.test(`\n${line}`) || /^\s+at /.test(all[at + 1] ?? ''))

api('malformed headers and cookies leave no stack trace in response or log, on any route', async ({ server }) => {
  const { cookie } = await signIn(server, 'ana@ejemplo.es')
  const dropped: string[] = []
  const all = PATHS.flatMap((path) => [
    ...HEADERS.flatMap((name) => MALFORMED_VALUES.map((value) => [path, `${name}: ${value}`])),
    ...COOKIES.flatMap((name) =>
      MALFORMED_VALUES.map((value) => [path, `Cookie: a=b; ${name}=${value}; ${name}=${value}`]),
    ),
    ...MALFORMED_VALUES.map((value) => [path, `Cookie: ${cookie}${value}`]),
    ...MALFORMED_VALUES.map((value) => [
      `${path.split('?')[0]}?after=${value}&x=${value}`.replaceAll('"', '%22'),
      'X: y',
    ]),
  ]).values()
  const lane = async () => {
    for (const [path, header] of all) {
      const first = await send(server, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${header}\r\n\r\n`)
      if (!/^HTTP\/1\.1 [2-4]\d\d /.test(first)) dropped.push(`${path} ${header}: ${first}`)
    }
  }
  await Promise.all([lane(), lane(), lane(), lane(), lane(), lane()])
  assert.equal(dropped, [])
  assert.equal(findStacks(server.output()), [])
})

api('truncated bodies leave no stack trace in response or log', async ({ server }) => {
  const { cookie } = await signIn(server, 'bea@ejemplo.es')
  const part = '--x\r\nContent-Disposition: form-data; name="images"; filename="a.jpg"\r\n\r\n\xff\xd8\xff'
  const bodies: [type: string, body: string][] = [
    ['application/json', '{"email":"a'],
    ['application/x-www-form-urlencoded', 'email=a&x='],
    ['multipart/form-data; boundary=x', part],
  ]
  const calls = [
    ['POST', '/api/dogs'],
    ['POST', '/api/auth/magic-link'],
    ['POST', '/api/auth/code'],
    ['POST', '/api/auth/confirm/code'],
    ['POST', '/api/account'],
    ['DELETE', '/api/account'],
    ['PUT', '/api/profile'],
    ['POST', '/api/reports'],
    ['POST', '/api/breed-detection'],
    ['POST', '/compartir'],
    ['POST', '/razas/beagle'],
    ['POST', '/api/events'],
    ['POST', '/photos/x.jpg'],
  ]
  const work = calls.flatMap(([method, path]) =>
    bodies.flatMap(([type, body]) =>
      [
        `Content-Length: 5000\r\n\r\n${body}`,
        `Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n`,
      ].map((rest) =>
        send(
          server,
          `${method} ${path} HTTP/1.1\r\nHost: x\r\nCookie: ${cookie}\r\nContent-Type: ${type}\r\n${rest}`,
          true,
        ),
      ),
    ),
  )
  await Promise.all(work)
  for (let n = 0; n < 10; n++) {
    assert.is((await fetch(`${server.url}/healthz`)).status, 200)
    await new Promise((done) => setTimeout(done, 100))
  }
  assert.equal(findStacks(server.output()), [])
})
