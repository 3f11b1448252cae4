import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import compression from 'compression'
import type { Hub } from '#features/live/hub.server.ts'
import { drainOf } from '#server/drain.ts'
import type { Env } from '#server/env.ts'
import { clientIp } from '#server/ip.ts'
import { isTooLarge } from '#server/listen.ts'
import { asRequest, ID_HEADER, nameRequest } from '#server/log/request.ts'
import { inTurn } from '#server/pipelining.ts'
import { mayRender } from '#server/render-limit.ts'
import { dataHeaders, documentHeaders } from '#server/trust.ts'
import { pathOf, type Watch, type Watched } from '#server/watch.ts'

/** Middleware as connect knows it: answers, or leaves the request to `next`. */
type Middleware = (req: IncomingMessage, res: ServerResponse, next: () => void) => void

export interface PipelineParts {
  env: Pick<Env, 'trustProxy' | 'rendersPerMinute' | 'siteUrl'>
  /** Answers a kept page; false where the request is not for one. Undefined: no pages are kept. */
  keptPages: ((req: IncomingMessage, res: ServerResponse) => boolean) | undefined
  /** The files of the build; undefined in development, where Vite serves the sources. */
  files: Middleware | undefined
  /** Where the operator's monitoring asks; undefined without METRICS_TOKEN. */
  metrics: Middleware | undefined
  live: Pick<Hub, 'handle'>
  photos: Middleware
  /** Astro: pages and endpoints. Rejects where an answer broke off. Undefined in development: what is left is Vite's. */
  astro: ((req: IncomingMessage, res: ServerResponse, locals: FromPipeline) => Promise<void>) | undefined
  watch: Watch
}

/** What pages and endpoints are told of the connection. */
export type FromPipeline = Required<Pick<App.Locals, 'ip' | 'drained'>>

/** A request on its way through the steps. */
interface Exchange {
  req: IncomingMessage
  res: ServerResponse
  /** The sender's network. */
  ip: string
  isApi: boolean
  watched: Watched
  /** What stands behind the pipeline: Vite, in development. */
  leave: () => void
}

/** Answers, or leaves the request to `next`, the step behind it. */
type Step = (exchange: Exchange, next: () => void) => void

/** What Astro can make a request of: TRACE and its like are none to it, and would end in a 500. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** What a host cannot hold. Astro reads the address as `http://{Host}{path}`: with these, or none, the host would choose the
 * path, or the path the host. */
