import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { countStatements } from '#db/statement-count.ts'
import { type CounterName, readCounter } from './counters.ts'
import type { RequestLogSettings } from './log/request-log.ts'

/** The metrics of one store of the page cache: pages by event, cached pages, and their memory in bytes. */
export interface PageCacheStats {
  counts: object
  size: number
  bytes: number
}

type Reading = number | null | Readonly<Record<string, number>>
/**
 * A gauge whose value another module has, or its values by a label: read at each scrape. Null leaves it out, and so does a failure, which is
 * logged.
 */
export type GaugeSource = readonly [name: string, help: string, read: () => Reading | Promise<Reading>, label?: string]

export interface MetricsSettings {
  /** The bearer token of a scrape. */
  token: string
  /** By name: pages of visitors, and those that members share; empty without a page cache. */
  pageStores: Readonly<Record<string, PageCacheStats>>
  gauges: readonly GaugeSource[]
}

export interface Metrics {
  /** Answers `GET /metrics`; leaves everything else to `next`. */
  answer: (req: IncomingMessage, res: ServerResponse, next: () => void) => void
  count: NonNullable<RequestLogSettings['count']>
}

const COUNTED_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
/** From a cached page to one that a visitor gives up on, s. */
const DURATION_BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const EVENT_COUNTERS: [name: CounterName, metric: string, label: string, help: string][] = [
  ['refused', 'perrario_refused_total', 'limit', 'Requests refused by rate limits and bot protection, by limit'],
  ['detections', 'perrario_detections_total', 'outcome', 'Breed detections, by outcome'],
  ['connections dropped', 'perrario_connections_dropped_total', 'reason', 'Dropped connections, by reason'],
  ['mails', 'perrario_mails_total', 'outcome', 'Sign-in mails, by outcome'],
]

const sha256 = (text: string) => createHash('sha256').update(text).digest()

/** The value of a gauge: one that cannot be read must not hide the others, while the database is unavailable for example. */
async function readOrNull(name: string, read: GaugeSource[2]): Promise<Reading> {
  try {
    return await read()
  } catch (error) {
    console.error(`perrario · la métrica ${name} no se pudo leer:`, error)
    return null
  }
}

/**
 * Opens metrics for Prometheus. Every label has few values, whatever clients request. Counts of other modules are read at each
 * scrape, so metrics add nothing to the cost of a cached page.
 */
export function openMetrics({ token, pageStores, gauges }: MetricsSettings): Metrics {
  const register = new Registry()
  const registers = [register]
  collectDefaultMetrics({ register })
  const requests = new Counter({
    name: 'perrario_http_requests_total',
    help: 'Requests answered neither by the page cache nor as a file of the build',
    labelNames: ['kind', 'method', 'status'],
    registers,
  })
  const seconds = new Histogram({
    name: 'perrario_http_request_seconds',
    help: 'Request duration, without live streams',
    labelNames: ['kind'],
    buckets: DURATION_BUCKETS_SECONDS,
    registers,
  })
  /** A counter with the values of another module, which `fill` sets at each scrape. */
  const mirrorCounter = (name: string, help: string, labelNames: string[], fill: (counter: Counter) => void) =>
    new Counter({
      name,
      help,
      labelNames,
      registers,
      collect() {
        this.reset()
        fill(this)
      },
    })
  mirrorCounter('perrario_database_statements_total', 'Statements sent to the database', [], (c) =>
    c.inc(countStatements()),
  )
  for (const [name, metric, label, help] of EVENT_COUNTERS)
    mirrorCounter(metric, help, [label], (c) => {
      for (const [value, count] of readCounter(name)) c.inc({ [label]: value }, count)
    })
  const stores = Object.entries(pageStores)
  mirrorCounter('perrario_page_cache_total', 'Page cache events', ['store', 'event'], (c) => {
    for (const [store, { counts }] of stores)
      for (const [event, count] of Object.entries(counts as Record<string, number>)) c.inc({ store, event }, count)
  })
  for (const [name, help, field] of [
    ['perrario_page_cache_pages', 'Cached pages', 'size'],
    ['perrario_page_cache_bytes', 'Page cache size, bytes', 'bytes'],
  ] as const)
    register.registerMetric(
      new Gauge({
        name,
        help,
        labelNames: ['store'],
        registers: [],
        collect() {
          for (const [store, stats] of stores) this.set({ store }, stats[field])
        },
      }),
    )
  for (const [name, help, read, label] of gauges) {
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames: label ? [label] : [],
      registers,
      async collect() {
        const value = await readOrNull(name, read)
        gauge.reset()
        if (value === null) gauge.remove()
        else if (typeof value === 'number') gauge.set(value)
        else for (const [of, each] of Object.entries(value)) gauge.set({ [label!]: of }, each)
      },
    })
  }

  const expectedDigest = sha256(`Bearer ${token}`)
  async function sendMetrics(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const headers = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' }
    if (!timingSafeEqual(sha256(req.headers.authorization ?? ''), expectedDigest))
      return void res.writeHead(401, { ...headers, 'WWW-Authenticate': 'Bearer' }).end()
    const text = await register.metrics()
    res.writeHead(200, { ...headers, 'Content-Type': register.contentType }).end(text)
  }
  return {
    answer(req, res, next) {
      if (req.method !== 'GET' || req.url?.split('?', 1)[0] !== '/metrics') return next()
      sendMetrics(req, res).catch((error: unknown) => {
        console.error('perrario · las métricas no se pudieron enviar:', error)
        res.destroy()
      })
    },
    count(kind, method, status, durationSeconds) {
      requests.inc({ kind, method: COUNTED_METHODS.has(method) ? method : 'other', status })
      if (kind !== 'stream') seconds.observe({ kind }, durationSeconds)
    },
  }
}
