import { Agent, request } from 'node:http'

/** Sends `rate` requests a second for `seconds`, each at its own time whether or not earlier ones have been answered. */
export async function sendAtRate(
  rate: number,
  seconds: number,
  send: (n: number) => Promise<void>,
): Promise<{ times: number[]; failures: number; seconds: number }> {
  const times: number[] = []
  let failures = 0
  const waiting: Promise<void>[] = []
  const start = performance.now()
  for (let n = 0; n < rate * seconds; n++) {
    const due = start + (n * 1000) / rate
    const early = due - performance.now()
    if (early > 1) await new Promise((done) => setTimeout(done, early))
    waiting.push(
      send(n).then(
        // From when it was due: a server that falls behind is not spared the wait.
        () => void times.push(performance.now() - due),
        () => void failures++,
      ),
    )
  }
  await Promise.all(waiting)
  return { times, failures, seconds: (performance.now() - start) / 1000 }
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

/** One request over kept connections; fetch costs the measuring side several times as much. @throws for any status but 2xx */
export const sendRequest = (
  url: string,
  method: string,
  cookie?: string,
  more: Record<string, string> = {},
): Promise<string> =>
  new Promise((done, fail) => {
    const headers = { ...(cookie && { Cookie: cookie }), ...more }
    const outgoing = request(url, { method, agent, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk) => (text += chunk))
      response.on('end', () =>
        response.statusCode! < 300 ? done(text) : fail(new Error(`${response.statusCode} ${url} ${text}`)),
      )
    })
    outgoing.on('error', fail)
    outgoing.end()
  })
