import type { SoakRole } from '#tests/support/matrix/soak-roles.ts'
import type { MalformedCase, Fault } from './malformed-case.ts'
import { ALL_FIELD_NAMES, type RouteFields } from './valid-fields.ts'
import { MALFORMED_PICTURES } from './malformed-input.ts'
import { fillParams } from './path-params.ts'
import { ROUTES } from './routes.ts'

/** What `{dog}` and the like stand for. */
export interface Placeholders {
  ids: Record<string, string>
  cookies: Record<SoakRole, string>
  jpeg: Buffer
}

/** A request as it goes over the wire. */
export interface WireRequest {
  method: string
  target: string
  headers: [string, string][]
  body: Buffer
  bytes: Buffer
  /** False where nobody can say how the request ends, so that no answer is owed. */
  isFramed: boolean
}

const BOUNDARY = 'limite'
const BODY_TYPES = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  parts: `multipart/form-data; boundary=${BOUNDARY}`,
}
/** Headers that change how a request ends. */
const FRAMING_HEADERS = /^(content-length|transfer-encoding|expect|upgrade|connection)$/i

/** As UTF-8, a lone surrogate too. */
export const percentEncode = (text: string): string =>
  [...Buffer.from(text)]
    .map((byte) =>
      /[\w.~-]/.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : `%${byte.toString(16).padStart(2, '0')}`,
    )
    .join('')

const fillPlaceholders = (text: string, { ids }: Placeholders): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => (Object.hasOwn(ids, name) ? ids[name]! : whole))

/** The same within whatever JSON holds. Deeper than anything right is deep it is nasty, and stays. */
function fillPlaceholdersDeep(value: unknown, names: Placeholders, depth = 0): unknown {
  if (typeof value === 'string') return fillPlaceholders(value, names)
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth > 1) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, fillPlaceholdersDeep(each, names, depth + 1)]),
  )
}

const faultsAt = <F extends Fault['at']>(faults: readonly Fault[], ...kinds: F[]) =>
  faults.filter((fault): fault is Extract<Fault, { at: F }> => (kinds as string[]).includes(fault.at))

function buildTarget(one: MalformedCase, names: Placeholders): string {
  const { path, fields } = ROUTES[one.route]!
  const [whole] = faultsAt(one.faults, 'target')
  if (whole) return whole.value
  const write = (value: string, raw: boolean) => (raw ? value : percentEncode(fillPlaceholders(value, names)))
  const segments = (fields.path ?? fillParams(path)).split('/')
  for (const fault of faultsAt(one.faults, 'segment', 'append')) {
    const value = write(fault.value, fault.raw)
    if (fault.at === 'append') segments.push(value)
    else segments[1 + (fault.n % Math.max(1, segments.length - 1))] = value
  }
  const query = Object.entries(fields.query ?? {}).map(
    ([name, value]) => `${percentEncode(name)}=${percentEncode(fillPlaceholders(value, names))}`,
  )
  const known = Object.keys(fields.query ?? {})
  for (const { n, value, raw } of faultsAt(one.faults, 'query')) {
    const name = known.length > 0 ? known[n % known.length]! : ALL_FIELD_NAMES[n % ALL_FIELD_NAMES.length]!
    const said = `${percentEncode(name)}=${write(value, raw)}`
    // Half replace what is right, half stand beside it.
    if (n % 2 && known.length > 0) query[n % known.length] = said
    else query.push(said)
  }
  return fillPlaceholders(segments.join('/') || '/', names) + (query.length > 0 ? `?${query.join('&')}` : '')
}

const toPlainText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/** The fields in order, with what is wrong among them; a name may stand several times. */
function buildEntries(one: MalformedCase, given: Record<string, unknown>, names: Placeholders): [string, unknown][] {
  const entries = Object.entries(given).map(([name, value]): [string, unknown] => [name.trim(), value])
  for (const fault of faultsAt(one.faults, 'field', 'unknown', 'drop', 'repeat')) {
    const entry = entries[fault.n % Math.max(1, entries.length)]
    if (fault.at === 'unknown' || (fault.at === 'field' && !entry))
      entries.push([ALL_FIELD_NAMES[fault.n % ALL_FIELD_NAMES.length]!, fault.value])
    else if (fault.at === 'field') entry![1] = fault.value
    else if (fault.at === 'drop') entries.splice(fault.n % Math.max(1, entries.length), 1)
    else if (entry) entries.push([...entry], [...entry])
  }
  return entries.map(([name, value]) => [name, fillPlaceholdersDeep(value, names)])
}

