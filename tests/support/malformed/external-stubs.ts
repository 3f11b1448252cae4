import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerText } from '#tests/support/stubs/gemini.ts'

/**
 * All that the server would ask of others, on this machine: a push service that takes everything, a detection that sees
 * beagles, a GitHub that knows nobody. Without it those addresses end at «not configured».
 * @returns the server's environment for it
 */
export async function startExternalStubs(): Promise<{ env: Record<string, string>; device: string; stop: () => void }> {
  const beagle = answerText('Beagle')!.body
  const server = createServer((request, response) => {
    request.resume()
    if (request.url!.startsWith('/v1beta/')) response.writeHead(200, { 'Content-Type': 'application/json' }).end(beagle)
    else response.writeHead(request.url!.startsWith('/push/') ? 201 : 404).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    env: {
      PUSH_HOSTS: host,
      GEMINI_API_KEY: 'clave',
      GEMINI_URL: `http://${host}`,
      GITHUB_CLIENT_ID: 'perrario',
      GITHUB_CLIENT_SECRET: 'secreto',
      GITHUB_ISSUER: `http://${host}`,
    },
    device: `http://${host}/push/x`,
    stop: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
