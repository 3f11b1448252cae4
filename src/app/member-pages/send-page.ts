import type { IncomingMessage, ServerResponse } from 'node:http'
import { encodeUncached, negotiateUncached } from '#app/page-cache/encoding.ts'
import type { CacheRequestHeaders } from '#app/page-cache/request-headers.ts'
import { matchesEtag } from '#lib/http/conditional-requests.ts'
import type { MemberPage } from './member-page.ts'
import type { MemberState } from './member-state.ts'
import type { SwitchKind } from './switches.ts'

/** What an answer depends on. */
interface PageRequest {
  req: IncomingMessage
  res: ServerResponse
  requestHeaders: Pick<CacheRequestHeaders, 'acceptEncoding' | 'ifNoneMatch'>
}

interface Reader {
  /** The dogs that the reader likes. */
  liked: ReadonlySet<string>
  /** What the reader follows, as `followKey` writes it. */
  followed: ReadonlySet<string>
  /** The event from which their stream continues. */
  liveEvent: number
}

/** Sends pages composed for one reader, or a 304. @param counts of the page store: answers add to them */
export function createPageSender(counts: { hits: number; unchanged: number }) {
  async function sendComposed(
    request: PageRequest,
    page: MemberPage,
    state: MemberState,
    { liked, followed, liveEvent }: Reader,
  ): Promise<void> {
    const { res } = request
    const { template } = page
    if (!template || res.destroyed) return
    const { dogIds, followKeys } = template
    const buttons = `${packBits(dogIds, liked)}${followKeys.length > 0 ? `.${packBits(followKeys, followed)}` : ''}`
    const reader = template.hasSlots || dogIds.length + followKeys.length > 0 ? `.${state.fingerprint}.${buttons}` : ''
    const etag = `W/"${page.etag}${reader}"`
    const headers: Record<string, string> = { ...page.headers, Vary: 'Accept-Encoding, Cookie' }
    if (page.rendered.status === 200) headers.ETag = etag
    if (page.rendered.status === 200 && matchesEtag(request.requestHeaders.ifNoneMatch, etag)) {
      counts.unchanged++
      res.writeHead(304, headers)
      res.end()
      return
    }
    counts.hits++
    const plain = template.compose({
      slots: { ...state.texts, live: String(liveEvent) },
      isOn: (kind: SwitchKind, key: string) =>
        kind === 'comment' ? key === state.userId : (kind === 'like' ? liked : followed).has(key),
    })
    const encoding = negotiateUncached(request.requestHeaders.acceptEncoding)
    if (encoding !== 'identity') headers['Content-Encoding'] = encoding
    const body = encoding === 'identity' ? Buffer.from(plain) : await encodeUncached(plain, encoding)
    if (res.destroyed) return
    headers['Content-Length'] = String(body.length)
    res.writeHead(page.rendered.status, headers)
    res.end(request.req.method === 'HEAD' ? undefined : body)
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
