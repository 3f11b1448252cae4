import type { APIContext, APIRoute } from 'astro'
import { RenderQueueFull } from '#features/photos/render/render.server.ts'
import { matchesEtag } from '#lib/http/conditional-requests.ts'
import { getEnv } from '#server/env.ts'
import { endpoint } from '#server/endpoint.ts'
import { limit } from '#server/limits/rate-limit.ts'
import { toSitePrefix } from '#lib/http/site-prefix.ts'
import { CardWithdrawn, getCard, isCardCached } from './cards.server.ts'
import { findCardData, stickerName, cardVersion } from './card-data.server.ts'
import { type CardData, CARD_KINDS } from './share.ts'

/** Private: the answer passes the session middleware, so no shared cache may store it. */
const IMMUTABLE = 'private, max-age=31536000, immutable'
/** The current picture, revalidated next time: for the address of another version, and for one that may be taken back. */
const REVALIDATE = 'private, no-cache'

/** Cards rendered for one network per minute: previews of a large group, and up to a fifth of what one core renders. */
const CARDS_PER_MINUTE = 120

const emptyResponse = (status: number, headers: Record<string, string> = {}) =>
  new Response(null, { status, headers: { 'Cache-Control': 'no-store', ...headers } })

/**
 * Answers with a card: 304 where the client has its version, 404 without data, 503 while too many cards wait.
 * @param read finds the data; asked again after a render, during which a dog may be hidden or a link taken back
 * @throws AppError 429
 */
export async function answerCard(
  { locals, request }: APIContext,
  read: () => Promise<CardData | null | undefined>,
  headersOf: (data: CardData, version: string) => Record<string, string> = () => ({}),
): Promise<Response> {
  const { dataDir, rendersPerMinute } = getEnv()
  const data = await read()
  if (!data) return emptyResponse(404)
  const version = cardVersion(data)
  const headers = { 'Cache-Control': REVALIDATE, ...headersOf(data, version), ETag: `"${version}"` }
  if (matchesEtag(request.headers.get('if-none-match') ?? undefined, headers.ETag))
    return new Response(null, { status: 304, headers })
  try {
    const wasCached = isCardCached(data, dataDir)
    if (!wasCached && rendersPerMinute > 0) await limit('share-card-render', locals.network, CARDS_PER_MINUTE, 60)
    const body = await getCard(data, dataDir, toSitePrefix(locals.network), request.signal)
    if (!wasCached && !(await read())) return emptyResponse(404)
    return new Response(new Uint8Array(body), { headers: { ...headers, 'Content-Type': 'image/jpeg' } })
  } catch (error) {
    if (error instanceof RenderQueueFull || error instanceof CardWithdrawn)
      return emptyResponse(503, { 'Retry-After': '5' })
    throw error
  }
}

/** `GET /tarjetas/{kind}/{name}.jpg?v=…`: the current picture, whatever version is requested. */
export const serveCard: APIRoute = endpoint((context) => {
  const { locals, params, url } = context
  const kind = CARD_KINDS.find((name) => name === params.kind)
  const read = async () => kind && findCardData(locals.db, getEnv().dataDir, kind, params.name ?? '')
  return answerCard(context, read, (data, version) => ({
    ...(url.searchParams.get('v') === version && { 'Cache-Control': IMMUTABLE }),
    ...(data.kind === 'cromo' && { 'Content-Disposition': `attachment; filename="${stickerName(data)}"` }),
  }))
})
