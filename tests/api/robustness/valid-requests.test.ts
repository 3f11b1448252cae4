import { answerDifference, findEndpoint } from '#tests/support/answers/check-answer.ts'
import { exchangeRaw } from '#tests/support/malformed/raw-exchange.ts'
import type { MalformedCase } from '#tests/support/malformed/malformed-case.ts'
import { fillParams } from '#tests/support/malformed/path-params.ts'
import { type Route, ROUTES } from '#tests/support/malformed/routes.ts'
import { type Placeholders, buildWireRequest } from '#tests/support/malformed/wire-request.ts'
import { startFullServer, type FullServer } from '#tests/support/malformed/full-server.ts'
import { readApiEndpoints } from '../../../scripts/lib/api-endpoints.ts'
import { assert, assertNone, suite } from '#tests/support/suites.ts'

// Malformed requests go wrong in one place at a time only if all else in them is right: here nothing is wrong with them.

/** Refusals of requests that are right. */
const EXPECTED_REFUSALS: Record<string, [status: number, why: string]> = {
  'GET /404': [404, 'the page that says so'],
  'GET /500': [404, 'an error page that nothing led to'],
  'GET /sitemap.xml': [404, 'this server was not told its address'],
  'GET /sitemap/[part].xml': [404, 'the same'],
  'GET /novedades.atom': [404, 'the same'],
  'GET /perdidos.atom': [404, 'the same'],
  'GET /razas/[raza]/novedades.atom': [404, 'the same'],
  'GET /opensearch.xml': [404, 'the same'],
  'GET /reto/[fecha]/[imagen].png': [404, 'nobody was told its address'],
  'GET /comunidad/[year]': [404, 'nobody has counted it'],
  'GET /perfil/[year]/[tarjeta].jpg': [404, 'they had no dog that year'],
  'GET /_astro/nada.js': [404, 'a file that is not there'],
  'GET /dogs-geo.json': [404, 'the operator has put no such file there'],
  'POST /api/[...rest]': [404, 'what is no address of the API'],
  'GET /fragments/[...rest]': [404, 'no fragment is called so'],
  'DELETE /api/account/providers/[provider]': [404, 'nobody here has linked GitHub (api/auth/oauth/linking)'],
  'POST /api/account/providers/[provider]': [404, 'the same'],
  'POST /api/auth/passkeys/options': [503, 'no passkeys are offered at a bare IP address (api/auth/passkey-sites)'],
  'POST /api/auth/passkeys': [503, 'the same'],
  'POST /api/auth/passkeys/sign-in': [503, 'the same'],
  'GET /api/auth/[provider]/callback': [403, 'nobody here was sent to GitHub'],
  'POST /api/auth/[provider]/callback': [303, 'only Apple comes back by a form: to /login'],
}

/** Endpoints whose answers to right requests are compared with their schemas where passkeys are offered. */
const CHECKED_WITH_PASSKEYS = [
  'POST /api/auth/passkeys',
  'POST /api/auth/passkeys/options',
  'POST /api/auth/passkeys/sign-in',
]

/** Where a failed form leads. */
const ERROR_LOCATION = /[?&](error|propiedad)=|[?&]confirma=(?!enviado)|^\/login$/

const KINDS = ['json', 'form', 'parts'] as const

/** Each kind of body that the address takes; one empty one where it takes none. */
const kindsOf = ({ fields }: Route): readonly MalformedCase['body'][] => {
  const taken = KINDS.filter((kind) => fields[kind])
  return taken.length > 0 ? taken : ['json']
}

const routes = suite<{ place: FullServer; looked: Placeholders }>('api/robustness/valid-requests')

routes.before(async (t) => {
  t.place = await startFullServer()
  t.looked = await t.place.createCommunity()
})
routes.after((t) => t.place.close())

async function answerTo(
  { place, looked }: { place: FullServer; looked: Placeholders },
  route: number,
  body: MalformedCase['body'],
) {
  const { method } = ROUTES[route]!
  // Whoever only looks finds the same world again.
  const names = method === 'GET' ? looked : await place.createCommunity(ROUTES[route])
  const wire = buildWireRequest({ route, role: 'meant', body, faults: [] }, names, `10.9.${route >> 8}.${route & 255}`)
  const { status, headers, body: said } = await exchangeRaw(place.port, wire.bytes, 20_000, method === 'HEAD')
  return { status, target: wire.target, headers, location: headers.location ?? '', said: said.toString('utf8') }
}

routes('every address accepts the valid values of soak/malformed, from the role it is for', async (t) => {
  const wrong: string[] = []
  const checked = new Set<string>()
  const all = ROUTES.flatMap((route, at) => kindsOf(route).map((kind) => ({ at, route, kind }))).values()
  const lane = async () => {
    for (const { at, route, kind } of all) {
      const name = `${route.method} ${route.path}`
      const { status, target, headers, location, said } = await answerTo(t, at, kind)
      const refused = EXPECTED_REFUSALS[name]
      const isRight = refused
        ? status === refused[0]
        : status >= 200 && status < 400 && !ERROR_LOCATION.test(location.replace(t.place.server.url, ''))
      if (!isRight) wrong.push(`${name} (${kind}, ${target}): ${status} ${location} ${said.slice(0, 200)}`)
      const documented = await findEndpoint(name)
      if (!documented?.answers) continue
      const difference = answerDifference(documented, { status, type: headers['content-type'] ?? '', text: said })
      if (difference) wrong.push(`${name} (${kind}) is not as its schema says: ${difference}`)
      if (typeof documented.answers[status] === 'object') checked.add(name)
    }
  }
  await Promise.all([lane(), lane(), lane()])
  assert.equal(wrong, [], wrong.join('\n'))
  const described = (await readApiEndpoints()).filter(({ answers = {} }) =>
    Object.values(answers).some((answer) => answer !== null && typeof answer === 'object'),
  )
  assert.ok(described.length > 40, `${described.length} endpoints with a schema`)
  assert.equal(
    described
      .map(({ method, path }) => `${method} ${path}`)
      .filter((name) => !checked.has(name))
      .toSorted(),
    CHECKED_WITH_PASSKEYS,
    'endpoints whose schema no right request was answered with',
  )
})

routes('every expected refusal is of an existing address', () => {
  const there = new Set(ROUTES.map(({ method, path }) => `${method} ${path}`))
  assertNone(Object.keys(EXPECTED_REFUSALS), (name) => !there.has(name))
})

routes('an address with unresolved brackets is detected', () => {
  assert.is(fillParams('/api/dogs/[id]/comments'), '/api/dogs/{dog}/comments')
  assert.is(fillParams('/[breed]/[dog]'), '/{breedPath}/{dogPath}')
  assert.throws(() => fillParams('/api/gatos/[id]'), /what is \[id\] after gatos\?/)
})
