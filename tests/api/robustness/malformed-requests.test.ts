import { isWholeRun } from '#tests/support/sample.ts'
import { startServer } from '#tests/support/server.ts'
import { exchangeRaw } from '#tests/support/malformed/raw-exchange.ts'
import { findUncovered } from '#tests/soak/malformed/coverage.ts'
import { sendMalformedRequests } from '#tests/soak/malformed/scenario.ts'
import { answered, assert, call, detailOf, redirectOf, signInMember, suite } from '#tests/support/suites.ts'

const malformed = suite('api/robustness/malformed-requests')

// `npm run soak` sends all of them (tests/soak/soak.ts).
malformed('no malformed request ends in a 5xx, and everything works afterwards', async () => {
  const requests = isWholeRun ? 500 : 120
  const report = await sendMalformedRequests({ requests, seed: Number(process.env.SOAK_SEED ?? 20_261_123) })
  assert.equal(report.failures, [], report.failures.join('\n'))
  assert.ok(report.sent >= requests)
  // So few miss some addresses and faults by chance.
  if (isWholeRun) assert.equal(findUncovered(report), [])
})

malformed('unsupported methods, hosts, addresses and bodies are refused with a problem', async () => {
  const server = await startServer()
  try {
    const unknown = await call(server, '/api/a%0ab')
    assert.equal(detailOf(unknown), [404, 'No existe esta dirección de la API.'])
    assert.is(unknown.headers.get('content-type'), 'application/problem+json; charset=utf-8')
    for (const [method, path, allow] of [
      ['GET', '/api/auth/sign-out', 'POST'],
      ['PUT', '/api/dogs', 'GET, HEAD, POST'],
      ['PATCH', '/api/profile', 'POST, PUT'],
      ['DELETE', '/api/session', 'GET, HEAD'],
      ['POST', '/api/dogs/no-existe/like', 'PUT, DELETE'],
    ] as const) {
      const { status, body, headers } = await call(server, path, { method })
      assert.equal([status, body.detail, headers.get('allow')], [405, 'Ese método no se admite.', allow], path)
      assert.is(headers.get('content-type'), 'application/problem+json; charset=utf-8')
    }
    const port = Number(new URL(server.url).port)
    for (const [method, path] of [
      ['TRACE', '/perros'],
      ['PROPFIND', '/'],
      ['TRACE', '/api/dogs'],
    ] as const) {
      const bytes = Buffer.from(`${method} ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
      const { status, headers, body } = await exchangeRaw(port, bytes, 10_000, false)
      assert.equal([status, JSON.parse(body.toString()).detail], [405, 'Ese método no se admite.'], `${method} ${path}`)
      assert.is(headers.allow, 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS')
    }
    for (const host of ['otro.example/api/session?', 'x@otro.example', 'https://otro.example', 'a b', 'x#', '']) {
      const bytes = Buffer.from(`GET /perfil HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
      const { status, body } = await exchangeRaw(port, bytes, 10_000, false)
      assert.equal([status, JSON.parse(body.toString()).detail], [400, 'La cabecera Host no es válida.'], host)
    }
    for (const path of ['/api/dogs/..%5c..%5cadmin', '/api/dogs/..%5C..%5Cx?a=1', '/perros%5c', '/\\..\\perros'])
      for (const method of ['GET', 'POST']) {
        const bytes = Buffer.from(`${method} ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`)
        const { status, body } = await exchangeRaw(port, bytes, 10_000, false)
        assert.equal([status, JSON.parse(body.toString()).detail], [400, 'La dirección no es válida.'], path)
      }
    // In a query it is a letter like any other.
    assert.is((await call(server, '/razas?buscar=a%5cb')).status, 200)
    assert.match((await answered(404, call(server, '/500'))).body, 'Oops! Page not found')
    assert.equal(redirectOf(await fetch(`${server.url}/500/`, { redirect: 'manual' })), [301, '/500'])
    const ana = await signInMember(server)
    for (const [method, path] of [
      ['POST', '/api/auth/link'],
      ['PUT', '/api/profile'],
      ['POST', '/api/reports'],
    ] as const)
      for (const json of [false, 7, null, []]) {
        const { status, body } = await call(server, path, { method, cookie: ana.cookie, json })
        assert.equal([status, body.detail], [422, 'Los datos enviados no son válidos.'], `${path} ${json}`)
      }
  } finally {
    await server.dispose()
  }
})