const NO_HOST = /^$|[^\x21-\x7e]|[/\\?#@<>"^`|{}]/

/** An address that is no path (`http://host/…` as proxies are asked, `*`): Astro would answer it with the home page. And a
 * backslash in a path. Astro decodes it and reads it as a slash, but only after it has chosen the route: the address that
 * our own steps are told would be another one than the route's (`/api/dogs/..%5c..%5cadmin`). */
const NO_PATH = /^(?!\/)|^[^?]*(?:\\|%5c)/i

const nothing = () => {}
const isRead = ({ method }: IncomingMessage) => method === 'GET' || method === 'HEAD'

/**
 * What every request goes through. Kept pages and files of the build come first, unnamed and unlogged, since most requests
 * are for them; whatever they leave gets a name and meets the steps of `stepsOf` in their order.
 */
export function openPipeline(
  parts: PipelineParts,
): (req: IncomingMessage, res: ServerResponse, leave?: () => void) => void {
  const { env, keptPages, files, watch } = parts
  const steps = stepsOf(parts)
  const onData = new Headers(dataHeaders(env))

  const run = (exchange: Exchange, index: number): void => steps[index]?.[1](exchange, () => run(exchange, index + 1))

  const enter = (req: IncomingMessage, res: ServerResponse, leave: () => void) => {
    const id = nameRequest(req, env.trustProxy)
    asRequest(id, () => {
      const watched = watch(req, res, id)
      nameStatus(res)
      res.setHeaders(onData)
      run({ req, res, watched, ip: clientIp(req, env.trustProxy), isApi: req.url!.startsWith('/api/'), leave }, 0)
    })
  }

  const begin = (req: IncomingMessage, res: ServerResponse, leave: () => void) => {
    if (keptPages?.(req, res)) return
    if (files) files(req, res, () => enter(req, res, leave))
    else enter(req, res, leave)
  }

  return (req, res, leave = nothing) => inTurn(req, res, () => begin(req, res, leave))
}

/** The steps behind kept pages and files, by name, in their order. */
export function stepsOf({ env, metrics, live, photos, astro }: PipelineParts): [name: string, step: Step][] {
  // What is rendered for one person alone, and the API's answers: pages that are kept come compressed from the store.
  const compress = compression() as Middleware
  const onPages = new Headers(documentHeaders(env))

  const named = ({ res, watched, isApi }: Exchange) => {
    watched.kind = isApi ? 'api' : 'page'
    res.setHeader(ID_HEADER, watched.id)
    res.setHeaders(onPages)
  }

  /** Said before a byte of the body is read. */
  const refuseMalformed: Step = (exchange, next) => {
    const { req } = exchange
    const refuse = (status: 400 | 405 | 413, detail: string) => {
      named(exchange)
      answerProblem(exchange.res, status, detail)
    }
    if (isTooLarge(req)) refuse(413, 'La petición es demasiado grande.')
    else if (NO_HOST.test(req.headers.host ?? 'none')) refuse(400, 'La cabecera Host no es válida.')
    else if (NO_PATH.test(req.url!)) refuse(400, 'La dirección no es válida.')
    else if (!METHODS.includes(req.method!)) refuse(405, 'Ese método no se admite.')
    else next()
  }

  /** A file of an earlier build: a page would be no answer for it. */
  const refuseLostFiles: Step = ({ req, res }, next) => {
    if (isRead(req) && req.url!.startsWith('/_astro/')) res.writeHead(404).end()
    else next()
  }

  const tellMetrics: Step = ({ req, res }, next) => (metrics && isRead(req) ? metrics(req, res, next) : next())

  const streamEvents: Step = ({ req, res, ip, isApi, watched }, next) => {
    if (!isRead(req)) return next()
    watched.kind = 'stream'
    if (isApi) res.setHeader(ID_HEADER, watched.id)
    live.handle(req, res, ip, next)
  }

  const deliverPhotos: Step = ({ req, res, watched }, next) => {
    if (!isRead(req)) return next()
    watched.kind = 'photo'
    photos(req, res, next)
  }

  const limitRenders: Step = async (exchange, next) => {
    const { req, res, ip, isApi } = exchange
    named(exchange)
    if (!isRead(req) || isApi || (await mayRender(ip, env.rendersPerMinute, res))) next()
  }

  const render: Step = ({ req, res, ip, leave }) => {
    if (!astro) {
      // Vite puts scripts and styles inline.
      res.removeHeader('Content-Security-Policy')
      return leave()
    }
    compress(req, res, () => {
      astro(req, res, { ip, drained: drainOf(res) }).catch((error: unknown) => breakOff(req, res, error))
    })
  }

  return [
    ['malformed requests', refuseMalformed],
    ['lost files', refuseLostFiles],
    ['metrics', tellMetrics],
    ['live', streamEvents],
    ['photos', deliverPhotos],
    ['render limit', limitRenders],
    ['astro', render],
  ]
}

/** Of a body that is too large the rest is thrown away: who is cut off never learns why. */
function answerProblem(res: ServerResponse, status: 400 | 405 | 413, detail: string): void {
  const title = STATUS_CODES[status]
  res.writeHead(status, {
    'Content-Type': 'application/problem+json; charset=utf-8',
    'Cache-Control': 'no-store',
    ...(status !== 413 && { Connection: 'close' }),
    ...(status === 405 && { Allow: METHODS.join(', ') }),
  })
  res.end(JSON.stringify({ type: 'about:blank', title, status, detail }))
}

/** The last resort: Astro answers its own failures with the page for them. */
function breakOff({ url, socket }: IncomingMessage, res: ServerResponse, error: unknown): void {
  if (socket.destroyed) return
  console.error(`Could not answer ${pathOf(url!)}`, error)
  if (res.headersSent) res.destroy()
  else res.writeHead(500).end()
}

/** Astro writes «OK» behind every status, 404 too. */
function nameStatus(res: ServerResponse): void {
  Object.defineProperty(res, 'statusMessage', { get: () => STATUS_CODES[res.statusCode] ?? '', set: () => {} })
}
