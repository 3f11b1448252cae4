import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Hub } from '#features/live/hub.server.ts'
import { createDrainWaiter } from '#server/connections/backpressure.ts'
import { AppError } from '#lib/errors.ts'
import type { Env } from '#server/env.ts'
import { clientNetwork } from '#server/connections/client-network.ts'
import { readRequestPath } from '#server/connections/request-path.ts'
import { isBodyTooLarge } from '#server/body/request-size.ts'
import { runWithRequestId, REQUEST_ID_HEADER, createRequestId } from '#server/log/request-id.ts'
import { queuePipelined } from '#server/connections/pipelining.ts'
import { limitNetworkCall } from '#server/limits/api-limits.ts'
import { consumeRenderQuota } from '#server/limits/render-rate-limit.ts'
import { noticeProxy } from '#server/operator-warnings.ts'
import { INVALID_METHOD, sendProblem } from '#server/problem.ts'
import { dataHeaders, documentHeaders } from '#server/security/security-headers.ts'
import { toLoggedPath, type RequestLog, type RequestLogEntry } from '#server/log/request-log.ts'

/** Middleware as connect knows it: answers, or leaves the request to `next`. */
type Middleware = (req: IncomingMessage, res: ServerResponse, next: () => void) => void

export interface PipelineParts {
  env: Pick<Env, 'trustProxy' | 'rendersPerMinute' | 'siteUrl'>
  /** Answers from the page cache, a cached page synchronously; undefined without a page cache. `skipFiles` leaves a request to the steps. */
  cachedPages: ((...args: [...Parameters<Middleware>, skipFiles: () => void]) => void) | undefined
  /** The files of the build; undefined in development, where Vite serves the sources. */
  files: Middleware | undefined
  /** Answers /metrics; undefined without METRICS_TOKEN. */
  metrics: Middleware | undefined
  live: Pick<Hub, 'handle'>
  /** As Middleware, with the client's network. */
  photos: (req: IncomingMessage, res: ServerResponse, network: string, next: () => void) => void
  /** Astro: pages and endpoints. Rejects where an answer broke off. Undefined in development, where Vite answers the rest. */
  astro: ((req: IncomingMessage, res: ServerResponse, locals: PipelineLocals) => Promise<void>) | undefined
  requestLog: RequestLog
}

/** What pages and endpoints know of the connection. */
export type PipelineLocals = Required<Pick<App.Locals, 'network' | 'waitForDrain'>>

/** A request on its way through the steps. */
interface Exchange {
  req: IncomingMessage
  res: ServerResponse
  /** The client's network (connections/client-network.ts). */
  network: string
  /** The path that Astro routes (connections/request-path.ts); empty for one that is refused. */
  path: string
  /** Whether an endpoint of the API answers. */
  isApi: boolean
  logEntry: RequestLogEntry
  /** The handler after the pipeline: Vite, in development. */
  fallThrough: () => void
}

/** Answers, or calls `next`, the following step. */
type Step = (exchange: Exchange, next: () => void) => void

/** The methods that Astro supports: it answers TRACE and others with a 500. */
const SUPPORTED_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/**
 * Hosts with characters that no host has. Astro reads the address as `http://{Host}{path}`: with these, or with an empty host,
 * the host would change the path, or the path the host.
 */
