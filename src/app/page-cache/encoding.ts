import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip, zstdCompress, zstdCompressSync } from 'node:zlib'
import { acceptedEncodings } from '#lib/http/conditional-requests.ts'

export type Encoding = 'br' | 'gzip' | 'identity'

/** The encoding for an `Accept-Encoding` header (RFC 9110 §12.5.3); `identity` for a malformed one. */
export const negotiateEncoding = (header: string | undefined): Encoding => acceptedEncodings(header)[0] ?? 'identity'

const compressors = { br: promisify(brotliCompress), gzip: promisify(gzip), zstd: promisify(zstdCompress) }

/**
 * The quality of brotli for a cached page, which is sent many times but lives only until the next change: 5 saves nine tenths of
 * what the best saves, in a fiftieth of the time.
 */
const CACHED_BROTLI_QUALITY = 5
const UNCACHED_ENCODINGS = ['zstd', 'br', 'gzip'] as const
const OLDER_ENCODINGS = ['br', 'gzip'] as const
export type UncachedEncoding = (typeof UNCACHED_ENCODINGS)[number]
/**
 * For answers that are sent once, by measure (70 kB of a list): brotli 1 takes 0.15 ms of processor for 16.5 kB, zstd 1 as long for 16.0,
 * gzip 1 0.46 ms for 16.7; brotli 2 takes 0.29 ms for 15.5.
 */
const UNCACHED_LEVEL = 1
/** A page of 70 kB fits it: several parts of the usual size would be joined to one more. */
const OUTPUT_BYTES = 32 * 1024
/** A larger window takes memory, and its page faults as long again. */
const UNCACHED_BROTLI_WINDOW = 18
const GZIP_LEVEL = 6
/** Up to this size, which every page of the site is below, brotli and zstd run on the main thread: libuv's take longer for themselves. */
const SYNCHRONOUS_MAX_BYTES = 128 * 1024

const brotliOptions = (body: Buffer, quality: number, window: number = constants.BROTLI_DEFAULT_WINDOW) => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_LGWIN]: window,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
  },
})

/** Compresses a page for the cache, on libuv's threads. */
export async function encodeCached(body: Buffer, encoding: 'br' | 'gzip'): Promise<Buffer> {
  const encoded =
    encoding === 'gzip'
      ? await compressors.gzip(body, { level: GZIP_LEVEL })
      : await compressors.br(body, brotliOptions(body, CACHED_BROTLI_QUALITY))
  // zlib gives out a part of a buffer of 16 kB, which would stay in memory with it.
  const copy = Buffer.allocUnsafeSlow(encoded.length)
  encoded.copy(copy)
  return copy
}

/** The encoding of an answer that is sent once, for an `Accept-Encoding` header; zstd only for who names it: `*` may not know it. */
export const negotiateUncached = (header: string | undefined): UncachedEncoding | 'identity' =>
  acceptedEncodings(header, header?.includes('zstd') ? UNCACHED_ENCODINGS : OLDER_ENCODINGS)[0] ?? 'identity'

/**
 * Compresses an answer that is sent once: with zstd or brotli a small one at once, everything else on libuv's threads. Texts exist for
 * which gzip takes several times as long as for others, so that it never holds up other requests. `body` may be written again once this
 * has returned.
 */
export function encodeUncached(body: Buffer, encoding: UncachedEncoding): Buffer | Promise<Buffer> {
  if (encoding === 'gzip') return compressors.gzip(Buffer.from(body), { level: UNCACHED_LEVEL })
  const isSmall = body.length <= SYNCHRONOUS_MAX_BYTES
  if (encoding === 'zstd') {
    const options = {
      params: { [constants.ZSTD_c_compressionLevel]: UNCACHED_LEVEL },
      chunkSize: OUTPUT_BYTES,
      pledgedSrcSize: body.length,
    }
    return isSmall ? zstdCompressSync(body, options) : compressors.zstd(Buffer.from(body), options)
  }
  const options = { ...brotliOptions(body, UNCACHED_LEVEL, UNCACHED_BROTLI_WINDOW), chunkSize: OUTPUT_BYTES }
  return isSmall ? brotliCompressSync(body, options) : compressors.br(Buffer.from(body), options)
}
