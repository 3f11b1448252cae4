import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip, zstdCompress, zstdCompressSync } from 'node:zlib'
import { acceptedEncodings } from '#lib/http/conditional-requests.ts'

/** An answer's bytes, and how they are encoded. */
export interface Encoded {
  encoding: 'br' | 'gzip' | 'zstd' | 'identity'
  body: Buffer
}

/** Smaller bodies fit one packet as they are; a dog of the API's list takes some 900. */
const COMPRESSED_MIN_BYTES = 512
/** Of brotli and gzip for cached pages, which are sent many times but live only until the next change. */
const CACHED_QUALITY = { br: 5, gzip: 6 }
/**
 * Of all three for answers that are sent once, by measure (70 kB of a list): brotli 1 takes 0.15 ms of processor for 16.5 kB, zstd 1 as long for
 * 16.0, gzip 1 0.46 ms for 16.7; brotli 2 takes 0.29 ms for 15.5.
 */
const ONCE_QUALITY = 1
/** A larger window takes memory, and its page faults as long again. */
const ONCE_BROTLI_WINDOW = 18
/** An encoded page fits it: several parts of the usual size would be joined to one more. */
const OUTPUT_BYTES = 32 * 1024
/** Up to this size, which every page of the site is below, brotli and zstd run on the main thread: libuv's take as long for themselves. */
const SYNCHRONOUS_MAX_BYTES = 128 * 1024

const compressors = {
  gzip: promisify(gzip),
  zstd: promisify(zstdCompress),
  br: promisify(brotliCompress),
}

const brotliParams = (body: Buffer, quality: number, window: number) => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_LGWIN]: window,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
  },
})

/** The encoding of a cached page for an `Accept-Encoding` header (RFC 9110 §12.5.3); `identity` for a malformed one. */
export const negotiateEncoding = (accept: string | undefined): 'br' | 'gzip' | 'identity' =>
  acceptedEncodings(accept)[0] ?? 'identity'

/** Compresses a page that is cached, on libuv's threads; a small one stays as it is. */
export async function encodeCached(plain: Buffer, encoding: 'br' | 'gzip' | 'identity'): Promise<Encoded> {
  if (encoding === 'identity' || plain.length < COMPRESSED_MIN_BYTES) return { encoding: 'identity', body: plain }
  const compressed =
    encoding === 'gzip'
      ? await compressors.gzip(plain, { level: CACHED_QUALITY.gzip })
      : await compressors.br(plain, brotliParams(plain, CACHED_QUALITY.br, constants.BROTLI_DEFAULT_WINDOW))
  // zlib gives out a part of a larger buffer, which would stay in memory with it.
  const body = Buffer.allocUnsafeSlow(compressed.length)
  compressed.copy(body)
  return { encoding, body }
}

/**
 * Compresses an answer that is sent once: with zstd or brotli a small one at once, everything else on libuv's threads. Texts exist for which gzip
 * takes several times as long as for others. zstd goes only to who names it: `*` may not know it.
 */
export async function encodeOnce(plain: Buffer, accept: string | undefined): Promise<Encoded> {
  const offered = accept?.includes('zstd') ? (['zstd', 'br', 'gzip'] as const) : (['br', 'gzip'] as const)
  const encoding = acceptedEncodings<'zstd' | 'br' | 'gzip'>(accept, offered)[0]
  if (encoding === undefined || plain.length < COMPRESSED_MIN_BYTES) return { encoding: 'identity', body: plain }
  if (encoding === 'gzip') return { encoding, body: await compressors.gzip(plain, { level: ONCE_QUALITY }) }
  const isSmall = plain.length <= SYNCHRONOUS_MAX_BYTES
  if (encoding === 'br') {
    const options = { ...brotliParams(plain, ONCE_QUALITY, ONCE_BROTLI_WINDOW), chunkSize: OUTPUT_BYTES }
    return { encoding, body: isSmall ? brotliCompressSync(plain, options) : await compressors.br(plain, options) }
  }
  const params = { [constants.ZSTD_c_compressionLevel]: ONCE_QUALITY }
  const options = { params, chunkSize: OUTPUT_BYTES, pledgedSrcSize: plain.length }
  return { encoding, body: isSmall ? zstdCompressSync(plain, options) : await compressors.zstd(plain, options) }
}

/** Types of text; answers of any other type are compressed already, and may be streams. */
const COMPRESSIBLE_TYPE = /^text\/|[/+](?:json|xml)\b/i

const isCompressible = (headers: Headers): boolean =>
  COMPRESSIBLE_TYPE.test(headers.get('content-type') ?? '') &&
  !headers.has('content-encoding') &&
  !/\bno-transform\b/i.test(headers.get('cache-control') ?? '')

/**
 * The response with its body in the encoding that the client prefers, HEAD's without a length; of any other type as it is, unread. The body is
 * encoded whole: a compressor that waits for a slow reader would hold megabytes that nothing counts (connections/unread-answers.ts).
 */
export async function encodeResponse(req: IncomingMessage, response: Response): Promise<Response> {
  if (!isCompressible(response.headers)) return response
  const { status, statusText } = response
  const headers = new Headers(response.headers)
  if (!/\baccept-encoding\b/i.test(headers.get('vary') ?? '')) headers.append('vary', 'Accept-Encoding')
  if (req.method === 'HEAD') headers.delete('content-length')
  if (!response.body || req.method === 'HEAD') return new Response(response.body, { status, statusText, headers })
  const plain = Buffer.from(await response.arrayBuffer())
  const { encoding, body } = await encodeOnce(plain, req.headers['accept-encoding'])
  if (encoding !== 'identity') headers.set('content-encoding', encoding)
  headers.set('content-length', String(body.length))
  return new Response(body as Uint8Array<ArrayBuffer>, { status, statusText, headers })
}
