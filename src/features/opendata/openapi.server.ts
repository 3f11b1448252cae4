import document from '#data/openapi.json' with { type: 'json' }
import { paths } from '#lib/paths.ts'
import type { OpenApi } from './openapi.ts'

const LIMIT = ' Hasta {perMinute} peticiones por minuto.'

/**
 * The OpenAPI 3.1 document of all reads that need no session: data/openapi.json with this site's limit and addresses.
 * @param siteUrl the origin; without it the document has no absolute addresses
 * @param perMinute requests per network and minute; 0 without a limit
 */
export function readOpenApi(siteUrl: string | undefined, perMinute: number): OpenApi {
  const limit = perMinute > 0 ? LIMIT.replace('{perMinute}', String(perMinute)) : ''
  const { openapi, info, ...rest }: OpenApi = JSON.parse(JSON.stringify(document).replaceAll(LIMIT, limit))
  const ofSite = siteUrl && {
    info: {
      ...info,
      termsOfService: siteUrl + paths.terms,
      contact: { name: 'Quien administra este sitio', url: siteUrl + paths.terms },
    },
    servers: [{ url: siteUrl }],
    externalDocs: { description: 'Lo mismo, para leer', url: siteUrl + paths.apiDocs },
  }
  return { openapi, info, ...ofSite, ...rest }
}
