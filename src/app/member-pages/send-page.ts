import type { IncomingMessage, ServerResponse } from 'node:http'
import type { CacheRequestHeaders } from '#app/page-cache/request-headers.ts'
import { acceptedEncodings, matchesEtag } from '#lib/http/conditional-requests.ts'
import type { MemberPage } from './member-page.ts'
import type { MemberState, ReaderTexts } from './member-states.ts'
import type { Piece } from './pieces.ts'
import { SendBuffers } from './send-buffers.ts'
import type { SwitchKind } from './switches.ts'
import { toSlotPiece } from './template.ts'

/** What an answer depends on. */
interface PageRequest {
  req: IncomingMessage
  res: ServerResponse
  requestHeaders: Pick<CacheRequestHeaders, 'acceptEncoding' | 'ifNoneMatch'>
}

interface ReaderParts {
  /** The dogs that the reader likes. */
  liked: ReadonlySet<string>
  /** What the reader follows, as `followKey` writes it. */
  followed: ReadonlySet<string>
  /** The event from which their stream continues. */
  position: number
}

type FramePieces = Record<keyof ReaderTexts, Piece>

/**
 * Sends pages composed for one reader, or a 304.
 * @param counts of the page store: answers add to them
 * @param findFramePieces gives the pieces of a member's frame
 */
export function createPageSender(
  counts: { hits: number; unchanged: number },
  findFramePieces: (state: MemberState) => FramePieces,
) {
  const sendBuffers = new SendBuffers()

  function sendComposed(
    request: PageRequest,
    page: MemberPage,
    state: MemberState,
    { liked, followed, position: live }: ReaderParts,
  ): void {
    const { res } = request
    const { template } = page
    if (!template || res.destroyed) return
    const { dogIds, followKeys } = template
    const buttons = `${packBits(dogIds, liked)}${followKeys.length > 0 ? `.${packBits(followKeys, followed)}` : ''}`
    const reader = template.hasSlots || dogIds.length + followKeys.length > 0 ? `.${state.fingerprint}.${buttons}` : ''
    const etag = `W/"${page.etag}${reader}"`
    const headers: Record<string, string> = { ...page.headers, Vary: 'Accept-Encoding, Cookie' }
    if (page.status === 200) headers.ETag = etag
    if (page.status === 200 && matchesEtag(request.requestHeaders.ifNoneMatch, etag)) {
      counts.unchanged++
      res.writeHead(304, headers)
      res.end()
      return
    }
    counts.hits++
    const pieces = {
      slots: { ...findFramePieces(state), live: toSlotPiece(String(live)) },
      isOn: (kind: SwitchKind, key: string) =>
        kind === 'comment' ? key === state.userId : (kind === 'like' ? liked : followed).has(key),
    }
    // Pieces are compressed for gzip alone: who takes only brotli, which no browser does, gets the text.
    const isGzip = acceptedEncodings(request.requestHeaders.acceptEncoding).includes('gzip')
    if (isGzip) headers['Content-Encoding'] = 'gzip'
    const buffers = isGzip ? template.composeGzip(pieces) : undefined
    headers['Content-Length'] = String(
      buffers?.reduce((sum, { length }) => sum + length, 0) ?? template.lengthFor(pieces),
    )
    res.writeHead(page.status, headers)
    if (request.req.method === 'HEAD') return void res.end()
    const { body, release } = sendBuffers.join(buffers ?? [template.composePlain(pieces)])
    // Once the connection is gone nothing reads the bytes any more, whether they were sent or not.
    res.once('close', release)
    res.end(body)
  }

  return sendComposed
}

/** Which of the buttons are pressed, as hexadecimal digits. */
function packBits(keys: readonly string[], pressed: ReadonlySet<string>): string {
  let digits = ''
  for (let i = 0; i < keys.length; i += 4) {
    let digit = 0
    for (let j = 0; j < 4; j++) digit = digit * 2 + (pressed.has(keys[i + j] ?? '') ? 1 : 0)
    digits += digit.toString(16)
  }
  return digits
}
