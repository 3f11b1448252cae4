import { AppError, invalid } from '#lib/errors.ts'

/** What a form without files may weigh: the longest text of ours many times over. */
const FIELDS_MAX_BYTES = 64 * 1024
/** More than any form of ours has: ten photos, what is said of each, and a dog's fields. */
const MAX_PARTS = 100
/** What says what a part is: a name, a file's name of 255 characters percent-encoded, its type. */
const PART_HEADERS_MAX_BYTES = 2048
const DASH = 0x2d

const TOO_MANY = 'El formulario tiene demasiados campos.'
const TOO_LONG = 'El formulario tiene demasiado texto.'
const UNREADABLE = 'El formulario no se pudo leer.'

const MULTIPART = /^multipart\/form-data\b/i
/**
 * One type with one boundary (RFC 2046 §5.1.1), as browsers, curl and HTTP libraries write it, and nothing else: of a header
 * that is spelt oddly, two readers may take two boundaries.
 */
const MULTIPART_WITH_BOUNDARY = /^multipart\/form-data;[ \t]?boundary=(?:([\w'+.-]{1,70})|"([\w'()+,./:=?-]{1,70})")$/i
const URL_ENCODED = 'application/x-www-form-urlencoded'
const URL_ENCODED_PATTERN = /^application\/x-www-form-urlencoded\b/i

/**
 * How much of a form's body is taken of what its endpoint allows: files alone are large.
 * @throws AppError 415 for what is no form
 */
export function formMaxBytes(type: string, limit: number): number {
  if (MULTIPART.test(type)) return limit
  if (URL_ENCODED_PATTERN.test(type)) return Math.min(limit, FIELDS_MAX_BYTES)
  throw new AppError(415, 'Se esperaba multipart/form-data.')
}

/**
 * The fields of a form's body. Parsing takes one turn of the event loop, in which nobody else is answered, and for each
 * field, and for what is said of it, time and memory: what has more of them than a form of ours is refused unparsed.
 * @throws AppError 422
 */
export async function parseForm(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<FormData> {
  const parsed = MULTIPART.test(type) ? await parseMultipart(bytes, type) : await parseFormData(bytes, URL_ENCODED)
  let written = 0
  for (const value of parsed.values()) if (typeof value === 'string') written += value.length
  if (written > FIELDS_MAX_BYTES) throw invalid(TOO_LONG)
  return parsed
}

async function parseMultipart(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<FormData> {
  const [, token, quoted] = MULTIPART_WITH_BOUNDARY.exec(type) ?? []
  const boundary = token ?? quoted
  if (boundary === undefined) throw invalid(UNREADABLE)
  assertPartLimits(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), `--${boundary}`)
  return parseFormData(bytes, `multipart/form-data; boundary="${boundary}"`)
}

async function parseFormData(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<FormData> {
  try {
    return await new Response(bytes, { headers: { 'Content-Type': type } }).formData()
  } catch {
    throw invalid(UNREADABLE)
  }
}

/** Counts every `mark`, which stands before each part and at the end, and looks at what follows as far as a head may go. */
function assertPartLimits(body: Buffer, mark: string): void {
  let count = 0
  for (let at = body.indexOf(mark); at >= 0; at = body.indexOf(mark, at + mark.length)) {
    if (++count > MAX_PARTS + 1) throw invalid(TOO_MANY)
    const after = at + mark.length
    const isEnd = body[after] === DASH && body[after + 1] === DASH
    if (!isEnd && !body.subarray(after, after + PART_HEADERS_MAX_BYTES).includes('\r\n\r\n')) throw invalid(UNREADABLE)
  }
}
