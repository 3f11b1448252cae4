import type { APIRoute } from 'astro'
import { RenderQueueFull } from '#features/photos/render/render.server.ts'
import { getOwn } from '#lib/get-own.ts'
import { evaluateConditions } from '#lib/http/conditional-requests.ts'
import { getEnv } from '#server/env.ts'
import { endpoint } from '#server/endpoint.ts'
import { getCard, isCardCached } from './cards.server.ts'
import { findCardData, stickerName, cardVersion } from './card-data.server.ts'
import { type CardData, type CardKind, CARD_KINDS } from './share.ts'

const kindsByName = Object.fromEntries(CARD_KINDS.map((kind) => [kind, kind])) as Record<string, CardKind>

/** Private: the answer passes the session's middleware, so no shared cache may keep it. */
const IMMUTABLE = 'private, max-age=31536000, immutable'
/** Under an address that is not the present picture's: shown, and asked for again next time. */
const REVALIDATE = 'private, no-cache'

const emptyResponse = (status: number, headers: Record<string, string> = {}) =>
  new Response(null, { status, headers: { 'Cache-Control': 'no-store', ...headers } })

/** `GET /tarjetas/{kind}/{name}.jpg?v=…`: the picture as it is now, whatever version was asked for. */
export const card: APIRoute = endpoint(async ({ locals, params, url, request }) => {
  const { dataDir } = getEnv()
  const kind = getOwn(kindsByName, params.kind ?? '')
  const face = kind && (await findCardData(locals.db, dataDir, kind, params.name ?? ''))
  if (!face) return emptyResponse(404)
  const version = cardVersion(face)
  const headers = headersOf(face, url.searchParams.get('v') === version)
  const asked = { 'if-none-match': request.headers.get('if-none-match') ?? undefined }
  const known = evaluateConditions('GET', asked, { etag: `"${version}"`, size: 0, headers })
  if (known.status === 304) return new Response(null, { status: 304, headers: known.headers as Record<string, string> })
  try {
    const wasDrawn = isCardCached(face, dataDir)
    const body = await getCard(face, dataDir)
    // What it shows may have been hidden while it was drawn.
    if (!wasDrawn && !(await findCardData(locals.db, dataDir, kind, params.name ?? ''))) return emptyResponse(404)
    return new Response(new Uint8Array(body), { headers: { ...headers, ETag: `"${version}"` } })
  } catch (error) {
    if (error instanceof RenderQueueFull) return emptyResponse(503, { 'Retry-After': '5' })
    throw error
  }
})

function headersOf(face: CardData, present: boolean): Record<string, string> {
  return {
    'Content-Type': 'image/jpeg',
    'Cache-Control': present ? IMMUTABLE : REVALIDATE,
    ...(face.kind === 'cromo' && { 'Content-Disposition': `attachment; filename="${stickerName(face)}"` }),
  }
}
