import { createHash } from 'node:crypto'
import { lookUpBreed } from '#features/breeds/lookup.server.ts'
import { operatorPhotos } from '#features/breeds/operator-photos.server.ts'
import { notFound } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { matchesEtag } from '#lib/http/conditional-requests.ts'
import { getEnv } from '#server/env.ts'
import { endpoint } from '#server/endpoint.ts'
import { atomFeed, type Feed, feedUpdatedAt } from './feed.ts'
import { newBreedDogsFeed, newDogsFeed } from './feed.server.ts'
import { robotsText } from './robots.ts'
import { parsePartName, sitemapIndex, sitemapPart } from './sitemap.ts'
import { readSitemapEntries, listSitemapParts } from './sitemap.server.ts'

/** Everything here is addresses, which are whole only where the operator said what the site is called. @throws AppError 404 */
function requireSiteUrl(what: string): string {
  const { siteUrl } = getEnv()
  if (!siteUrl) throw notFound(`No hay ${what}: quien lleva este sitio no ha puesto su dirección (SITE_URL).`)
  return siteUrl
}

/**
 * An answer that is asked for again and again and seldom changes: with a version, and a date where it has one. Who names
 * the version gets 304 for it alone; the date is for who names nothing else (RFC 9110 §13.2.2).
 */
function etagResponse(request: Request, body: string, type: string, changed = 0): Response {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  const headers = new Headers({ 'Cache-Control': 'no-cache', ETag: `W/${etag}` })
  if (changed > 0) headers.set('Last-Modified', new Date(changed).toUTCString())
  const known = request.headers.get('if-none-match') ?? undefined
  const since = Date.parse(request.headers.get('if-modified-since') ?? '')
  const isOld =
    known === undefined ? changed > 0 && Math.floor(changed / 1000) * 1000 <= since : matchesEtag(known, etag)
  if (isOld) return new Response(null, { status: 304, headers })
  headers.set('Content-Type', `${type}; charset=utf-8`)
  return new Response(body, { headers })
}

/** `GET /robots.txt` */
export const robots = endpoint(({ request }) => etagResponse(request, robotsText(getEnv().siteUrl), 'text/plain'))

/** `GET /sitemap.xml`: what files there are. */
export const index = endpoint(async ({ locals, request }) => {
  const siteUrl = requireSiteUrl('mapa del sitio')
  return etagResponse(request, sitemapIndex(siteUrl, await listSitemapParts(locals.db)), 'application/xml')
})

/** `GET /sitemap/{part}.xml`: one file of addresses. */
export const part = endpoint(async ({ locals, request, params }) => {
  const siteUrl = requireSiteUrl('mapa del sitio')
  const name = parsePartName(params.part ?? '')
  const entries = name && (await readSitemapEntries(locals.db, name, await operatorPhotos(getEnv().dataDir)))
  if (!entries) throw notFound('No hay ningún mapa del sitio con ese nombre.')
  return etagResponse(request, sitemapPart(siteUrl, entries), 'application/xml')
})

const feedResponse = (request: Request, siteUrl: string, feed: Feed) =>
  etagResponse(request, atomFeed(siteUrl, feed), 'application/atom+xml', feedUpdatedAt(feed))

/** `GET /novedades.atom` */
export const feed = endpoint(async ({ locals, request }) =>
  feedResponse(request, requireSiteUrl('canal de novedades'), await newDogsFeed(locals.db)),
)

/** `GET /razas/{raza}/novedades.atom`; another name of the breed leads to its own. */
export const breedFeed = endpoint(async ({ locals, request, params, redirect }) => {
  const siteUrl = requireSiteUrl('canal de novedades')
  const lookup = await lookUpBreed(locals.db, params.raza ?? '')
  if ('moved' in lookup) return redirect(paths.breedFeed(lookup.moved), 301)
  const made = 'found' in lookup ? await newBreedDogsFeed(locals.db, lookup.found) : null
  if (!made) throw notFound('No hay ninguna raza con ese nombre.')
  return feedResponse(request, siteUrl, made)
})
