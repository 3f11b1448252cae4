import * as fc from 'fast-check'
import { type SoakRole, SOAK_ROLES } from '#tests/support/matrix/soak-roles.ts'
import { malformedJson, malformedText, malformedValue, MALFORMED_PICTURES, weighted } from './malformed-input.ts'
import { WEIGHTED_ROUTES } from './routes.ts'

/** A fault at one of several places that read the same. */
type FaultAt<Where extends string, Rest> = Where extends string ? { at: Where } & Rest : never
/** One thing that is wrong with a request. `n` counts among what is there, whatever its number. */
export type Fault =
  | FaultAt<'method' | 'target' | 'body' | 'picture' | 'parts' | 'chunks' | 'type' | 'length', { value: string }>
  | FaultAt<'segment' | 'append' | 'query', { n: number; value: string; raw: boolean }>
  | FaultAt<'field' | 'unknown', { n: number; value: unknown }>
  | FaultAt<'drop' | 'repeat', { n: number }>
  | { at: 'header'; name: string; value: string }
  | { at: 'cut'; share: number }

/** A request that is right but for its faults; some have none. Plain data: it is shrunk, and printed. */
export interface MalformedCase {
  route: number
  /** `meant`: the intended actor (valid-fields.ts). */
  role: SoakRole | 'meant'
  body: 'json' | 'form' | 'parts'
  faults: Fault[]
}

const n = fc.nat(12)
const at = <const T extends string>(name: T) => fc.constant(name)

const METHODS = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'CONNECT',
  'PROPFIND',
  'QUERY',
  'get',
  'FOO',
  '',
]

const TARGETS = [
  '*',
  '',
  '//',
  '///perros',
  '//otro.example/perros',
  'http://otro.example/perros',
  'http://otro.example:99999/',
  'https://[::1/api/dogs',
  'perros',
  '/..',
  '/../../etc/passwd',
  '/_astro/../../../package.json',
  '/_astro/%2e%2e/%2e%2e/package.json',
  '/photos/..%2f..%2fperrario.db',
  '/photos/%00.jpg',
  '/_ipx/q_80,s_100x100/photos/../perrario.db',
  '/_ipx/s_99999x99999/photos/x.jpg',
  '/_ipx/q_80,s_100x100/http://otro.example/x.jpg',
  '/%',
  '/%zz',
  '/%00',
  '/api/%',
  '/api/dogs/%',
  '/api/dogs/%ff',
  '/usuario/%E0%A4%A',
  '/perro/%00',
  '/razas/%F0%9F%90%B6',
  '/api//dogs',
  '/api/./dogs',
  '/API/dogs',
  '/api/dogs/',
  '/api/dogs?%',
  '/perros?%=%&&&=',
  '/?#x',
  '/perros#x',
  '/\\..\\..',
  '/perros;jsessionid=1',
  '/.env',
  '/.git/config',
  '/_server-islands/x',
  '/_image?href=http://otro.example/x.jpg',
  '/_actions/x',
  '/404',
  '/500',
  `/${'a/'.repeat(3000)}`,
  `/perros?${'a=1&'.repeat(2000)}`,
  `/${'x'.repeat(15_000)}`,
  `/${'x'.repeat(20_000)}`,
]

/** Headers that something here or below reads, and what to say in them besides nasty texts. */
const HEADERS: Record<string, string[]> = {
  Host: ['', 'otro.example', 'a b', '[::1', 'x:99999', 'localhost:4321, otro.example', '..', '@', 'x'.repeat(5000)],
  Cookie: [
    'perrario=',
    'perrario=x; perrario=y',
    '__Host-perrario=x',
    ';;;=;',
    'a='.repeat(3000),
    'perrario=%00%zz',
    '\x80\xff=\xfe',
  ],
  Range: ['bytes=5-2', 'bytes=-', 'bytes=0-0,1-1,2-2', 'bytes=99999999999999999999-', 'bytes=-0', 'x=1-2', 'bytes=a-b'],
  'If-Range': ['"x"', 'W/"x"', 'Sun, 99 Foo 2026'],
  'If-None-Match': ['*', '"', 'W/', '"x", "y', ','.repeat(4000)],
  'If-Modified-Since': ['nunca', 'Thu, 01 Jan 1970 00:00:00 GMT', '-1'],
  'Accept-Encoding': ['', '*', 'br;q=0', 'gzip;q=NaN', 'identity;q=0, *;q=0', 'br;q=1e999', ',,,', 'x'.repeat(3000)],
  Accept: ['', 'image/avif;q=x', '*/*;q=0', 'text/event-stream', ';;;'],
  'Accept-Language': ['es-ES;q=9', '*', 'x'.repeat(3000)],
  Origin: ['null', 'https://otro.example', 'http://', 'x', 'http://[', ''],
  'Sec-Fetch-Site': ['cross-site', 'none', 'x'],
  Referer: ['x', 'http://[', '//'],
  'X-Forwarded-For': ['', ',,,', '::1%lo', '1.2.3.4.5', 'x'.repeat(4000), '::::', '2001:db8::/64', 'unknown'],
  'X-Forwarded-Host': ['otro.example', 'a b', '[', ',', 'x:y'],
  'X-Forwarded-Proto': ['javascript', 'https,http', ''],
  'X-Forwarded-Port': ['x', '-1', '99999999'],
  Forwarded: ['for=;;', 'for="[::1'],
  'X-Request-Id': ['a\tb', 'x'.repeat(5000)],
  'Last-Event-ID': ['-1', 'NaN', '9'.repeat(400), 'x', '1.5'],
  'Idempotency-Key': ['', 'x', 'y'.repeat(201), '\xff'],
  'HX-Request': ['true', 'x'],
  'HX-Current-URL': ['x', 'http://['],
  'Content-Encoding': ['gzip', 'br', 'x'],
  'X-HTTP-Method-Override': ['DELETE'],
  Expect: ['100-continue', 'x'],
  Connection: ['close', 'upgrade', 'x, y'],
  Upgrade: ['websocket', 'h2c', 'x'],
  'HTTP2-Settings': ['AAMAAABkAAQCAAAAAAIAAAAA'],
  'Transfer-Encoding': ['chunked', 'chunked, chunked', 'gzip, chunked', 'x', ' chunked'],
  'Content-Length': ['0', '-1', 'x', '1e3', '99999999999', '5, 5', '+3'],
  Authorization: ['Bearer x', 'Basic ', 'x'.repeat(3000)],
  'X-Astro': ['1'],
  'X-Perrario-Keep': ['1'],
  Purpose: ['prefetch'],
}

