import type { IncomingMessage, ServerResponse } from 'node:http'
import { LRUCache } from 'lru-cache'
import { encodeUncached } from '#app/page-cache/encoding.ts'
import type { CacheRequestHeaders } from '#app/page-cache/request-headers.ts'
import { acceptedEncodings } from '#lib/http/conditional-requests.ts'
import type { MemberPage } from './member-page.ts'
import type { MemberState, ReaderTexts } from './member-states.ts'
import { SendBuffers } from './send-buffers.ts'
import { type Piece, toSlotPiece, toSlotPieces } from './template.ts'

/** Frames in pieces, of about 4 kB each: composing one from its texts takes some microseconds. */
const FRAMES_MAX = 1500

/** What an answer depends on. */
interface PageRequest {
  req: IncomingMessage
  res: ServerResponse
  requestHeaders: Pick<CacheRequestHeaders, 'acceptEncoding' | 'ifNoneMatch'>
}

interface ReaderParts {
  /** The dogs that the reader likes. */
  liked: ReadonlySet<string>
  /** The event from which their stream continues. */
  position: number
}

/** Sends pages composed for one reader, or a 304. @param counts of the page store: answers add to them */
export function createPageSender(counts: { hits: number; unchanged: number }) {
  const sendBuffers = new SendBuffers()
  /** By the fingerprint of their texts. */
  const framePieces = new LRUCache<string, Record<keyof ReaderTexts, Piece>>({ max: FRAMES_MAX })

  function findFramePieces({ fingerprint, texts }: MemberState): Record<keyof ReaderTexts, Piece> {
    let pieces = framePieces.get(fingerprint)
    if (!pieces) framePieces.set(fingerprint, (pieces = toSlotPieces(texts)))
    return pieces
  }

  function sendComposed(
    request: PageRequest,
    page: MemberPage,
    state: MemberState,
    { liked, position: live }: ReaderParts,
  ): void {
    const { res } = request
    const { template } = page
    if (!template || res.destroyed) return
    const reader =
      template.hasSlots || template.dogIds.length > 0 ? `.${state.fingerprint}.${packBits(template.dogIds, liked)}` : ''
    const etag = `W/"${page.etag}${reader}"`
    const headers: Record<string, string> = { ...page.headers, Vary: 'Accept-Encoding, Cookie' }
    if (page.status === 200) headers.ETag = etag
    if (page.status === 200 && request.requestHeaders.ifNoneMatch === etag) {
      counts.unchanged++
      res.writeHead(304, headers)
      res.end()
      return
    }
    counts.hits++
    const pieces = {
      slots: { ...findFramePieces(state), live: toSlotPiece(String(live)) },
      isLiked: (dogId: string) => liked.has(dogId),
    }
    const encodings = acceptedEncodings(request.requestHeaders.acceptEncoding)
    if (encodings.includes('gzip')) {
      headers['Content-Encoding'] = 'gzip'
      return sendBuffersOf(request, page.status, headers, template.composeGzip(pieces))
    }
    const plain = template.composePlain(pieces)
    if (encodings.length === 0) return sendBuffersOf(request, page.status, headers, [plain])
    // Pieces are compressed for gzip alone: who takes only brotli, which no browser does, waits for it.
    headers['Content-Encoding'] = 'br'
    Promise.resolve(encodeUncached(plain, 'br')).then(
      (body) => sendBuffersOf(request, page.status, headers, [body]),
      () => res.destroy(),
    )
  }

  function sendBuffersOf(
    { req, res }: PageRequest,
    status: number,
    headers: Record<string, string>,
    buffers: readonly Buffer[],
  ): void {
    if (res.destroyed) return
    headers['Content-Length'] = String(buffers.reduce((sum, { length }) => sum + length, 0))
    res.writeHead(status, headers)
    if (req.method === 'HEAD') return void res.end()
    const { body, release } = sendBuffers.join(buffers)
    // Once the connection is gone nothing reads the bytes any more, whether they were sent or not.
    res.once('close', release)
    res.end(body)
  }

  return sendComposed
}

/** Which of the dogs are liked, as hexadecimal digits. */
function packBits(dogIds: readonly string[], liked: ReadonlySet<string>): string {
  let digits = ''
  for (let i = 0; i < dogIds.length; i += 4) {
    let digit = 0
    for (let j = 0; j < 4; j++) digit = digit * 2 + (liked.has(dogIds[i + j] ?? '') ? 1 : 0)
    digits += digit.toString(16)
  }
  return digits
}
