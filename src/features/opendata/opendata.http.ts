import type { APIContext } from 'astro'
import { createHash } from 'node:crypto'
import { nonEmptyParams } from '#features/dogs/list/dog-query.ts'
import { matchesEtag } from '#lib/http/conditional-requests.ts'
import { paths } from '#lib/paths.ts'
import { getEnv } from '#server/env.ts'
import { validate, endpoint } from '#server/endpoint.ts'
import { limit } from '#server/limits/rate-limit.ts'
import { csvHead, csvLine, PLAIN, SPANISH } from './csv.ts'
import { csvQuerySchema } from './datasets.ts'
import { readDogRecords } from './datasets.server.ts'
import { geojsonOf } from './geojson.ts'
import { MINUTE_SECONDS } from '#lib/time.ts'

/** Files per network and minute: each has thousands of dogs. */
const FILES_PER_MINUTE = 120

/**
 * Scripts of other sites may read these answers, as any program can: they are the same for everyone and independent of
 * cookies, and browsers never send credentials with `*`. No other endpoint sets these headers.
 */
const CORS_HEADERS = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': 'ETag, Link, Retry-After' }

/**
 * A 200 with `body`, or a 304 where the client has it already (RFC 9110 §13). `no-cache` has clients revalidate each time,
 * so that a hidden dog disappears at once.
 */
export function etagResponse({ request }: APIContext, body: string, headers: Record<string, string>): Response {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 16)}"`
  const allHeaders = { ...CORS_HEADERS, 'Cache-Control': 'no-cache', ETag: etag, ...headers }
  if (matchesEtag(request.headers.get('if-none-match') ?? undefined, etag)) {
    const { 'Content-Type': _, 'Content-Disposition': __, ...notModifiedHeaders } = allHeaders as Record<string, string>
    return new Response(null, { status: 304, headers: notModifiedHeaders })
  }
  return new Response(body, { headers: allHeaders })
}

async function readDataset({ locals, url }: APIContext) {
  const query = validate(csvQuerySchema, nonEmptyParams(url.searchParams))
  await limit('open-data', locals.network, FILES_PER_MINUTE, MINUTE_SECONDS)
  return { query, ...(await readDogRecords(locals.db, query, getEnv().siteUrl)) }
}

/** The `Link` header to the next file with the same filters (RFC 8288). */
function nextLink(
  path: string,
  query: Record<string, string | undefined>,
  next: string | null,
): Record<string, string> {
  if (!next) return {}
  const params = Object.entries({ ...query, cursor: next }).filter((pair): pair is [string, string] => Boolean(pair[1]))
  return { Link: `<${path}?${new URLSearchParams(params)}>; rel="next"` }
}

/** `GET /datos/perros.csv` */
export const serveCsv = endpoint(async (context) => {
  const { query, dogs, next } = await readDataset(context)
  const style = query.formato ? SPANISH : PLAIN
  return etagResponse(context, csvHead(style) + dogs.map((dog) => csvLine(dog, style)).join(''), {
    'Content-Type': 'text/csv; charset=utf-8; header=present',
    'Content-Disposition': 'attachment; filename="perros.csv"',
    ...nextLink(paths.dogsCsv, query, next),
  })
})

/** `GET /datos/perros.geojson` */
export const serveGeoJson = endpoint(async (context) => {
  const { query, dogs, next } = await readDataset(context)
  return etagResponse(context, JSON.stringify(geojsonOf(dogs, next)), {
    'Content-Type': 'application/geo+json',
    'Content-Disposition': 'attachment; filename="perros.geojson"',
    ...nextLink(paths.dogsGeojson, query, next),
  })
})
