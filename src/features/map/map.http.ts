import { filledIn } from '#features/dogs/dogQuery.ts'
import { getDb } from '#server/db.ts'
import { check, endpoint } from '#server/http.ts'
import { mapDogsSchema, mapQuerySchema } from './mapQuery.ts'
import { getMap, mapDogs, mapFeatures } from './map.server.ts'

/**
 * `GET /api/map`: the same for everyone. Likes and names in it are of this moment, so it is asked for each time; a view
 * come back to without a change costs a 304.
 */
export const features = endpoint(async ({ url, request }) => {
  const query = check(mapQuerySchema, filledIn(url.searchParams))
  const { body, etag } = await mapFeatures(getMap(), query)
  const headers = { ETag: etag, 'Cache-Control': 'no-cache' }
  const known = request.headers.get('if-none-match')?.split(/\s*,\s*/) ?? []
  // A proxy that compresses makes the tag a weak one.
  if (known.some((tag) => tag.replace(/^W\//, '') === etag)) return new Response(null, { status: 304, headers })
  return new Response(body, { headers: { ...headers, 'Content-Type': 'application/json; charset=utf-8' } })
})

/** `GET /api/map/dogs` */
export const dogs = endpoint(({ url }) => mapDogs(getDb(), getMap(), check(mapDogsSchema, filledIn(url.searchParams))))