const INVALID_HOST = /^$|[^\x21-\x7e]|[/\\?#@<>"^`|{}]/
/** A host that no URL may have (`x:99999`) is refused too: Astro would render the home page for any path of it. */
const isValidHost = (host: string) => !INVALID_HOST.test(host) && URL.canParse(`http://${host}`)

/** The share target: it takes a form and renders nothing. */
const SHARE_PATH = '/compartir'

/**
 * Pages that take a form of their own: a breed's edit, the share target, the account's codes and link, lost and
 * found dogs, sightings, messages and their reviews. Astro renders the other pages for any method.
 */
const FORM_PAGE_PATTERNS = [
  /razas\/(?!(?:imprimir|guia|que-raza|comparar)$)[^/]+/,
  /compartir/,
  /perfil\/(?:seguridad|enlace)/,
  /perdidos\/(?!(?:primeras-24-horas|avisos)$)[^/]+/,
  /perdidos\/[^/]+\/(?:visto|avistamientos)/,
  /encontrados(?:\/[^/]+)?/,
  /mensajes\/(?!(?:confirmar|baja)$)[^/]+/,
  /admin\/(?:avistamientos|encontrados|mensajes)/,
]
const FORM_PAGES = new RegExp(`^/(?:${FORM_PAGE_PATTERNS.map(({ source }) => source).join('|')})$`)

/** The page among the addresses of the API. */
const API_DOCS_PATH = '/api/docs'

/** The characters that a `Location` may contain. */
const PRINTABLE = /^[\x21-\x7e]+$/

/** Pictures have one spelling each: their own step answers 404 to any other. */
const PICTURE_PATH = /^\/(?:_ipx|photos)\//

/** The path and query of `url` without a trailing slash or two slashes in a row; null where it has neither. */
export function withoutSpareSlashes(url: string): string | null {
  const mark = url.indexOf('?')
  const path = mark < 0 ? url : url.slice(0, mark)
  if (!path.includes('//') && !(path.endsWith('/') && path.length > 1)) return null
  if (!PRINTABLE.test(url) || PICTURE_PATH.test(path)) return null
  const query = mark < 0 ? '' : url.slice(mark)
  return `/${path.split('/').filter(Boolean).join('/')}${query}`
}

const noop = () => {}
const isReadRequest = ({ method }: IncomingMessage) => method === 'GET' || method === 'HEAD'

/**
 * The steps of every request. Cached pages and files of the build come first, since most requests are for them; one that is answered from
 * memory or a file has no id and no log entry. For a member the page cache reads who they are, and whom a page names. Every other request
 * gets an id and goes through the steps of `stepsOf` in their order.
 */
export function openPipeline(
  parts: PipelineParts,
): (req: IncomingMessage, res: ServerResponse, fallThrough?: () => void) => void {
  const { env, cachedPages, files, requestLog } = parts
  const steps = stepsOf(parts)
  const onData = new Headers(dataHeaders(env))

  const run = (exchange: Exchange, index: number): void => steps[index]?.[1](exchange, () => run(exchange, index + 1))

  const runSteps = (req: IncomingMessage, res: ServerResponse, fallThrough: () => void) => {
    noticeProxy(req, env.trustProxy)
    const id = createRequestId(req, env.trustProxy)
    runWithRequestId(id, () => {
      const logEntry = requestLog(req, res, id)
      res.setHeaders(onData)
      const path = readRequestPath(req.url ?? '') ?? ''
      run(
        {
          req,
          res,
          logEntry,
          network: clientNetwork(req, env.trustProxy),
          path,
          isApi: path.startsWith('/api/') && path !== API_DOCS_PATH,
          fallThrough,
        },
        0,
      )
    })
  }

  const begin = (req: IncomingMessage, res: ServerResponse, fallThrough: () => void) => {
    const runAfterFiles = () => runSteps(req, res, fallThrough)
    const runAfterCache = () => (files ? files(req, res, runAfterFiles) : runAfterFiles())
    if (cachedPages) cachedPages(req, res, runAfterCache, runAfterFiles)
    else runAfterCache()
  }

  return (req, res, fallThrough = noop) => queuePipelined(req, res, () => begin(req, res, fallThrough))
}

/** What balancers ask every second: counted among pages, it would hide how slow those are. */
const HEALTH_PATH = /^\/healthz(?:\/live)?$/

/** Files of an earlier build: 404 without a page. */
const refuseMissingFiles: Step = ({ req, res }, next) => {
  if (isReadRequest(req) && req.url?.startsWith('/_astro/')) res.writeHead(404).end()
  else next()
}

/** Refuses prefetches: a render may write, as a renewed session does, and the reader may never come. */
const refusePrefetches: Step = ({ req, res }, next) => {
  if (req.headers['sec-purpose']) res.writeHead(503, { 'Cache-Control': 'no-store' }).end()
  else next()
}

/** The steps after cached pages and files, by name, in their order. */
export function stepsOf({ env, metrics, live, photos, astro }: PipelineParts): [name: string, step: Step][] {
  const onPages = new Headers(documentHeaders(env))

  const setPageHeaders = ({ res, logEntry, path, isApi }: Exchange) => {
    logEntry.kind = HEALTH_PATH.test(path) ? 'health' : isApi ? 'api' : 'page'
    res.setHeader(REQUEST_ID_HEADER, logEntry.id)
    res.setHeaders(onPages)
  }

  /** Refuses before a byte of the body is read. @param allowed the methods that a 405 names */
  const refuse = (exchange: Exchange, status: 400 | 405 | 413, detail: string, allowed?: readonly string[]) => {
    setPageHeaders(exchange)
    sendProblem(exchange.res, status, detail, {
      'Cache-Control': 'no-store',
      // The rest of a body that is too large is read and discarded: a client whose connection is cut never sees the reason.
      ...(status !== 413 && { Connection: 'close' }),
      ...(allowed && { Allow: allowed.join(', ') }),
    })
  }

  const refuseMalformed: Step = (exchange, next) => {
    const { req, path } = exchange
    if (isBodyTooLarge(req)) refuse(exchange, 413, 'La petición es demasiado grande.')
    else if (!isValidHost(req.headers.host ?? 'none')) refuse(exchange, 400, 'La cabecera Host no es válida.')
    else if (path === '') refuse(exchange, 400, 'La dirección no es válida.')
    else if (!SUPPORTED_METHODS.includes(req.method ?? '')) refuse(exchange, 405, INVALID_METHOD, SUPPORTED_METHODS)
    else next()
  }

  /** Pages are read. After the redirect of spare slashes: a form that is sent to `/compartir/` is sent again. */
  const refuseWritesToPages: Step = (exchange, next) => {
    const { req, path, isApi } = exchange
    if (isApi || isReadRequest(req)) return next()
    const isForm = FORM_PAGES.test(path)
    if (isForm && req.method === 'POST') next()
    else refuse(exchange, 405, INVALID_METHOD, isForm ? ['GET', 'HEAD', 'POST'] : ['GET', 'HEAD'])
  }

  /** Astro answers `//perros` and `/perros/` as `/perros`, past the page cache, and `//api/dogs` past the rules for `/api/`. */
  const redirectSpareSlashes: Step = (exchange, next) => {
    const address = astro ? withoutSpareSlashes(exchange.req.url ?? '') : null
    if (address === null) return next()
    setPageHeaders(exchange)
    const isReading = isReadRequest(exchange.req)
    // A body that is not read would be taken for the next request.
    exchange.res
      .writeHead(isReading ? 301 : 308, { Location: address, ...(!isReading && { Connection: 'close' }) })
      .end()
  }

  const sendMetrics: Step = ({ req, res }, next) => (metrics && isReadRequest(req) ? metrics(req, res, next) : next())

  /** Counts a call before its session is looked up. @returns false where it has answered 429 */
  const consumeCallQuota = async ({ req, res, network, path }: Exchange): Promise<boolean> => {
    try {
      await limitNetworkCall({ method: req.method ?? '', path, network }, env.rendersPerMinute)
      return true
    } catch (error) {
      if (!(error instanceof AppError)) abortResponse(req, res, error)
      else {
        res.setHeader('Retry-After', Math.ceil(error.retryAfter ?? 60))
        sendProblem(res, 429, error.message, { 'Cache-Control': 'no-store' })
      }
      return false
    }
  }

  const streamEvents: Step = async (exchange, next) => {
    const { req, res, network, path, isApi, logEntry } = exchange
    if (!isReadRequest(req)) return next()
    logEntry.kind = 'stream'
    if (isApi) res.setHeader(REQUEST_ID_HEADER, logEntry.id)
    if (path !== '/api/events') return next()
    if (await consumeCallQuota(exchange)) live.handle(req, res, network, next)
  }

  const deliverPhotos: Step = ({ req, res, network, logEntry }, next) => {
    if (!isReadRequest(req)) return next()
    logEntry.kind = 'photo'
    photos(req, res, network, next)
  }

  /** Whatever Astro is asked counts here, by the path that it routes: a form that is sent to a page as a write and a page. */
  const limitCalls: Step = async (exchange, next) => {
    const { req, res, network, path, isApi } = exchange
    setPageHeaders(exchange)
    if (!(await consumeCallQuota(exchange))) return
    const isRendered = !isApi && (isReadRequest(req) || path !== SHARE_PATH)
    if (!isRendered || (await consumeRenderQuota(network, env.rendersPerMinute, res))) next()
  }

  const render: Step = ({ req, res, network, fallThrough }) => {
    if (!astro) {
      // Vite inlines scripts and styles.
      res.removeHeader('Content-Security-Policy')
      return fallThrough()
    }
    astro(req, res, { network, waitForDrain: createDrainWaiter(res) }).catch((error: unknown) =>
      abortResponse(req, res, error),
    )
  }

  return [
    ['malformed requests', refuseMalformed],
    ['missing files', refuseMissingFiles],
    ['addresses with spare slashes', redirectSpareSlashes],
    ['writes to pages', refuseWritesToPages],
    ['prefetches', refusePrefetches],
    ['metrics', sendMetrics],
    ['live', streamEvents],
    ['photos', deliverPhotos],
    ['limits of calls and pages', limitCalls],
    ['astro', render],
  ]
}

/** Ends a request that no step could answer. Astro answers its own failures with its error page. */
function abortResponse({ url = '', socket }: IncomingMessage, res: ServerResponse, error: unknown): void {
  if (socket.destroyed) return
  console.error(`perrario · no se pudo responder a ${toLoggedPath(url)}`, error)
  if (res.headersSent) res.destroy()
  else res.writeHead(500).end()
}