const headerFault: fc.Arbitrary<Fault> = fc.constantFrom(...Object.keys(HEADERS)).chain((name) => {
  const value = weighted([3, fc.constantFrom(...HEADERS[name]!)], [1, malformedText])
  return fc.record({ at: at('header'), name: fc.constant(name), value })
})

const CONTENT_TYPES = [
  '',
  'application/json',
  'application/json; charset=utf-16',
  'application/jsonx',
  'text/plain',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'multipart/form-data; boundary=""',
  `multipart/form-data; boundary=${'x'.repeat(300)}`,
  'multipart/form-data; boundary=otra',
  'multipart/mixed; boundary=limite',
  'application/x-www-form-urlencoded',
  'application/x-www-form-urlencoded; charset=x',
  'image/png',
  ';',
  '\xff',
]

export const PART_FAULTS = [
  'no end',
  'no start',
  'no header',
  'nested',
  'thousand',
  'no name',
  'lf',
  'long header',
  'encoded',
  'names',
  'only end',
] as const
export const CHUNK_FAULTS = [
  'plain',
  'bad size',
  'no end',
  'huge size',
  'extension',
  'trailer',
  'one by one',
  'negative',
] as const

const LENGTHS = ['+1', '-1', '+1000', 'twice', 'none', 'x', '-5', '99999999999999999999']

const body: fc.Arbitrary<Fault> = weighted<Fault>(
  [10, fc.record({ at: at('field'), n, value: malformedValue })],
  [1, fc.record({ at: at('unknown'), n: fc.nat(80), value: malformedValue })],
  [2, fc.record({ at: fc.constantFrom('drop', 'repeat'), n })],
  [2, fc.record({ at: at('body'), value: malformedJson })],
  [2, fc.record({ at: at('picture'), value: fc.constantFrom(...Object.keys(MALFORMED_PICTURES)) })],
  [2, fc.record({ at: at('parts'), value: fc.constantFrom(...PART_FAULTS) })],
  [1, fc.record({ at: at('type'), value: fc.oneof(fc.constantFrom(...CONTENT_TYPES), malformedText) })],
  [1, fc.record({ at: at('cut'), share: fc.double({ min: 0, max: 1, noNaN: true }) })],
  [1, fc.record({ at: at('chunks'), value: fc.constantFrom(...CHUNK_FAULTS) })],
  [1, fc.record({ at: at('length'), value: fc.constantFrom(...LENGTHS) })],
)

/** As it is, where it often is no HTTP any more, or escaped. */
const raw = weighted([1, fc.constant(true)], [4, fc.constant(false)])

const addressFault: fc.Arbitrary<Fault> = weighted<Fault>(
  [6, fc.record({ at: at('query'), n, value: malformedText, raw })],
  [3, fc.record({ at: fc.constantFrom('segment', 'append'), n, value: malformedText, raw })],
  [2, fc.record({ at: at('target'), value: fc.oneof(fc.constantFrom(...TARGETS), malformedText) })],
  [2, fc.record({ at: at('method'), value: fc.constantFrom(...METHODS) })],
)

const fault = weighted([5, body], [3, addressFault], [2, headerFault])

/** Most are right but in one place, and sent by whom they are for: those get farthest. */
export const malformedCases: fc.Arbitrary<MalformedCase> = fc.record({
  route: fc.constantFrom(...WEIGHTED_ROUTES),
  role: weighted<MalformedCase['role']>([5, fc.constant('meant')], [2, fc.constantFrom(...SOAK_ROLES)]),
  body: fc.constantFrom('json', 'form', 'parts'),
  faults: weighted(
    [5, fc.array(fault, { minLength: 1, maxLength: 1 })],
    [4, fc.array(fault, { minLength: 2, maxLength: 4 })],
    [1, fc.constant<Fault[]>([])],
  ),
})
