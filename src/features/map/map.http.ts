import type { APIRoute } from 'astro'
import { nonEmptyParams } from '#features/dogs/list/dog-query.ts'
import { matchesEtag } from '#lib/http/conditional-requests.ts'
import { getEnv } from '#server/env.ts'
import { validate, endpoint } from '#server/endpoint.ts'
import { readGeoFile } from './geo-file.server.ts'
import { listLostMarks } from './lost/lost-marks.server.ts'
import { lostMarksQuerySchema, mapDogsQuerySchema, mapQuerySchema } from './map-query.ts'
import { mapDogs, mapFeatures } from './map.server.ts'
import { lostMarksAnswer, mapAnswer, mapDogsAnswer } from './answers.ts'

/**
 * `GET /api/map`: the same for everyone. Its likes and names are current, so browsers revalidate it each time; an unchanged view
 * is a 304.
 */
export const listMapFeatures = endpoint({ 200: mapAnswer, 304: null }, async ({ locals, url, request }) => {
  const query = validate(mapQuerySchema, nonEmptyParams(url.searchParams))
  const { body, etag } = await mapFeatures(locals.map, query)
  const headers = { ETag: etag, 'Cache-Control': 'no-cache' }
  if (matchesEtag(request.headers.get('if-none-match') ?? undefined, etag))
    return new Response(null, { status: 304, headers })
  return new Response(body, { headers: { ...headers, 'Content-Type': 'application/json; charset=utf-8' } })
})

/** `GET /api/map/dogs` */
export const listMapDogs = endpoint({ 200: mapDogsAnswer }, ({ locals, url }) =>
  mapDogs(locals.db, locals.map, validate(mapDogsQuerySchema, nonEmptyParams(url.searchParams))),
)

/** `GET /api/map/lost`: the circles of lost dogs in an area. */
export const listLost = endpoint({ 200: lostMarksAnswer }, ({ locals, url }) =>
  listLostMarks(locals.db, validate(lostMarksQuerySchema, nonEmptyParams(url.searchParams)).bbox),
)

/**
 * `GET /dogs-geo.json`: the operator's own points; 404 without the file. It changes with the file and the dogs, so browsers
 * revalidate it each time.
 */
export const serveGeoFile: APIRoute = endpoint(async ({ locals, request }) => {
  const file = await readGeoFile(locals.db, getEnv().dataDir)
  if (!file) return new Response(null, { status: 404, headers: { 'Cache-Control': 'no-store' } })
  const headers = { ETag: file.etag, 'Cache-Control': 'no-cache' }
  if (matchesEtag(request.headers.get('if-none-match') ?? undefined, file.etag))
    return new Response(null, { status: 304, headers })
  return new Response(file.body, { headers: { ...headers, 'Content-Type': 'application/geo+json; charset=utf-8' } })
})
