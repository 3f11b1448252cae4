import type { APIRoute } from 'astro'
import { LineFull } from '#features/photos/render.server.ts'
import { own } from '#lib/own.ts'
import { reply } from '#lib/represent.ts'
import { getEnv } from '#server/env.ts'
import { endpoint } from '#server/http.ts'
import { cardOf, isDrawn } from './cards.server.ts'
import { faceOf, stickerName, versionOf } from './faces.server.ts'
import { type Face, type Kind, KINDS } from './share.ts'

const kinds = Object.fromEntries(KINDS.map((kind) => [kind, kind])) as Record<string, Kind>

/** Private: the answer passes the session's middleware, so no shared cache may keep it. */
const FOR_EVER = 'private, max-age=31536000, immutable'
/** Under an address that is not the present picture's: shown, and asked for again next time. */
const AGAIN = 'private, no-cache'

const nothing = (status: number, headers: Record<string, string> = {}) =>
  new Response(null, { status, headers: { 'Cache-Control': 'no-store', ...headers } })

/** `GET /tarjetas/{kind}/{name}.jpg?v=…`: the picture as it is now, whatever version was asked for. */
export const card: APIRoute = endpoint(async ({ locals, params, url, request }) => {
  const { dataDir } = getEnv()
  const kind = own(kinds, params.kind ?? '')
  const face = kind && (await faceOf(locals.db, dataDir, kind, params.name ?? ''))
  if (!face) return nothing(404)
  const version = versionOf(face)
  const headers = headersOf(face, url.searchParams.get('v') === version)
  const asked = { 'if-none-match': request.headers.get('if-none-match') ?? undefined }
  const known = reply('GET', asked, { etag: `"${version}"`, size: 0, headers })
  if (known.status === 304) return new Response(null, { status: 304, headers: known.headers as Record<string, string> })
  try {
    const wasDrawn = isDrawn(face, dataDir)
    const body = await cardOf(face, dataDir)
    // What it shows may have been hidden while it was drawn.
    if (!wasDrawn && !(await faceOf(locals.db, dataDir, kind, params.name ?? ''))) return nothing(404)
    return new Response(new Uint8Array(body), { headers: { ...headers, ETag: `"${version}"` } })
  } catch (error) {
    if (error instanceof LineFull) return nothing(503, { 'Retry-After': '5' })
    throw error
  }
})

function headersOf(face: Face, present: boolean): Record<string, string> {
  return {
    'Content-Type': 'image/jpeg',
    'Cache-Control': present ? FOR_EVER : AGAIN,
    ...(face.kind === 'cromo' && { 'Content-Disposition': `attachment; filename="${stickerName(face)}"` }),
  }
}
