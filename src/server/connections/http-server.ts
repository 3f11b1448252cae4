import { createServer, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { toSitePrefix } from '#lib/http/site-prefix.ts'
import { networkOf } from './client-network.ts'
import { LimitedRequest, withLimitedRest } from './limited-request.ts'
import { withReasonPhrases } from './reason-phrases.ts'
import { type UnreadLimits, withUnreadLimit } from './unread-answers.ts'
import { incrementCounter } from '#server/counters.ts'
import { FairPool, type Hold } from '#server/fair-pool.ts'

export interface ConnectionLimits extends UnreadLimits {
  /** Time that a client has for its headers, s. */
  headersSeconds: number
  /** Time for its whole request, s. */
  requestSeconds: number
  /** Open connections of one site (IPv4 address or IPv6 /48); 0: no limit. */
  connectionsPerSite: number
  /** Behind a proxy every connection is the proxy's: it limits its clients itself and keeps connections open longer. */
  trustProxy: boolean
  /** Open connections in total. */
  maxConnections?: number
}

/** Open sockets in total: memory would be the next limit. */
const MAX_CONNECTIONS = 10_000
/** Headers of a request; a browser sends some twenty. */
const MAX_HEADERS = 100
/** Time that a connection stays open for its next request, ms. A proxy should close first, after 60 s (docs/operations.md). */
const KEEP_ALIVE_MS = 20_000
const PROXY_KEEP_ALIVE_MS = 75_000

/**
 * Creates a server that no slow or greedy client can block. A client that does not send its headers or its body in time gets
 * Node's own 408, and one site has no more than its share of connections.
 */
export function openServer(handle: RequestListener, limits: ConnectionLimits): Server {
  const headersTimeout = limits.headersSeconds * 1000
  const requestTimeout = Math.max(limits.requestSeconds, limits.headersSeconds) * 1000
  const server = createServer(
    {
      IncomingMessage: LimitedRequest,
      ServerResponse: withReasonPhrases(withLimitedRest(withUnreadLimit(limits))),
      headersTimeout,
      requestTimeout,
      keepAliveTimeout: limits.trustProxy ? PROXY_KEEP_ALIVE_MS : KEEP_ALIVE_MS,
      maxHeaderSize: 16 * 1024,
      connectionsCheckingInterval: Math.max(250, Math.min(5000, headersTimeout / 4)),
    },
    handle,
  )
  server.maxHeadersCount = MAX_HEADERS
  server.on('drop', () => incrementCounter('connections dropped', 'all'))
  const { connectionsPerSite, trustProxy, maxConnections = MAX_CONNECTIONS } = limits
  if (trustProxy) server.maxConnections = maxConnections
  else {
    // `limitConnections` closes an idle socket first; Node's own bound would drop the new one.
    server.maxConnections = maxConnections + EVICTION_HEADROOM
    limitConnections(server, connectionsPerSite, maxConnections)
  }
  return server
}

/** Sockets beyond the bound that may be open between a new connection and the end of the one it replaces. */
const EVICTION_HEADROOM = 500

/**
 * Limits connections by site: an IPv4 address or an IPv6 /48, since one customer may hold 65,536 networks. A site beyond its
 * share is refused. When all are in use, the oldest connection without a request is closed, of the site with the most: many
 * silent connections must not block all other clients.
 * @param maxPerSite 0: no limit
 */
function limitConnections(server: Server, maxPerSite: number, maxTotal: number): void {
  const pool = new FairPool({ max: maxTotal, maxPerOwner: maxPerSite || Infinity, ownerGives: 'itself' })
  const holds = new WeakMap<Socket, Hold>()
  server.on('request', ({ socket }, res) => {
    const hold = holds.get(socket)
    hold?.pin(true)
    res.once('close', () => hold?.pin(false))
  })
  server.on('connection', (socket) => {
    const hold = pool.hold(toSitePrefix(networkOf(socket.remoteAddress ?? 'unknown')), (why) => {
      incrementCounter('connections dropped', why === 'owner' ? 'address' : why)
      socket.destroy()
    })
    holds.set(socket, hold)
    socket.once('close', () => hold.release())
    hold.resize(1)
  })
}

/** Where systemd passes the sockets that it opened for a service (sd_listen_fds). */
const SYSTEMD_FIRST_FD = 3

/**
 * The socket that systemd passes, if there is one (socket activation). It stays open while the server restarts, so that new
 * connections wait instead of being refused.
 */
export function findSystemdSocket(env: Record<string, string | undefined>, pid = process.pid): { fd: number } | null {
  if (Number(env.LISTEN_FDS) !== 1) return null
  if (env.LISTEN_PID && Number(env.LISTEN_PID) !== pid) return null
  return { fd: SYSTEMD_FIRST_FD }
}
