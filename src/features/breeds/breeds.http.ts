import { createHash } from 'node:crypto'
import { matchesEtag } from '#lib/http/conditional-requests.ts'
import { endpoint, json } from '#server/endpoint.ts'
import { breedNames } from './catalogue.server.ts'
import { breedsAnswer } from './answers.ts'

const body = { breeds: [...breedNames] }
const etag = `"${createHash('sha256').update(JSON.stringify(body)).digest('base64url').slice(0, 16)}"`
const headers = { ETag: etag, 'Cache-Control': 'public, max-age=3600, stale-while-revalidate=86400' }

/** `GET /api/breeds`: the names for the picker. They change only with a new build, so the browser may cache them. */
export const listBreeds = endpoint({ 200: breedsAnswer, 304: null }, ({ request }) => {
  if (matchesEtag(request.headers.get('if-none-match') ?? undefined, etag))
    return new Response(null, { status: 304, headers })
  return json(body, { headers })
})
