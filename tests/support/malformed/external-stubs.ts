import { answerText } from '#tests/support/stubs/gemini.ts'
import { startStubServer } from '#tests/support/stubs/stub-server.ts'

/**
 * All that the server would ask of others, on this machine: a push service that takes everything, a detection that sees
 * beagles, a GitHub that knows nobody. Without it those addresses end at «not configured».
 * @returns the server's environment for it
 */
export async function startExternalStubs(): Promise<{ env: Record<string, string>; device: string; stop: () => void }> {
  const beagle = answerText('Beagle')!.body
  const { host, url, stop } = await startStubServer((request, response) => {
    request.resume()
    if (request.url!.startsWith('/v1beta/')) response.writeHead(200, { 'Content-Type': 'application/json' }).end(beagle)
    else response.writeHead(request.url!.startsWith('/push/') ? 201 : 404).end()
  })
  return {
    env: {
      PUSH_HOSTS: host,
      GEMINI_API_KEY: 'clave',
      GEMINI_URL: url,
      GITHUB_CLIENT_ID: 'perrario',
      GITHUB_CLIENT_SECRET: 'secreto',
      GITHUB_ISSUER: url,
    },
    device: `${url}/push/x`,
    stop,
  }
}
