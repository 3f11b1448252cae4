import type { APIRoute } from 'astro'
import { RenderQueueFull } from '#features/photos/render/render.server.ts'
import { getOwn } from '#lib/identifiers.ts'
import { evaluateConditions } from '#lib/http/conditional-requests.ts'
import { getEnv } from '#server/env.ts'
import { endpoint } from '#server/endpoint.ts'
import { limit } from '#server/limits/rate-limit.ts'
import { toSitePrefix } from '#lib/http/site-prefix.ts'
import { CardWithdrawn } from './card-queue.server.ts'
import { getCard, isCardCached } from './cards.server.ts'
import { findCardData, stickerName, cardVersion } from './card-data.server.ts'
import { type CardData, type CardKind, CARD_KINDS } from './share.ts'

const kindsByName = Object.fromEntries(CARD_KINDS.map((kind) => [kind, kind])) as Record<string, CardKind>

/** Private: the answer passes the session middleware, so no shared cache may store it. */
const IMMUTABLE = 'private, max-age=31536000, immutable'
/** For the address of another version: the current picture, revalidated next time. */
const REVALIDATE = 'private, no-cache'

/** Cards rendered for one network per minute: previews of a large group, and up to a fifth of what one core renders. */
export const CARDS_PER_MINUTE = 120

export const emptyResponse = (status: number, headers: Record<string, string> = {}) =>
  new Response(null, { status, headers: { 'Cache-Control': 'no-store', ...headers } })

/** `GET /tarjetas/{kind}/{name}.jpg?v=…`: the current picture, whatever version is requested. */
export const serveCard: APIRoute = endpoint(async ({ locals, params, url, request }) => {
  const { dataDir, rendersPerMinute } = getEnv()
  const kind = getOwn(kindsByName, params.kind ?? '')
  const data = kind && (await findCardData(locals.db, dataDir, kind, params.name ?? ''))
  if (!data) return emptyResponse(404)
  const version = cardVersion(data)
  const headers = headersOf(data, url.searchParams.get('v') === version)
  const requestHeaders = { 'if-none-match': request.headers.get('if-none-match') ?? undefined }
  const condition = evaluateConditions('GET', requestHeaders, { etag: `"${version}"`, size: 0, headers })
  if (condition.status === 304)
    return new Response(null, { status: 304, headers: condition.headers as Record<string, string> })
  try {
    const wasCached = isCardCached(data, dataDir)
    if (!wasCached && rendersPerMinute > 0) await limit('share-card-render', locals.network, CARDS_PER_MINUTE, 60)
    const body = await getCard(data, dataDir, toSitePrefix(locals.network), request.signal)
    // The dog or member may have been hidden during the render.
    if (!wasCached && !(await findCardData(locals.db, dataDir, kind, params.name ?? ''))) return emptyResponse(404)
    return new Response(new Uint8Array(body), { headers: { ...headers, ETag: `"${version}"` } })
  } catch (error) {
    if (error instanceof RenderQueueFull || error instanceof CardWithdrawn)
      return emptyResponse(503, { 'Retry-After': '5' })
    throw error
  }
})

function headersOf(data: CardData, isCurrentVersion: boolean): Record<string, string> {
  return {
    'Content-Type': 'image/jpeg',
    'Cache-Control': isCurrentVersion ? IMMUTABLE : REVALIDATE,
    ...(data.kind === 'cromo' && { 'Content-Disposition': `attachment; filename="${stickerName(data)}"` }),
  }
}
