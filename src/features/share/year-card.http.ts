import type { APIRoute } from 'astro'
import { RenderQueueFull } from '#features/photos/render/render.server.ts'
import { isCardName } from '#features/years/cards.ts'
import { loadMemberYear } from '#features/years/member-year.server.ts'
import { findYearOwner } from '#features/years/page.http.ts'
import { isEmptyYear } from '#features/years/years.ts'
import { matchesEtag } from '#lib/http/conditional-requests.ts'
import { toSitePrefix } from '#lib/http/site-prefix.ts'
import { AppError } from '#lib/errors.ts'
import { getEnv } from '#server/env.ts'
import { endpoint } from '#server/endpoint.ts'
import { limit } from '#server/limits/rate-limit.ts'
import { cardVersion } from './card-data.server.ts'
import { CardWithdrawn } from './card-queue.server.ts'
import { getCard, isCardCached } from './cards.server.ts'
import { CARDS_PER_MINUTE, emptyResponse } from './share.http.ts'
import { toYearCardData } from './year-card-data.server.ts'

/** A link that was taken back shows nothing: the picture is asked for each time. */
const REVALIDATE = 'private, no-cache'

/** `GET /perfil/{year}/{card}.jpg?clave=…`: a card of the reader's year, or of whose link it is. */
export const serveYearCard: APIRoute = endpoint(async (context) => {
  const { locals, params, request } = context
  const now = Date.now()
  const name = params.tarjeta ?? ''
  if (!isCardName(name)) return emptyResponse(404)
  const read = async () => {
    const found = await findYearOwner(context, now).catch((error: unknown) => {
      if (error instanceof AppError && error.status === 404) return null
      throw error
    })
    if (!found) return null
    const year = await loadMemberYear(locals.db, found.ownerId, found.year, now)
    return isEmptyYear(year) ? null : toYearCardData(year, name)
  }
  const data = await read()
  if (!data) return emptyResponse(404)
  const version = `"${cardVersion(data)}"`
  const headers = {
    'Content-Type': 'image/jpeg',
    'Cache-Control': REVALIDATE,
    'X-Robots-Tag': 'noindex',
    ETag: version,
  }
  if (matchesEtag(request.headers.get('if-none-match') ?? undefined, version))
    return new Response(null, { status: 304, headers })
  const { dataDir, rendersPerMinute } = getEnv()
  try {
    const wasCached = isCardCached(data, dataDir)
    if (!wasCached && rendersPerMinute > 0) await limit('share-card-render', locals.network, CARDS_PER_MINUTE, 60)
    const body = await getCard(data, dataDir, toSitePrefix(locals.network), request.signal)
    // The link may have been taken back during the render.
    if (!wasCached && !(await read())) return emptyResponse(404)
    return new Response(new Uint8Array(body), { headers })
  } catch (error) {
    if (error instanceof RenderQueueFull || error instanceof CardWithdrawn)
      return emptyResponse(503, { 'Retry-After': '5' })
    throw error
  }
})
