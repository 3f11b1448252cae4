import type { Role } from '#tests/support/matrix.ts'
import type { Case, Fault } from './case.ts'
import { ALL_NAMES, type Fields } from './fields.ts'
import { PICTURES } from './nasty.ts'
import { fillParams } from './params.ts'
import { ROUTES } from './routes.ts'

/** What `{dog}` and the like stand for. */
export interface Names {
  ids: Record<string, string>
  cookies: Record<Role, string>
  jpeg: Buffer
}

/** A request as it goes over the wire. */
export interface Wire {
  method: string
  target: string
  headers: [string, string][]
  body: Buffer
  bytes: Buffer
  /** False where nobody can say how the request ends, so that no answer is owed. */
  isFramed: boolean
}

const EDGE = 'limite'
const BODY_TYPES = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  parts: `multipart/form-data; boundary=${EDGE}`,
}
/** Headers that change how a request ends. */
const FRAMING = /^(content-length|transfer-encoding|expect|upgrade|connection)$/i

/** As UTF-8, a lone surrogate too. */
export const escaped = (text: string): string =>
  [...Buffer.from(text)]
    .map((byte) =>
      /[\w.~-]/.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : `%${byte.toString(16).padStart(2, '0')}`,
    )
    .join('')

const filled = (text: string, { ids }: Names): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => (Object.hasOwn(ids, name) ? ids[name]! : whole))

/** The same within whatever JSON holds. Deeper than anything right is deep it is nasty, and stays. */
function filledIn(value: unknown, names: Names, depth = 0): unknown {
  if (typeof value === 'string') return filled(value, names)
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth > 1) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, filledIn(each, names, depth + 1)]))
}

const of = <F extends Fault['at']>(faults: readonly Fault[], ...kinds: F[]) =>
  faults.filter((fault): fault is Extract<Fault, { at: F }> => (kinds as string[]).includes(fault.at))

function targetOf(one: Case, names: Names): string {
  const { path, fields } = ROUTES[one.route]!
  const [whole] = of(one.faults, 'target')
  if (whole) return whole.value
  const write = (value: string, raw: boolean) => (raw ? value : escaped(filled(value, names)))
  const segments = (fields.path ?? fillParams(path)).split('/')
  for (const fault of of(one.faults, 'segment', 'append')) {
    const value = write(fault.value, fault.raw)
    if (fault.at === 'append') segments.push(value)
    else segments[1 + (fault.n % Math.max(1, segments.length - 1))] = value
  }
  const query = Object.entries(fields.query ?? {}).map(
    ([name, value]) => `${escaped(name)}=${escaped(filled(value, names))}`,
  )
  const known = Object.keys(fields.query ?? {})
  for (const { n, value, raw } of of(one.faults, 'query')) {
    const name = known.length > 0 ? known[n % known.length]! : ALL_NAMES[n % ALL_NAMES.length]!
    const said = `${escaped(name)}=${write(value, raw)}`
    // Half replace what is right, half stand beside it.
    if (n % 2 && known.length > 0) query[n % known.length] = said
    else query.push(said)
  }
  return filled(segments.join('/') || '/', names) + (query.length > 0 ? `?${query.join('&')}` : '')
}

const plain = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/** The fields in order, with what is wrong among them; a name may stand several times. */
function entriesOf(one: Case, given: Record<string, unknown>, names: Names): [string, unknown][] {
  const entries = Object.entries(given).map(([name, value]): [string, unknown] => [name.trim(), value])
  for (const fault of of(one.faults, 'field', 'unknown', 'drop', 'repeat')) {
    const entry = entries[fault.n % Math.max(1, entries.length)]
    if (fault.at === 'unknown' || (fault.at === 'field' && !entry))
      entries.push([ALL_NAMES[fault.n % ALL_NAMES.length]!, fault.value])
    else if (fault.at === 'field') entry![1] = fault.value
    else if (fault.at === 'drop') entries.splice(fault.n % Math.max(1, entries.length), 1)
    else if (entry) entries.push([...entry], [...entry])
  }
  return entries.map(([name, value]) => [name, filledIn(value, names)])
}

