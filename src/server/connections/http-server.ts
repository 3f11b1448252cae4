import { createServer, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { toSitePrefix } from '#lib/http/site-prefix.ts'
import { networkOf } from './client-network.ts'
import { LimitedRequest, withLimitedRest } from './limited-request.ts'
import { withReasonPhrases } from './reason-phrases.ts'
import { UnreadAnswers } from './unread-answers.ts'
import { incrementCounter } from '#server/counters.ts'

export interface ConnectionLimits {
  /** Time that a client has for its headers, s. */
  headersSeconds: number
  /** Time for its whole request, s. */
  requestSeconds: number
  /** Open connections of one site (IPv4 address or IPv6 /48); 0: no limit. */
  connectionsPerSite: number
  /** Behind a proxy every connection is the proxy's: it limits its clients itself and keeps connections open longer. */
  trustProxy: boolean
  /** Bytes of answers that may wait in memory for the readers of one site, and twice as many for all; 0: no limit. */
  unreadBytesPerSite: number
  /** Open connections in total. */
  maxConnections?: number
}

/** A reader who takes nothing of an answer for this long is gone, or holds the connection open on purpose. */
const STALL_MS = 60_000
const STALL_CHECK_INTERVAL_MS = 5000
/** Networks that may have all of their share of unread answers at once. */
const UNREAD_SITES = 2

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
  const unread = new UnreadAnswers({
    bytesPerSite: limits.unreadBytesPerSite,
    bytesTotal: limits.unreadBytesPerSite * UNREAD_SITES,
    stallMs: STALL_MS,
    checkIntervalMs: STALL_CHECK_INTERVAL_MS,
    trustProxy: limits.trustProxy,
  })
  const server = createServer(
    {
      IncomingMessage: LimitedRequest,
      ServerResponse: withReasonPhrases(withLimitedRest(unread.Response)),
      headersTimeout,
      requestTimeout,
      keepAliveTimeout: limits.trustProxy ? PROXY_KEEP_ALIVE_MS : KEEP_ALIVE_MS,
      maxHeaderSize: 16 * 1024,
      connectionsCheckingInterval: Math.max(250, Math.min(5000, headersTimeout / 4)),
    },
    handle,
  )
  server.maxHeadersCount = MAX_HEADERS
  server.on('close', () => unread.close())
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
  const bySite = new Map<string, Set<Socket>>()
  const siteOf = new WeakMap<Socket, string>()
  const active = new WeakSet<Socket>()
  let open = 0

  const release = (socket: Socket) => {
    const site = siteOf.get(socket) ?? ''
    const sockets = bySite.get(site)
    if (!sockets?.delete(socket)) return
    open--
    if (sockets.size === 0) bySite.delete(site)
  }
  /** @param newest the new connection, chosen only where no other one is idle */
  const findOldestIdle = (newest: Socket): Socket => {
    for (const sockets of [...bySite.values()].toSorted((a, b) => b.size - a.size))
      for (const socket of sockets) if (socket !== newest && !active.has(socket)) return socket
    return newest
  }
  const refuse = (socket: Socket, reason: 'address' | 'all') => {
    incrementCounter('connections dropped', reason)
    socket.destroy()
  }

  server.on('request', ({ socket }, res) => {
    active.add(socket)
    res.once('close', () => active.delete(socket))
  })
  server.on('connection', (socket) => {
    const site = toSitePrefix(networkOf(socket.remoteAddress ?? 'unknown'))
    const sockets = bySite.get(site) ?? new Set<Socket>()
    if (maxPerSite > 0 && sockets.size >= maxPerSite) return refuse(socket, 'address')
    bySite.set(site, sockets.add(socket))
    siteOf.set(socket, site)
    open++
    socket.once('close', () => release(socket))
    if (open <= maxTotal) return
    const victim = findOldestIdle(socket)
    // At once and not at its `close` event: a burst of connections would choose it several times.
    release(victim)
    refuse(victim, 'all')
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
