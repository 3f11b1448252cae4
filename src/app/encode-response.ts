import type { IncomingMessage } from 'node:http'
import { encodeUncached, negotiateUncached } from './page-cache/encoding.ts'

/** Types of text; answers of any other type are compressed already, and may be streams. */
const COMPRESSIBLE_TYPE = /^text\/|[/+](?:json|xml)\b/i
/** Smaller bodies fit one packet as they are; a dog of the API's list takes some 900. */
const COMPRESSED_MIN_BYTES = 512

const isCompressible = (headers: Headers): boolean =>
  COMPRESSIBLE_TYPE.test(headers.get('content-type') ?? '') &&
  !headers.has('content-encoding') &&
  !/\bno-transform\b/i.test(headers.get('cache-control') ?? '')

/**
 * The response with its body in the encoding that the client prefers, HEAD's without a length; of any other type as it is, unread. The body is
 * encoded whole: a compressor that waits for a slow reader would hold megabytes that nothing counts (server/connections/unread-answers.ts).
 */
export async function encodeResponse(req: IncomingMessage, response: Response): Promise<Response> {
  if (!isCompressible(response.headers)) return response
  const { status, statusText } = response
  const headers = new Headers(response.headers)
  if (!/\baccept-encoding\b/i.test(headers.get('vary') ?? '')) headers.append('vary', 'Accept-Encoding')
  if (req.method === 'HEAD') headers.delete('content-length')
  if (!response.body || req.method === 'HEAD') return new Response(response.body, { status, statusText, headers })
  const plain = Buffer.from(await response.arrayBuffer())
  const encoding = plain.length < COMPRESSED_MIN_BYTES ? 'identity' : negotiateUncached(req.headers['accept-encoding'])
  const body = encoding === 'identity' ? plain : await encodeUncached(plain, encoding)
  if (encoding !== 'identity') headers.set('content-encoding', encoding)
  headers.set('content-length', String(body.length))
  return new Response(body as Uint8Array<ArrayBuffer>, { status, statusText, headers })
}