/** Which kind of body: what was drawn, where the address takes it. */
function chooseBodyKind({ body }: MalformedCase, fields: RouteFields): MalformedCase['body'] {
  const taken = (['json', 'form', 'parts'] as const).filter((kind) => fields[kind])
  return taken.length === 0 || taken.includes(body) ? body : taken[0]!
}

function buildBody(one: MalformedCase, kind: MalformedCase['body'], names: Placeholders): Buffer {
  const [whole] = faultsAt(one.faults, 'body')
  const fields = ROUTES[one.route]!.fields
  if (whole) return Buffer.from(whole.value)
  const entries = buildEntries(one, fields[kind] ?? {}, names)
  if (kind === 'form')
    return Buffer.from(
      entries.map(([name, value]) => `${percentEncode(name)}=${percentEncode(toPlainText(value))}`).join('&'),
    )
  if (kind === 'json')
    return Buffer.from(
      `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value) ?? 'null'}`).join()}}`,
    )
  return buildMultipart(one, entries, names)
}

function buildMultipart(one: MalformedCase, entries: [string, unknown][], { jpeg }: Placeholders): Buffer {
  const games = new Set(faultsAt(one.faults, 'parts').map(({ value }) => value))
  const [picture] = faultsAt(one.faults, 'picture')
  const line = games.has('lf') ? '\n' : '\r\n'
  if (games.has('thousand')) for (let i = 0; i < 1000; i++) entries.push([i % 2 ? 'images' : `campo${i}`, 'x'])
  if (games.has('names')) entries.push(['__proto__', 'x'], ['a"; filename="b', 'x'], ['ñ\r\nX: 1', 'x'])
  if (games.has('nested'))
    entries.push([
      'images',
      `--${BOUNDARY}${line}Content-Type: multipart/mixed; boundary=${BOUNDARY}${line}${line}--${BOUNDARY}--`,
    ])
  const parts = entries.map(([name, value]) => {
    const isPhoto = value === '{jpeg}'
    const bytes = isPhoto ? (picture ? MALFORMED_PICTURES[picture.value]! : jpeg) : Buffer.from(toPlainText(value))
    const head = [
      `Content-Disposition: form-data${games.has('no name') ? '' : `; name="${name}"`}${isPhoto ? '; filename="foto.jpg"' : ''}`,
      ...(isPhoto ? ['Content-Type: image/jpeg'] : []),
      ...(games.has('encoded') ? ['Content-Transfer-Encoding: base64'] : []),
      ...(games.has('long header') ? [`X-Largo: ${'x'.repeat(100_000)}`] : []),
    ]
    const text = `--${BOUNDARY}${line}${games.has('no header') ? '' : head.join(line) + line}${line}`
    return Buffer.concat([Buffer.from(text), bytes, Buffer.from(line)])
  })
  if (games.has('no start')) parts.shift()
  if (games.has('only end')) parts.length = 0
  return Buffer.concat([...parts, Buffer.from(games.has('no end') ? '' : `--${BOUNDARY}--${line}`)])
}

function encodeChunked(body: Buffer, how: string): Buffer {
  const chunk = (bytes: Buffer, size = bytes.length.toString(16)) =>
    Buffer.concat([Buffer.from(`${size}\r\n`), bytes, Buffer.from('\r\n')])
  const end = Buffer.from('0\r\n\r\n')
  const some = body.length > 0 ? body : Buffer.from('x')
  const ways: Record<string, Buffer[]> = {
    'bad size': [chunk(some, 'zz')],
    'no end': [chunk(some)],
    'huge size': [chunk(some, 'ffffffffffffffff')],
    negative: [chunk(some, '-1')],
    extension: [chunk(some, `${some.length.toString(16)};${'x'.repeat(5000)}`), end],
    trailer: [chunk(some), Buffer.from('0\r\nContent-Length: 5\r\nCookie: perrario=x\r\n\r\n')],
    'one by one': [...[...some.subarray(0, 2000)].map((byte) => chunk(Buffer.from([byte]))), end],
  }
  return Buffer.concat(ways[how] ?? [chunk(some), end])
}

const WRONG_LENGTHS: Record<string, (length: number) => string> = {
  '+1': (length) => String(length + 1),
  '-1': (length) => String(Math.max(0, length - 1)),
  '+1000': (length) => String(length + 1000),
  twice: (length) => `${length}\r\nContent-Length: ${length + 1}`,
}

/** The bytes of a case. @param ip whom it comes from: limits are tested elsewhere */
export function buildWireRequest(one: MalformedCase, names: Placeholders, ip: string): WireRequest {
  const route = ROUTES[one.route]!
  const { faults } = one
  const method = faultsAt(faults, 'method')[0]?.value ?? route.method
  const target = buildTarget(one, names)
  const kind = chooseBodyKind(one, route.fields)
  const isSent = !['GET', 'HEAD'].includes(method) || faultsAt(faults, 'body', 'chunks', 'length').length > 0
  let body = isSent ? buildBody(one, kind, names) : Buffer.alloc(0)
  for (const { share } of faultsAt(faults, 'cut')) body = body.subarray(0, Math.floor(body.length * share))
  const type = faultsAt(faults, 'type')[0]?.value ?? BODY_TYPES[kind]
  const cookie = names.cookies[one.role === 'meant' ? (route.fields.as ?? 'owner') : one.role]
  const headers: [string, string][] = [
    ['Host', '127.0.0.1'],
    ['X-Forwarded-For', ip],
    ...(cookie ? ([['Cookie', cookie]] as [string, string][]) : []),
    ...(isSent && type ? ([['Content-Type', type]] as [string, string][]) : []),
    ...Object.entries(route.fields.headers ?? {}).map(([name, value]): [string, string] => [
      name,
      fillPlaceholders(value, names),
    ]),
  ]
  const wrong = faultsAt(faults, 'header')
  for (const { name, value } of wrong) {
    const there = headers.find(([known]) => known === name)
    // Now instead of what is right, now beside it.
    if (there && value.length % 2) there[1] = value
    else headers.push([name, value])
  }
  const [chunks] = faultsAt(faults, 'chunks')
  const [length] = faultsAt(faults, 'length')
  if (chunks) {
    headers.push(['Transfer-Encoding', 'chunked'])
    body = encodeChunked(body, chunks.value)
  } else if (length?.value !== 'none' && (isSent || length))
    headers.push([
      'Content-Length',
      length ? (WRONG_LENGTHS[length.value]?.(body.length) ?? length.value) : String(body.length),
    ])
  const head = [`${method} ${target} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`), '\r\n'].join(
    '\r\n',
  )
  const isFramed =
    !chunks &&
    !length &&
    method !== 'CONNECT' &&
    !wrong.some(({ name, value }) => FRAMING_HEADERS.test(name) || /[\r\n]/.test(value)) &&
    !/[\r\n ]/.test(target) &&
    !/[\r\n]/.test(type)
  return { method, target, headers, body, bytes: Buffer.concat([Buffer.from(head), body]), isFramed }
}

/** The request as one could send it from a shell. */
export function formatCurl({ method, target, headers, body }: WireRequest, url: string): string {
  const quoted = (text: string) =>
    /^[\x20-\x26\x28-\x7e]*$/.test(text)
      ? `'${text}'`
      : `$'${[...Buffer.from(text)].map((byte) => (byte > 31 && byte < 127 && byte !== 39 && byte !== 92 ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`)).join('')}'`
  const cut = (text: string) => (text.length > 600 ? `${text.slice(0, 600)}…(${text.length})` : text)
  const said = headers.map(([name, value]) => `-H ${quoted(`${name}: ${cut(value)}`)}`)
  const data = body.length > 0 ? ` --data-binary ${quoted(cut(body.toString('latin1')))}` : ''
  return `curl -i -X ${quoted(method)} --request-target ${quoted(cut(target))} ${said.join(' ')}${data} ${url}`
}
