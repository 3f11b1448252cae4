import { MIMEType } from 'node:util'
import { AppError, invalid } from '#lib/errors.ts'

/** What a form without files may weigh: the longest text of ours many times over. */
const FIELDS_MAX = 64 * 1024
/** More than any form of ours has: ten photos, what is said of each, and a dog's fields. */
const PARTS_MAX = 100

const MULTIPART = /^multipart\/form-data\b/i
const FIELDS = /^application\/x-www-form-urlencoded\b/i

/**
 * How much of a form's body is taken of what its endpoint allows: files alone are large.
 * @throws AppError 415 for what is no form
 */
export function formLimit(type: string, limit: number): number {
  if (MULTIPART.test(type)) return limit
  if (FIELDS.test(type)) return Math.min(limit, FIELDS_MAX)
  throw new AppError(415, 'Se esperaba multipart/form-data.')
}

/**
 * The fields of a form's body. Parsing takes one turn of the event loop, in which nobody else is answered, and for each
 * field time and memory: millions of fields of a byte are refused uncounted.
 * @throws AppError 422
 */
export async function parseForm(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<FormData> {
  if (MULTIPART.test(type) && hasMore(bytes, boundaryOf(type), PARTS_MAX))
    throw invalid('El formulario tiene demasiados campos.')
  try {
    return await new Response(bytes, { headers: { 'Content-Type': type } }).formData()
  } catch {
    throw invalid('El formulario no se pudo leer.')
  }
}

/** What stands before each part, read from the header as the parser reads it. */
function boundaryOf(type: string): string {
  try {
    return new MIMEType(type).params.get('boundary') ?? ''
  } catch {
    return ''
  }
}

function hasMore(bytes: Uint8Array<ArrayBuffer>, boundary: string, most: number): boolean {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const mark = Buffer.from(`--${boundary}`, 'latin1')
  let count = 0
  // The mark at the end is no part's.
  for (let at = body.indexOf(mark); at >= 0; at = body.indexOf(mark, at + mark.length))
    if (++count > most + 1) return true
  return false
}
