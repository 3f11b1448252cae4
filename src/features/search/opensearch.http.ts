import { notFound } from '#lib/errors.ts'
import { getEnv } from '#server/env.ts'
import { endpoint } from '#server/endpoint.ts'
import { openSearchDescription } from './opensearch.ts'

/** `GET /opensearch.xml`. Its addresses are absolute, so it exists only with SITE_URL. @throws AppError 404 without */
export const serveOpenSearch = endpoint(() => {
  const { siteUrl } = getEnv()
  if (!siteUrl) throw notFound('Este sitio no dice su dirección (SITE_URL), así que no ofrece OpenSearch.')
  return new Response(openSearchDescription(siteUrl), {
    headers: {
      'Content-Type': 'application/opensearchdescription+xml; charset=utf-8',
      'Cache-Control': 'public, max-age=86400',
    },
  })
})
