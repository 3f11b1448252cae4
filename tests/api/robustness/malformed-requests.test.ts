import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { call } from '#tests/support/api.ts'
import { signInMember } from '#tests/support/members.ts'
import { startServer } from '#tests/support/server.ts'
import { exchangeRaw } from '#tests/support/malformed/raw-exchange.ts'
import { sendMalformedRequests } from '#tests/soak/malformed/scenario.ts'
import { ROUTES } from '#tests/support/malformed/routes.ts'

const malformed = suite('malformed requests')

/** How many of two thousand answers are of each kind at least: requests that got somewhere, and ones refused at each stage. */
const MIN_ANSWERS = [
  [200, 200],
  [201, 8],
  [204, 15],
  [303, 100],
  [400, 100],
  [401, 30],
  [403, 15],
  [404, 100],
  [405, 1],
  [413, 1],
  [415, 3],
  [422, 40],
  [431, 3],
] as const

malformed('two thousand, over every address and field: none ends in a 5xx, and all is well afterwards', async () => {
  const report = await sendMalformedRequests({ requests: 2000, seed: Number(process.env.SOAK_SEED ?? 20_261_123) })
  assert.equal(report.failures, [], report.failures.join('\n'))
  assert.ok(report.sent >= 2000)
  const all = new Set(ROUTES.map(({ method, path }) => `${method} ${path}`)).size
  assert.ok(report.routes > all * 0.8, `${report.routes} of ${all} addresses were among them`)
  assert.ok(report.reached > all * 0.8, `${report.reached} of ${all} addresses answered below 400`)
  for (const [status, least] of MIN_ANSWERS) {
    const found = report.statuses[status] ?? 0
    assert.ok(found >= least, `${status} was answered ${found} times, not ${least}`)
  }
})

malformed('what such requests found: methods, hosts, addresses and bodies that nothing takes', async () => {
  const server = await startServer()
  try {
    for (const [method, path] of [
      ['GET', '/api/auth/sign-out'],
      ['PUT', '/api/dogs'],
      ['PATCH', '/api/profile'],
      ['GET', '/api/a%0ab'],
    ] as const) {
      const { status, body, headers } = await call(server, path, { method })
      assert.equal([status, body.detail], [404, 'No existe esta dirección de la API.'], path)
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
    const page = await call(server, '/500')
    assert.is(page.status, 404)
    assert.match(page.body, 'Oops! Page not found')
    const spare = await fetch(`${server.url}/500/`, { redirect: 'manual' })
    assert.equal([spare.status, spare.headers.get('location')], [301, '/500'])
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

malformed.run()
