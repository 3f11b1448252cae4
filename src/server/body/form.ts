import { AppError, invalid } from '#lib/errors.ts'

/** Bytes of a form without files: several times the longest text that the site accepts. */
const FIELDS_MAX_BYTES = 64 * 1024
/** More than any of our forms has: ten photos with their texts, and a dog's fields. */
const MAX_PARTS = 100
/** Bytes of a part's headers: a name, a percent-encoded file name of 255 characters, a type. */
const PART_HEADERS_MAX_BYTES = 2048
const DASH = 0x2d

const TOO_MANY = 'El formulario tiene demasiados campos.'
const TOO_LONG = 'El formulario tiene demasiado texto.'
const UNREADABLE = 'El formulario no se pudo leer.'

const MULTIPART = /^multipart\/form-data\b/i
/**
 * One type with one boundary (RFC 2046 §5.1.1), as browsers, curl and HTTP libraries write it, and nothing else: two parsers may
 * read two boundaries from an unusual spelling.
 */
const MULTIPART_WITH_BOUNDARY = /^multipart\/form-data;[ \t]?boundary=(?:([\w'+.-]{1,70})|"([\w'()+,./:=?-]{1,70})")$/i
const URL_ENCODED = 'application/x-www-form-urlencoded'
const URL_ENCODED_PATTERN = /^application\/x-www-form-urlencoded\b/i

/**
 * How many bytes of a form's body are accepted: `limit`, which its endpoint allows, only where it may hold files.
 * @throws AppError 415 for any other type than a form's
 */
export function formMaxBytes(type: string, limit: number): number {
  if (MULTIPART.test(type)) return limit
  if (URL_ENCODED_PATTERN.test(type)) return Math.min(limit, FIELDS_MAX_BYTES)
  throw new AppError(415, 'Se esperaba multipart/form-data.')
}

/**
 * The fields of a form's body. Parsing blocks the event loop and takes time and memory for each part and its headers: a body with
 * more parts than our forms have is refused unparsed.
 * @throws AppError 422
 */
export async function parseForm(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<FormData> {
  const parsed = MULTIPART.test(type) ? await parseMultipart(bytes, type) : await parseFormData(bytes, URL_ENCODED)
  let textLength = 0
  for (const value of parsed.values()) if (typeof value === 'string') textLength += value.length
  if (textLength > FIELDS_MAX_BYTES) throw invalid(TOO_LONG)
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

/** Counts every `delimiter`, which precedes each part and the end, and checks that the headers after it end in time. @throws AppError 422 */
function assertPartLimits(body: Buffer, delimiter: string): void {
  let count = 0
  for (let at = body.indexOf(delimiter); at >= 0; at = body.indexOf(delimiter, at + delimiter.length)) {
    if (++count > MAX_PARTS + 1) throw invalid(TOO_MANY)
    const after = at + delimiter.length
    const isEnd = body[after] === DASH && body[after + 1] === DASH
    if (!isEnd && !body.subarray(after, after + PART_HEADERS_MAX_BYTES).includes('\r\n\r\n')) throw invalid(UNREADABLE)
  }
}
