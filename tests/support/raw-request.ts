import { type IncomingHttpHeaders, request } from 'node:http'
import type { TestServer } from './server.ts'

export interface RawResponse {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}
export type RawRequest = [path: string, headers?: Record<string, string>, method?: string]

/** Asks for bytes, by the path as it is written: fetch would tidy it up first. */
export const requestRaw = (
  server: TestServer,
  ...[path, headers = {}, method = 'GET']: RawRequest
): Promise<RawResponse> =>
  new Promise((resolve, reject) => {
    const sent = request(server.url, { path, headers, method }, (res) => {
      const chunks: Buffer[] = []
      res.on('data', (chunk) => chunks.push(chunk))
      res.on('end', () => resolve({ status: res.statusCode!, headers: res.headers, body: Buffer.concat(chunks) }))
    })
    sent.on('error', reject).end()
  })
