import { getEnv } from '#server/env.ts'
import { endpoint } from '#server/endpoint.ts'
import { etagResponse } from './opendata.http.ts'
import { readOpenApi } from './openapi.server.ts'

/** API requests per network and minute, 0 without a limit: twice as many as page renders (server/limits/api-limits.ts). */
export const callsPerMinute = (): number => getEnv().rendersPerMinute * 2

/** `GET /api/openapi.json` */
export const serveOpenApi = endpoint({ 200: 'application/json', 304: null }, (context) => {
  const body = JSON.stringify(readOpenApi(getEnv().siteUrl, callsPerMinute()))
  return etagResponse(context, body, { 'Content-Type': 'application/json; charset=utf-8' })
})
