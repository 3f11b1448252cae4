import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { STATUS_CODES } from 'node:http'
import type { Hub } from '#features/live/hub.server.ts'
import { drainOf } from './drain.ts'
import type { Env } from './env.ts'
import { clientIp } from './ip.ts'
import { asRequest, ID_HEADER, nameRequest } from './log/request.ts'
import type { Watch, Watched } from './watch.ts'

/** Astro's handler, as the node adapter builds it. */
type Handler = (req: IncomingMessage, res: ServerResponse, next?: undefined, locals?: object) => Promise<void>

/** Answers, or leaves the request to `next`. */
type Step = (req: IncomingMessage, res: ServerResponse, next: () => void) => void

export interface Stages {
  env: Pick<Env, 'trustProxy'>
  files: Step
  live: Pick<Hub, 'handle'>
  photos: Step
  handler: Handler
  watch: Watch
}

/** What every request goes through, in this order: files of the build, the live stream, photos, Astro. */
export function openRequests(stages: Stages): RequestListener {
  const { env, files, live, photos, handler, watch } = stages

  function pass(req: IncomingMessage, res: ServerResponse, watched: Watched): void {
    const url = req.url!
    const isApi = url.startsWith('/api/')
    const ip = clientIp(req, env.trustProxy)
    nameStatus(res)
    res.setHeader('X-Content-Type-Options', 'nosniff')
    const render = () => {
      watched.kind = isApi ? 'api' : 'page'
      res.setHeader(ID_HEADER, watched.id)
      void handler(req, res, undefined, { ip, drained: drainOf(res) })
    }
    if (req.method !== 'GET' && req.method !== 'HEAD') return render()
    if (url.startsWith('/_astro/')) return void res.writeHead(404).end()
    watched.kind = 'stream'
    if (isApi) res.setHeader(ID_HEADER, watched.id)
    live.handle(req, res, ip, () => {
      watched.kind = 'photo'
      photos(req, res, () => render())
    })
  }

  const begin = (req: IncomingMessage, res: ServerResponse) => {
    files(req, res, () => {
      const id = nameRequest(req, env.trustProxy)
      asRequest(id, () => pass(req, res, watch(req, res, id)))
    })
  }

  return (req, res) => {
    // Requests sent in a row on one connection, as no browser does, are worked on in a row: six hundred fit one packet, and
    // whoever then reads nothing would have as many pictures stand in memory.
    if (res.socket) begin(req, res)
    else res.once('socket', () => setImmediate(begin, req, res))
  }
}

/** Astro writes «OK» behind every status, 404 too. */
function nameStatus(res: ServerResponse): void {
  Object.defineProperty(res, 'statusMessage', { get: () => STATUS_CODES[res.statusCode] ?? '', set: () => {} })
}
