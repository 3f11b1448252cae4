import { createHash } from 'node:crypto'
import { lookUpBreed } from '#features/breeds/lookup.server.ts'
import { operatorPhotos } from '#features/breeds/operator-photos.server.ts'
import { findProvince } from '#features/places/provinces.server.ts'
import { notFound } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { matchesEtag } from '#lib/http/conditional-requests.ts'
import { getEnv } from '#server/env.ts'
import { endpoint } from '#server/endpoint.ts'
import { limit } from '#server/limits/rate-limit.ts'
import { atomFeed, type Feed, feedUpdatedAt } from './feed.ts'
import { lostDogsFeed, newBreedDogsFeed, newDogsFeed } from './feed.server.ts'
import { robotsText } from './robots.ts'
import { parsePartName, sitemapIndex, sitemapPart } from './sitemap.ts'
import { readSitemapEntries, listSitemapParts } from './sitemap.server.ts'

/** The site's origin, which sitemaps and feeds need for absolute addresses. @throws AppError 404 without SITE_URL */
function requireSiteUrl(what: string): string {
  const { siteUrl } = getEnv()
  if (!siteUrl) throw notFound(`No hay ${what}: quien lleva este sitio no ha puesto su dirección (SITE_URL).`)
  return siteUrl
}

/**
 * A 200 with ETag (and Last-Modified), or a 304. With If-None-Match, If-Modified-Since is ignored (RFC 9110 §13.2.2).
 * @param changedAt time of the last change, ms; 0 for unknown
 */
function etagResponse(request: Request, body: string, type: string, changedAt = 0): Response {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  const headers = new Headers({ 'Cache-Control': 'no-cache', ETag: `W/${etag}` })
  if (changedAt > 0) headers.set('Last-Modified', new Date(changedAt).toUTCString())
  const ifNoneMatch = request.headers.get('if-none-match') ?? undefined
  const since = Date.parse(request.headers.get('if-modified-since') ?? '')
  const isNotModified =
    ifNoneMatch === undefined
      ? changedAt > 0 && Math.floor(changedAt / 1000) * 1000 <= since
      : matchesEtag(ifNoneMatch, etag)
  if (isNotModified) return new Response(null, { status: 304, headers })
  headers.set('Content-Type', `${type}; charset=utf-8`)
  return new Response(body, { headers })
}

/** `GET /robots.txt` */
export const serveRobots = endpoint(({ request }) => etagResponse(request, robotsText(getEnv().siteUrl), 'text/plain'))

/** As many as open data files (features/opendata): each is made anew, of thousands of rows. */
const SITEMAP_FILES_PER_MINUTE = 120

/** @throws AppError 429 */
const limitSitemaps = (network: string) => limit('sitemap', network, SITEMAP_FILES_PER_MINUTE, 60)

/** `GET /sitemap.xml`: the index of sitemap files. */
export const serveSitemapIndex = endpoint(async ({ locals, request }) => {
  const siteUrl = requireSiteUrl('mapa del sitio')
  await limitSitemaps(locals.network)
  return etagResponse(request, sitemapIndex(siteUrl, await listSitemapParts(locals.db)), 'application/xml')
})

/** `GET /sitemap/{part}.xml`: one file of addresses. */
export const serveSitemapPart = endpoint(async ({ locals, request, params }) => {
  const siteUrl = requireSiteUrl('mapa del sitio')
  await limitSitemaps(locals.network)
  const name = parsePartName(params.part ?? '')
  const entries = name && (await readSitemapEntries(locals.db, name, await operatorPhotos(getEnv().dataDir)))
  if (!entries) throw notFound('No hay ningún mapa del sitio con ese nombre.')
  return etagResponse(request, sitemapPart(siteUrl, entries), 'application/xml')
})

const feedResponse = (request: Request, siteUrl: string, feed: Feed) =>
  etagResponse(request, atomFeed(siteUrl, feed), 'application/atom+xml', feedUpdatedAt(feed))

/** `GET /novedades.atom` */
export const serveFeed = endpoint(async ({ locals, request }) =>
  feedResponse(request, requireSiteUrl('canal de novedades'), await newDogsFeed(locals.db)),
)

/** `GET /razas/{raza}/novedades.atom`; other names of the breed redirect to its own. */
export const serveBreedFeed = endpoint(async ({ locals, request, params, redirect }) => {
  const siteUrl = requireSiteUrl('canal de novedades')
  const lookup = await lookUpBreed(locals.db, params.raza ?? '')
  if ('moved' in lookup) return redirect(paths.breedFeed(lookup.moved), 301)
  const breedDogs = 'found' in lookup ? await newBreedDogsFeed(locals.db, lookup.found) : null
  if (!breedDogs) throw notFound('No hay ninguna raza con ese nombre.')
  return feedResponse(request, siteUrl, breedDogs)
})

/** `GET /perdidos.atom`, with `?provincia=` by number or name. */
export const serveLostFeed = endpoint(async ({ locals, request, url }) => {
  const siteUrl = requireSiteUrl('canal de perros perdidos')
  const text = url.searchParams.get('provincia') ?? ''
  const province = text ? findProvince(text.slice(0, 100)) : undefined
  if (province === null) throw notFound('No hay ninguna provincia con ese nombre.')
  return feedResponse(request, siteUrl, await lostDogsFeed(locals.db, province))
})