/** Which kind of body: what was drawn, where the address takes it. */
function kindOf({ body }: Case, fields: Fields): Case['body'] {
  const taken = (['json', 'form', 'parts'] as const).filter((kind) => fields[kind])
  return taken.length === 0 || taken.includes(body) ? body : taken[0]!
}

function bodyOf(one: Case, kind: Case['body'], names: Names): Buffer {
  const [whole] = of(one.faults, 'body')
  const fields = ROUTES[one.route]!.fields
  if (whole) return Buffer.from(whole.value)
  const entries = entriesOf(one, fields[kind] ?? {}, names)
  if (kind === 'form')
    return Buffer.from(entries.map(([name, value]) => `${escaped(name)}=${escaped(plain(value))}`).join('&'))
  if (kind === 'json')
    return Buffer.from(
      `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value) ?? 'null'}`).join()}}`,
    )
  return multipart(one, entries, names)
}

function multipart(one: Case, entries: [string, unknown][], { jpeg }: Names): Buffer {
  const games = new Set(of(one.faults, 'parts').map(({ value }) => value))
  const [picture] = of(one.faults, 'picture')
  const line = games.has('lf') ? '\n' : '\r\n'
  if (games.has('thousand')) for (let i = 0; i < 1000; i++) entries.push([i % 2 ? 'images' : `campo${i}`, 'x'])
  if (games.has('names')) entries.push(['__proto__', 'x'], ['a"; filename="b', 'x'], ['ñ\r\nX: 1', 'x'])
  if (games.has('nested'))
    entries.push(['images', `--${EDGE}${line}Content-Type: multipart/mixed; boundary=${EDGE}${line}${line}--${EDGE}--`])
  const parts = entries.map(([name, value]) => {
    const isPhoto = value === '{jpeg}'
    const bytes = isPhoto ? (picture ? PICTURES[picture.value]! : jpeg) : Buffer.from(plain(value))
    const head = [
      `Content-Disposition: form-data${games.has('no name') ? '' : `; name="${name}"`}${isPhoto ? '; filename="foto.jpg"' : ''}`,
      ...(isPhoto ? ['Content-Type: image/jpeg'] : []),
      ...(games.has('encoded') ? ['Content-Transfer-Encoding: base64'] : []),
      ...(games.has('long header') ? [`X-Largo: ${'x'.repeat(100_000)}`] : []),
    ]
    const text = `--${EDGE}${line}${games.has('no header') ? '' : head.join(line) + line}${line}`
    return Buffer.concat([Buffer.from(text), bytes, Buffer.from(line)])
  })
  if (games.has('no start')) parts.shift()
  if (games.has('only end')) parts.length = 0
  return Buffer.concat([...parts, Buffer.from(games.has('no end') ? '' : `--${EDGE}--${line}`)])
}

function chunked(body: Buffer, how: string): Buffer {
  const chunk = (bytes: Buffer, size = bytes.length.toString(16)) =>
    Buffer.concat([Buffer.from(`${size}\r\n`), bytes, Buffer.from('\r\n')])
  const end = Buffer.from('0\r\n\r\n')
  const some = body.length > 0 ? body : Buffer.from('x')
  switch (how) {
    case 'bad size':
      return chunk(some, 'zz')
    case 'no end':
      return chunk(some)
    case 'huge size':
      return chunk(some, 'ffffffffffffffff')
    case 'negative':
      return chunk(some, '-1')
    case 'extension':
      return Buffer.concat([chunk(some, `${some.length.toString(16)};${'x'.repeat(5000)}`), end])
    case 'trailer':
      return Buffer.concat([chunk(some), Buffer.from('0\r\nContent-Length: 5\r\nCookie: perrario=x\r\n\r\n')])
    case 'one by one':
      return Buffer.concat([...some.subarray(0, 2000)].map((byte) => chunk(Buffer.from([byte]))).concat(end))
    default:
      return Buffer.concat([chunk(some), end])
  }
}

const LENGTHS: Record<string, (length: number) => string> = {
  '+1': (length) => String(length + 1),
  '-1': (length) => String(Math.max(0, length - 1)),
  '+1000': (length) => String(length + 1000),
  twice: (length) => `${length}\r\nContent-Length: ${length + 1}`,
}

/** The bytes of a case. @param ip whom it comes from: limits are tested elsewhere */
export function wireOf(one: Case, names: Names, ip: string): Wire {
  const route = ROUTES[one.route]!
  const { faults } = one
  const method = of(faults, 'method')[0]?.value ?? route.method
  const target = targetOf(one, names)
  const kind = kindOf(one, route.fields)
  const isSent = !['GET', 'HEAD'].includes(method) || of(faults, 'body', 'chunks', 'length').length > 0
  let body = isSent ? bodyOf(one, kind, names) : Buffer.alloc(0)
  for (const { share } of of(faults, 'cut')) body = body.subarray(0, Math.floor(body.length * share))
  const type = of(faults, 'type')[0]?.value ?? BODY_TYPES[kind]
  const cookie = names.cookies[one.role === 'meant' ? (route.fields.as ?? 'owner') : one.role]
  const headers: [string, string][] = [
    ['Host', '127.0.0.1'],
    ['X-Forwarded-For', ip],
    ...(cookie ? ([['Cookie', cookie]] as [string, string][]) : []),
    ...(isSent && type ? ([['Content-Type', type]] as [string, string][]) : []),
    ...Object.entries(route.fields.headers ?? {}).map(([name, value]): [string, string] => [
      name,
      filled(value, names),
    ]),
  ]
  const wrong = of(faults, 'header')
  for (const { name, value } of wrong) {
    const there = headers.find(([known]) => known === name)
    // Now instead of what is right, now beside it.
    if (there && value.length % 2) there[1] = value
    else headers.push([name, value])
  }
  const [chunks] = of(faults, 'chunks')
  const [length] = of(faults, 'length')
  if (chunks) {
    headers.push(['Transfer-Encoding', 'chunked'])
    body = chunked(body, chunks.value)
  } else if (length?.value !== 'none' && (isSent || length))
    headers.push([
      'Content-Length',
      length ? (LENGTHS[length.value]?.(body.length) ?? length.value) : String(body.length),
    ])
  const head = [`${method} ${target} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`), '\r\n'].join(
    '\r\n',
  )
  const isFramed =
    !chunks &&
    !length &&
    method !== 'CONNECT' &&
    !wrong.some(({ name, value }) => FRAMING.test(name) || /[\r\n]/.test(value)) &&
    !/[\r\n ]/.test(target) &&
    !/[\r\n]/.test(type)
  return { method, target, headers, body, bytes: Buffer.concat([Buffer.from(head), body]), isFramed }
}

/** The request as one could send it from a shell. */
export function curlOf({ method, target, headers, body }: Wire, url: string): string {
  const quoted = (text: string) =>
    /^[\x20-\x26\x28-\x7e]*$/.test(text)
      ? `'${text}'`
      : `$'${[...Buffer.from(text)].map((byte) => (byte > 31 && byte < 127 && byte !== 39 && byte !== 92 ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`)).join('')}'`
  const cut = (text: string) => (text.length > 600 ? `${text.slice(0, 600)}…(${text.length})` : text)
  const said = headers.map(([name, value]) => `-H ${quoted(`${name}: ${cut(value)}`)}`)
  const data = body.length > 0 ? ` --data-binary ${quoted(cut(body.toString('latin1')))}` : ''
  return `curl -i -X ${quoted(method)} --request-target ${quoted(cut(target))} ${said.join(' ')}${data} ${url}`
}
