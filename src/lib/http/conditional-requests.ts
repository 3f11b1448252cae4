/**
 * Conditional and range requests for an answer with fixed bytes (RFC 9110, sections 13 and 14). Files and photos share these
 * decisions, so that they cannot differ.
 */

/** The complete bytes. The headers say how long they may be cached and what they vary with. */
export interface Representation {
  /** Strong: the same tag means the same bytes. */
  etag: string
  /** Bytes. */
  size: number
  headers: Record<string, string>
}

/** The conditions and the range of a request, by Node's names for them. */
export interface ConditionalHeaders {
  'if-none-match'?: string | undefined
  'if-range'?: string | undefined
  range?: string | undefined
}

export interface ConditionalReply {
  status: 200 | 206 | 304 | 416
  headers: Record<string, string | number>
  /** The bytes to send, `to` exclusive; equal where there is no body. */
  from: number
  to: number
}

/**
 * Decides the answer to a GET or HEAD, in the order of RFC 9110 §13.2.2: If-None-Match, then If-Range, then Range.
 * @param method `HEAD` ignores ranges and has no body; anything else is answered as GET
 */
export function evaluateConditions(
  method: string,
  requested: ConditionalHeaders,
  { etag, size, headers }: Representation,
): ConditionalReply {
  const baseHeaders = { ...headers, ETag: etag, 'Accept-Ranges': 'bytes' }
  if (matchesEtag(requested['if-none-match'], etag)) {
    const { 'Content-Type': _, 'Content-Encoding': __, ...remaining } = baseHeaders as Record<string, string>
    return { status: 304, headers: remaining, from: 0, to: 0 }
  }
  const isHead = method === 'HEAD'
  // The client would append a range of changed bytes to the old ones. HEAD has no ranges.
  const isUnchanged = requested['if-range'] === undefined || requested['if-range'] === etag
  const range = isHead || !isUnchanged || requested.range === undefined ? null : parseRange(requested.range, size)
  if (range === 'unsatisfiable') {
    // Not cached as long as the file would be.
    const refusal = { 'Content-Range': `bytes */${size}`, 'Cache-Control': 'no-store', 'Content-Length': 0 }
    return { status: 416, headers: refusal, from: 0, to: 0 }
  }
  if (!range)
    return { status: 200, headers: { ...baseHeaders, 'Content-Length': size }, from: 0, to: isHead ? 0 : size }
  const { from, to } = range
  const part = { 'Content-Range': `bytes ${from}-${to - 1}/${size}`, 'Content-Length': to - from }
  return { status: 206, headers: { ...baseHeaders, ...part }, from, to }
}

/** A member of a list of entity tags (RFC 9110 §8.8.3): the quoted tag, which may contain commas, without its `W/`. */
const LISTED_TAG = /(?:^|,)[ \t]*(?:W\/)?("[!#-~\x80-\xff]*")[ \t]*(?=,|$)/g

/**
 * Whether the client has the representation with this `etag`, so that a GET or HEAD is answered 304 (RFC 9110 §13.1.2). Tags are
 * compared weakly (§8.8.3.2): `W/` is ignored on both sides.
 * @param ifNoneMatch the header: `*`, which any representation matches, or a list of entity tags; undefined where it was not sent. Members
 *   that are not entity tags match nothing
 * @param etag quoted, with or without `W/`
 */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch === etag || ifNoneMatch === '*') return true
  const opaqueTag = etag.startsWith('W/') ? etag.slice(2) : etag
  for (const [, tag] of ifNoneMatch.matchAll(LISTED_TAG)) if (tag === opaqueTag) return true
  return false
}

/**
 * Parses a `Range` header with one range (RFC 9110 §14.1.2, §14.2).
 * @param size bytes of the whole
 * @returns bytes, `to` exclusive; `unsatisfiable` where none of them exists (416); null where the answer is the whole: other units, malformed
 *   headers, and lists of ranges, which no browser sends for our files and which could overlap a thousand times
 */
export function parseRange(header: string, size: number): { from: number; to: number } | 'unsatisfiable' | null {
  const [match, first, last] = /^bytes=(\d*)-(\d*)$/i.exec(header.trim()) ?? []
  if (match === undefined || (!first && !last)) return null
  if (!first) {
    const from = Math.max(0, size - Number(last))
    return from < size ? { from, to: size } : 'unsatisfiable'
  }
  const from = Number(first)
  if (last && Number(last) < from) return null
  if (from >= size) return 'unsatisfiable'
  return { from, to: last ? Math.min(Number(last) + 1, size) : size }
}

/** What is kept compressed. */
export type Encoding = 'br' | 'gzip'

const KEPT_ENCODINGS = ['br', 'gzip'] as const

/** What nearly every browser sends: no parsing. */
const BROWSERS_ACCEPT = ['gzip, deflate, br, zstd', 'gzip, deflate, br']

/**
 * The encodings of `offered` that a client accepts (RFC 9110 §12.5.3), best first: by the client's weights, equal ones in the order of `offered`. Encodings
 * that the header does not name, forbids (`q=0`) or misspells are left out. Every client accepts `identity`.
 */
export function acceptedEncodings(accept: string | undefined): readonly Encoding[]
export function acceptedEncodings<Name extends string>(
  accept: string | undefined,
  offered: readonly Name[],
): readonly Name[]
export function acceptedEncodings(
  accept: string | undefined,
  offered: readonly string[] = KEPT_ENCODINGS,
): readonly string[] {
  if (!accept) return []
  if (offered === KEPT_ENCODINGS && BROWSERS_ACCEPT.includes(accept)) return KEPT_ENCODINGS
  const weights = new Map<string, number>()
  for (const part of accept.slice(0, 500).toLowerCase().split(',')) {
    const [, name, weight = '1'] = /^\s*([a-z*-]+)\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?$/.exec(part) ?? []
    if (name && !weights.has(name)) weights.set(name, Math.min(1, Number(weight)))
  }
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0
  const identity = weights.get('identity') ?? 0
  return offered
    .filter((name) => weightOf(name) > 0 && weightOf(name) >= identity)
    .toSorted((a, b) => weightOf(b) - weightOf(a))
}
