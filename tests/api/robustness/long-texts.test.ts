import { exchangeRaw } from '#tests/support/malformed/raw-exchange.ts'
import type { MalformedCase } from '#tests/support/malformed/malformed-case.ts'
import { type Route, ROUTES } from '#tests/support/malformed/routes.ts'
import { type Placeholders, buildWireRequest } from '#tests/support/malformed/wire-request.ts'
import { startFullServer, type FullServer } from '#tests/support/malformed/full-server.ts'
import { assert, assertNone, suite } from '#tests/support/suites.ts'

// Whatever a person may fill in is refused by its length before anything reads it. Every field of every address is sent as
// much as its body may hold, so that one that was forgotten is found whatever is done with its text.

const KINDS = ['json', 'form', 'parts'] as const
/** Just under what a body without files may hold. */
const TEXT_LENGTH = 60_000
/** Digits are valid in more texts than letters: names, codes, aliases, numbers. */
const LONG_TEXT = '1'.repeat(TEXT_LENGTH)

const LIST = 'the list to come back to: what it does not know is the default'
const IGNORED = 'read by nobody'
/** Fields that are neither stored nor searched. */
const TAKEN_FIELDS: Record<string, string> = {
  hueso: 'the honeypot: filled or not, the answer is the same',
  open_for_ms: 'how long a form was open: what is no number counts as unknown',
  orden: LIST,
  q: LIST,
  cursor: LIST,
  accion: 'a known word is the other action',
  withdraw: 'a choice that is there or not',
  'List-Unsubscribe': IGNORED,
  'POST /compartir (parts): title': IGNORED,
  'POST /compartir (parts): text': IGNORED,
  'POST /compartir (parts): url': IGNORED,
  likes: 'a box that is ticked or not',
  quiet: 'a box that is ticked or not',
  has_digest: 'a box that is ticked or not',
  que: 'a known word is the other action',
  desde: LIST,
}
/** Queries of calls that are not refused for it. */
const ANSWERED_FIELDS: Record<string, string> = {
  alias: 'asks whether it is free: the answer says that it is too long',
  next: 'where to go after signing in: what is no path of ours is the beginning',
  para: 'one word is the other purpose',
  token: 'compared by its hash; the page says that it is none',
}
/** Maximum length of addresses and cookies that a response sets: what was sent may be in them. */
const MAX_ANSWER_LENGTH = 4000

interface Field {
  at: number
  route: Route
  kind: MalformedCase['body']
  n: number
  name: string
}

const longTexts = suite<{ place: FullServer; names: Placeholders }>('api/robustness/long-texts')

longTexts.before(async (t) => {
  t.place = await startFullServer()
  t.names = await t.place.createCommunity()
})
longTexts.after((t) => t.place.close())

/** As long, in the shape of what is right: an object keeps its names. */
const lengthen = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.keys(value).map((name) => [name, LONG_TEXT]))
    : LONG_TEXT

const isFile = (value: unknown) => value === '{jpeg}'

const FIELDS: readonly Field[] = ROUTES.flatMap((route, at) =>
  KINDS.flatMap((kind) =>
    Object.entries(route.fields[kind] ?? {})
      .map(([name, value], n) => ({ at, route, kind, n, name: name.trim(), value }))
      .filter(({ value }) => !isFile(value)),
  ),
)

/** Refused with a status, or back at the form with what is wrong. */
const ERROR_LOCATION =
  /[?&](error|propiedad|editar|aviso|opiniones)=?|[?&]confirma=(?!enviado)|^\/(login|admin|denunciar)$/

const tellsError = ({ location = '', 'set-cookie': cookie = '' }: Record<string, string>) =>
  location.length > MAX_ANSWER_LENGTH || cookie.length > MAX_ANSWER_LENGTH

const nameOf = ({ route, kind, name }: Field) => `${route.method} ${route.path} (${kind}): ${name}`

const isTaken = (field: Field) => field.name in TAKEN_FIELDS || nameOf(field) in TAKEN_FIELDS

longTexts('every field of every address refuses a value as long as its body limit', async ({ place, names }) => {
  const wrong: string[] = []
  const queue = FIELDS.values()
  let asked = 0
  const lane = async () => {
    for (const field of queue) {
      asked++
      const value = lengthen(field.route.fields[field.kind]![field.name as never])
      const faults: MalformedCase['faults'] = [{ at: 'field', n: field.n, value }]
      const ip = `10.8.${asked >> 8}.${asked & 255}`
      const wire = buildWireRequest({ route: field.at, role: 'meant', body: field.kind, faults }, names, ip)
      const { status, headers, isTimedOut } = await exchangeRaw(place.port, wire.bytes, 60_000, false)
      const location = (headers.location ?? '').replace(place.server.url, '')
      const isRefused = (status >= 400 && status < 500) || (status === 303 && ERROR_LOCATION.test(location))
      if (isTimedOut || status === 0 || status >= 500 || (!isRefused && !isTaken(field)))
        wrong.push(`${nameOf(field)}: ${status} ${location.slice(0, 100)}`)
      if (tellsError(headers)) wrong.push(`${nameOf(field)}: comes back in the answer’s headers`)
    }
  }
  await Promise.all([lane(), lane()])
  assert.ok(asked > 60, String(asked))
  assert.equal(wrong, [], wrong.join('\n'))
})

longTexts(
  'every query parameter of an API call refuses a value as long as an address limit, and every page answers',
  async ({ place, names }) => {
    const wrong: string[] = []
    let asked = 0
    const queries = ROUTES.flatMap((route, at) =>
      Object.keys(route.fields.query ?? {}).map((name, n) => ({ at, route, name, n })),
    )
    for (const { at, route, name } of queries) {
      if (route.method !== 'GET' || route.path === '/api/events') continue
      const wire = buildWireRequest(
        { route: at, role: 'meant', body: 'json', faults: [] },
        names,
        `10.7.${++asked >> 8}.${asked & 255}`,
      )
      const url = new URL(wire.target, 'http://x')
      url.searchParams.set(name, LONG_TEXT.slice(0, 12_000))
      const bytes = Buffer.from(wire.bytes.toString('latin1').replace(wire.target, url.pathname + url.search), 'latin1')
      const { status, isTimedOut } = await exchangeRaw(place.port, bytes, 60_000, false)
      const isCall = /^\/(api|datos)\//.test(route.path) && !(name in ANSWERED_FIELDS)
      if (isTimedOut || status === 0 || status >= 500 || (isCall && status < 400))
        wrong.push(`${route.method} ${route.path}?${name}: ${status}`)
    }
    assert.ok(asked > 80, String(asked))
    assert.equal(wrong, [], wrong.join('\n'))
  },
)

longTexts('every listed field exists', () => {
  const there = new Set(FIELDS.flatMap((field) => [field.name, nameOf(field)]))
  assertNone(Object.keys(TAKEN_FIELDS), (name) => !there.has(name))
})
