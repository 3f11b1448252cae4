import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { STATUS_CODES } from 'node:http'
import compression from 'compression'
import type { Hub } from '#features/live/hub.server.ts'
import { mayRender } from './cache/pace.ts'
import type { Handler } from './cache/render.ts'
import { drainOf } from './drain.ts'
import type { Env } from './env.ts'
import { clientIp } from './ip.ts'
import { isTooLarge } from './listen.ts'
import { asRequest, ID_HEADER, nameRequest } from './log/request.ts'
import { dataHeaders, documentHeaders } from './trust.ts'
import type { Watch, Watched } from './watch.ts'

/** Answers, or leaves the request to `next`. */
type Step = (req: IncomingMessage, res: ServerResponse, next: () => void) => void

export interface Stages {
  env: Pick<Env, 'trustProxy' | 'rendersPerMinute' | 'siteUrl'>
  /** Answers a kept page; false where the request is not for one. */
  answer: ((req: IncomingMessage, res: ServerResponse) => boolean) | undefined
  /** Where the operator's monitoring asks. */
  metrics: Step
  files: Step
  live: Pick<Hub, 'handle'>
  photos: Step
  /** Astro's. */
  handler: Handler
  watch: Watch
}

/** What Astro can make a request of: TRACE and its like are none to it, and would end in a 500. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** What a host cannot hold. Astro reads the address as `http://{Host}{path}`: with these, or none, the host would choose the
 * path, or the path the host. */
const NO_HOST = /^$|[^\x21-\x7e]|[/\\?#@<>"^`|{}]/

/** A backslash in a path. Astro decodes it and reads it as a slash, but only after it has chosen the route: the address that
 * our own steps are told would be another one than the route's (`/api/dogs/..%5c..%5cadmin`). */
const NO_PATH = /^[^?]*(\\|%5c)/i

/** What every request goes through, in this order: kept pages, files of the build, the live stream, photos, Astro. */
export function openRequests(stages: Stages): RequestListener {
  const { env, answer, files, metrics, live, photos, handler, watch } = stages
  // What is rendered for one person alone, and the API's answers: pages that are kept come compressed from the store.
  const compress = compression() as Step
  const said = new Headers(dataHeaders(env))
  const saidOfPages = new Headers(documentHeaders(env))

  function pass(req: IncomingMessage, res: ServerResponse, watched: Watched): void {
    const url = req.url!
    const isApi = url.startsWith('/api/')
    const ip = clientIp(req, env.trustProxy)
    nameStatus(res)
    res.setHeaders(said)
    const named = () => {
      watched.kind = isApi ? 'api' : 'page'
      res.setHeader(ID_HEADER, watched.id)
      res.setHeaders(saidOfPages)
    }
    const render = () => {
      named()
      compress(req, res, () => void handler(req, res, undefined, { ip, drained: drainOf(res) }))
    }
    if (isTooLarge(req)) return refuse(res, named, 413, 'La petición es demasiado grande.')
    if (NO_HOST.test(req.headers.host ?? 'none')) return refuse(res, named, 400, 'La cabecera Host no es válida.')
    if (NO_PATH.test(url)) return refuse(res, named, 400, 'La dirección no es válida.')
    if (!METHODS.includes(req.method!)) return refuse(res, named, 405, 'Ese método no se admite.')
    if (req.method !== 'GET' && req.method !== 'HEAD') return render()
    const renderInTurn = async () => {
      named()
      if (isApi || (await mayRender(ip, env.rendersPerMinute, res))) render()
    }
    if (url.startsWith('/_astro/')) return void res.writeHead(404).end()
    metrics(req, res, () => {
      watched.kind = 'stream'
      if (isApi) res.setHeader(ID_HEADER, watched.id)
      live.handle(req, res, ip, () => {
        watched.kind = 'photo'
        photos(req, res, () => void renderInTurn())
      })
    })
  }

  const begin = (req: IncomingMessage, res: ServerResponse) => {
    if (answer?.(req, res)) return
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

/** Said before a byte of its body is read. Of one that is too large the rest is thrown away: who is cut off never learns why. */
function refuse(res: ServerResponse, named: () => void, status: 400 | 405 | 413, detail: string): void {
  named()
  const title = STATUS_CODES[status]
  res.writeHead(status, {
    'Content-Type': 'application/problem+json; charset=utf-8',
    'Cache-Control': 'no-store',
    ...(status !== 413 && { Connection: 'close' }),
    ...(status === 405 && { Allow: METHODS.join(', ') }),
  })
  res.end(JSON.stringify({ type: 'about:blank', title, status, detail }))
}

/** Astro writes «OK» behind every status, 404 too. */
function nameStatus(res: ServerResponse): void {
  Object.defineProperty(res, 'statusMessage', { get: () => STATUS_CODES[res.statusCode] ?? '', set: () => {} })
}
