import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'

/**
 * Answers `/sw.js`: the worker of this build or, retired, the one that takes its place, forgets what it kept and goes.
 * Browsers ask for it anew at every visit, so either reaches everybody.
 * @param client the folder of the build's files for browsers
 */
export function deliverWorker(client: string, isRetired: boolean) {
  const body = readFileSync(join(client, isRetired ? 'sw-retirado.js' : 'sw.js'))
  return (req: IncomingMessage, res: ServerResponse, next: () => void): void => {
    if (req.url?.split('?')[0] !== '/sw.js') return next()
    res.writeHead(200, {
      'Content-Type': 'text/javascript; charset=utf-8',
      'Content-Length': body.length,
      'Cache-Control': 'no-cache',
      'Service-Worker-Allowed': '/',
    })
    res.end(req.method === 'HEAD' ? undefined : body)
  }
}
