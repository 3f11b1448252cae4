/**
 * What an answer with fixed bytes says to a request that may already have them, or wants a part: RFC 9110, sections 13
 * and 14. Whoever holds the bytes sends what this decides, so that files and photos cannot differ.
 */

/** The bytes as they would be sent whole. The headers say how long they may be kept and what they vary with. */
export interface Representation {
  /** Strong: the same tag means the same bytes. */
  etag: string
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
  /** The part of the bytes to send, `to` exclusive; empty where there is no body. */
  from: number
  to: number
}

/** @param method GET or HEAD */
export function evaluateConditions(
  method: string,
  asked: ConditionalHeaders,
  { etag, size, headers }: Representation,
): ConditionalReply {
  const lasting = { ...headers, ETag: etag, 'Accept-Ranges': 'bytes' }
  if (matchesEtag(asked['if-none-match'], etag)) {
    const { 'Content-Type': _, 'Content-Encoding': __, ...kept } = lasting as Record<string, string>
    return { status: 304, headers: kept, from: 0, to: 0 }
  }
  const isHead = method === 'HEAD'
  // A part of something that has changed meanwhile would be pasted onto the old one; HEAD has no parts.
  const stands = asked['if-range'] === undefined || asked['if-range'] === etag
  const range = isHead || !stands || asked.range === undefined ? null : parseRange(asked.range, size)
  if (range === 'unsatisfiable') {
    // Not to be kept as long as the picture would be.
    const refusal = { 'Content-Range': `bytes */${size}`, 'Cache-Control': 'no-store', 'Content-Length': 0 }
    return { status: 416, headers: refusal, from: 0, to: 0 }
  }
  if (!range) return { status: 200, headers: { ...lasting, 'Content-Length': size }, from: 0, to: isHead ? 0 : size }
  const { from, to } = range
  const part = { 'Content-Range': `bytes ${from}-${to - 1}/${size}`, 'Content-Length': to - from }
  return { status: 206, headers: { ...lasting, ...part }, from, to }
}

/** Weak comparison, as a cache that only wants to know whether to keep its copy asks for. */
export function matchesEtag(asked: string | undefined, etag: string): boolean {
  if (asked === undefined) return false
  if (asked === etag || asked === '*') return true
  return asked.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}

/**
 * The one part that is asked for. Null where the answer is everything: other units, nonsense, and lists of parts, which no
 * browser sends for our files and which would have the server stitch a thousand overlapping bytes together.
 */
export function parseRange(asked: string, size: number): { from: number; to: number } | 'unsatisfiable' | null {
  const [match, first, last] = /^bytes=(\d*)-(\d*)$/i.exec(asked.trim()) ?? []
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

export type Encoding = 'br' | 'gzip'

/**
 * The encodings a browser takes, the best first (brotli before gzip where it likes both as much). What it does not name,
 * forbids (`q=0`) or spells wrong it does not get; as it is, it gets a file always.
 */
export function acceptedEncodings(accept: string | undefined): Encoding[] {
  // What nearly every browser sends, without a list being made of it.
  if (!accept) return []
  if (accept === 'gzip, deflate, br, zstd' || accept === 'gzip, deflate, br') return ['br', 'gzip']
  const weights = new Map<string, number>()
  for (const part of accept.slice(0, 500).toLowerCase().split(',')) {
    const [, name, weight = '1'] = /^\s*([a-z*-]+)\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?$/.exec(part) ?? []
    if (name && !weights.has(name)) weights.set(name, Math.min(1, Number(weight)))
  }
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0
  const identity = weights.get('identity') ?? 0
  const taken = (['br', 'gzip'] as const).filter((name) => weightOf(name) > 0 && weightOf(name) >= identity)
  return taken.toSorted((a, b) => weightOf(b) - weightOf(a))
}
