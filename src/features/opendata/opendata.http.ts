import type { APIContext } from 'astro'
import { createHash } from 'node:crypto'
import { filledIn } from '#features/dogs/dogQuery.ts'
import { isKnown } from '#lib/represent.ts'
import { paths } from '#lib/paths.ts'
import { getEnv } from '#server/env.ts'
import { check, endpoint } from '#server/http.ts'
import { limit } from '#server/rate.ts'
import { csvHead, csvLine } from './csv.ts'
import { datosSchema } from './datos.ts'
import { dogRecords } from './datos.server.ts'
import { geojsonOf } from './geojson.ts'
import { FILES_PER_MINUTE } from './operations.http.ts'

const MINUTE = 60

/**
 * Other sites' pages may read what programs read anyway: the answer is the same for everyone, no cookie changes it, and
 * `*` is never answered to with credentials. Nothing else here says so.
 */
const OPEN = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': 'ETag, Link, Retry-After' }

/** `body`, or word that whoever asks has it. It is asked for anew each time: who hides a dog hides it at once. */
export function tagged({ request }: APIContext, body: string, headers: Record<string, string>): Response {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 16)}"`
  const said = { ...OPEN, 'Cache-Control': 'no-cache', ETag: etag, ...headers }
  if (isKnown(request.headers.get('if-none-match') ?? undefined, etag)) {
    const { 'Content-Type': _, 'Content-Disposition': __, ...kept } = said as Record<string, string>
    return new Response(null, { status: 304, headers: kept })
  }
  return new Response(body, { headers: said })
}

async function read({ locals, url }: APIContext) {
  const query = check(datosSchema, filledIn(url.searchParams))
  await limit('open data', locals.ip, FILES_PER_MINUTE, MINUTE)
  return { query, ...(await dogRecords(locals.db, query, getEnv().siteUrl)) }
}

/** Where the next file is (RFC 8288), under the filters asked for. */
function nextLink(
  path: string,
  { raza, provincia }: { raza?: string | undefined; provincia?: string | undefined },
  next: string | null,
): Record<string, string> {
  if (!next) return {}
  const query = new URLSearchParams({ ...(raza && { raza }), ...(provincia && { provincia }), cursor: next })
  return { Link: `<${path}?${query}>; rel="next"` }
}

/** `GET /datos/perros.csv` */
export const csv = endpoint(async (context) => {
  const { query, dogs, next } = await read(context)
  return tagged(context, csvHead() + dogs.map(csvLine).join(''), {
    'Content-Type': 'text/csv; charset=utf-8; header=present',
    'Content-Disposition': 'attachment; filename="perros.csv"',
    ...nextLink(paths.dogsCsv, query, next),
  })
})

/** `GET /datos/perros.geojson` */
export const geojson = endpoint(async (context) => {
  const { query, dogs, next } = await read(context)
  return tagged(context, JSON.stringify(geojsonOf(dogs, next)), {
    'Content-Type': 'application/geo+json',
    'Content-Disposition': 'attachment; filename="perros.geojson"',
    ...nextLink(paths.dogsGeojson, query, next),
  })
})
