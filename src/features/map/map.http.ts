import type { APIRoute } from 'astro'
import { filledIn } from '#features/dogs/dogQuery.ts'
import { isKnown } from '#lib/represent.ts'
import { getEnv } from '#server/env.ts'
import { check, endpoint } from '#server/http.ts'
import { readGeoFile } from './geo-file.server.ts'
import { mapDogsSchema, mapQuerySchema } from './mapQuery.ts'
import { mapDogs, mapFeatures } from './map.server.ts'

/**
 * `GET /api/map`: the same for everyone. Likes and names in it are of this moment, so it is asked for each time; a view
 * come back to without a change costs a 304.
 */
export const features = endpoint(async ({ locals, url, request }) => {
  const query = check(mapQuerySchema, filledIn(url.searchParams))
  const { body, etag } = await mapFeatures(locals.map, query)
  const headers = { ETag: etag, 'Cache-Control': 'no-cache' }
  if (isKnown(request.headers.get('if-none-match') ?? undefined, etag))
    return new Response(null, { status: 304, headers })
  return new Response(body, { headers: { ...headers, 'Content-Type': 'application/json; charset=utf-8' } })
})

/** `GET /api/map/dogs` */
export const dogs = endpoint(({ locals, url }) =>
  mapDogs(locals.db, locals.map, check(mapDogsSchema, filledIn(url.searchParams))),
)

/** `GET /dogs-geo.json`: the operator's own points, where there is such a file. It follows file and dogs, so it is asked for each time. */
export const geoFile: APIRoute = endpoint(async ({ locals, request }) => {
  const file = await readGeoFile(locals.db, getEnv().dataDir)
  if (!file) return new Response(null, { status: 404, headers: { 'Cache-Control': 'no-store' } })
  const headers = { ETag: file.etag, 'Cache-Control': 'no-cache' }
  if (isKnown(request.headers.get('if-none-match') ?? undefined, file.etag))
    return new Response(null, { status: 304, headers })
  return new Response(file.body, { headers: { ...headers, 'Content-Type': 'application/geo+json; charset=utf-8' } })
})
