import type { IncomingMessage } from 'node:http'
import { runWithRequestId, createRequestId, currentRequestId } from '#server/log/request-id.ts'
import { formatConsoleArguments, redact } from '#server/log/redact.ts'
import { toLoggedPath } from '#server/log/request-log.ts'
import { assert, suite } from '#tests/support/suites.ts'

const log = suite('unit/server/log-lines')

log('no line contains addresses of people or queries', () => {
  for (const [given, told] of [
    ['550 no such user <ana.lopez+x@correo.ejemplo.es>', '550 no such user <…@…>'],
    ['to=ana@ejemplo.es,luis@ejemplo.es', 'to=…@…,…@…'],
    [
      'Could not render https://perrario.es/login/enlace?token=abc_DEF-1',
      'Could not render https://perrario.es/login/enlace?…',
    ],
    ['GET /baja?token=a&x=b 500', 'GET /baja?… 500'],
    ['GET /usuario/ana%40ejemplo.es 404', 'GET /usuario/…@… 404'],
    ['¿Qué ha pasado? Nada.', '¿Qué ha pasado? Nada.'],
    ['/photos/0d0e-1.jpg', '/photos/0d0e-1.jpg'],
  ] as const)
    assert.is(redact(given), told)
  assert.is(toLoggedPath('/login/enlace?token=abc'), '/login/enlace')
  // A dog's address has its name, which may be deleted later.
  assert.is(toLoggedPath('/beagle/toby?x=1'), '/beagle/…')
  for (const path of ['/razas/beagle', '/photos/0d0e-1.jpg', '/healthz/live', '/beagle'])
    assert.is(toLoggedPath(path), path)
  assert.is(toLoggedPath(`/${'x'.repeat(5000)}`).length, 200)
})

log('a connection that fails is one line without its stack', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' })
  assert.equal(formatConsoleArguments(['perrario · la agenda no se pudo leer:', refused]), {
    msg: 'la agenda no se pudo leer: connect ECONNREFUSED 127.0.0.1:5432',
    code: 'ECONNREFUSED',
  })
  assert.equal(formatConsoleArguments(['Change feed failed', new Error('Connection terminated unexpectedly')]), {
    msg: 'Change feed failed: Connection terminated unexpectedly',
  })
  // Each address of a name failed; the whole has no sentence of its own.
  assert.equal(formatConsoleArguments([Object.assign(new AggregateError([refused]), { code: 'ECONNREFUSED' })]), {
    msg: 'connect ECONNREFUSED 127.0.0.1:5432',
    code: 'ECONNREFUSED',
  })
  assert.ok(formatConsoleArguments(['A bug', new TypeError('x is not a function')]).err?.stack)
})

log('an address is removed where it was truncated, too', () => {
  for (const cut of ['ana@', 'ana@ejem', 'ana%40ejemplo', `${'x'.repeat(100)}@ejemplo.es`])
    assert.is(redact(`no such user <${cut}`), 'no such user <…@…')
  for (const kept of ['file:///srv/node_modules/@astrojs/node/dist/a.js:3', '@ 3', 'a @ b'])
    assert.is(redact(kept), kept)
})

log('no requested text fills a line, in whichever argument it comes', () => {
  const long = `No API Route handler exists for the method "GET" for the route "/${'%ff@'.repeat(16_000)}".`
  const error = new Error(long, { cause: new TypeError(long, { cause: new Error(long) }) })
  for (const args of [
    [long],
    [long, 1, long],
    [error],
    ['perrario · no:', error],
    [{ long }],
    [[long, long]],
    Array(500).fill('abc '.repeat(600)),
  ]) {
    const line = JSON.stringify(formatConsoleArguments(args))
    assert.ok(line.length < 50_000, `${line.length}`)
    assert.not.match(line, 'ff@')
  }
  assert.ok(toLoggedPath(`/${'%ff@'.repeat(16_000)}`).length <= 200)
})

log('an error is logged with name, message, code, stack and causes, and nothing else', () => {
  const cause = Object.assign(new Error('refused for ana@ejemplo.es'), {
    code: 'EENVELOPE',
    rejected: ['ana@ejemplo.es'],
  })
  const { msg, err } = formatConsoleArguments(['perrario · no salió:', new TypeError('x', { cause })])
  assert.is(msg, 'no salió:')
  assert.equal(Object.keys(err!).toSorted(), ['cause', 'message', 'stack', 'type'])
  assert.equal([err!.type, err!.cause!.code, err!.cause!.message], ['TypeError', 'EENVELOPE', 'refused for …@…'])
  assert.not.match(JSON.stringify(err), 'ana@')
  assert.is(formatConsoleArguments([new Error('sola')]).msg, 'sola')
  assert.is(
    formatConsoleArguments(['Photo cleanup failed:', ['/photos/a.jpg']]).msg,
    "Photo cleanup failed: [ '/photos/a.jpg' ]",
  )
})

log('a request id is ours, or the proxy’s if trusted and well-formed', () => {
  const req = (id?: string) =>
    ({ headers: id === undefined ? {} : { 'x-request-id': id } }) as unknown as IncomingMessage
  const ours = /^[0-9a-f]{8}-[0-9a-z]+$/
  assert.match(createRequestId(req('caddy-1')), ours)
  assert.is(createRequestId(req('caddy-1'), true), 'caddy-1')
  for (const bad of ['', 'a b', 'a\nb', '"', 'x'.repeat(65)]) assert.match(createRequestId(req(bad), true), ours)
  assert.is.not(createRequestId(), createRequestId())
})

log('code that a request awaits knows the request’s id', async () => {
  const names = await Promise.all(
    ['a', 'b'].map((id) =>
      runWithRequestId(id, async () => {
        await new Promise((done) => setTimeout(done, 5))
        return currentRequestId()
      }),
    ),
  )
  assert.equal([...names, currentRequestId()], ['a', 'b', undefined])
})
