import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { networkOf } from './client-ip.ts'
import { closeStalledSockets } from './idle-sockets.ts'
import { incrementCounter } from '#server/counters.ts'

export interface ConnectionLimits {
  /** How long a client may take for its headers, s. */
  headersSeconds: number
  /** How long for all of its request, s. */
  requestSeconds: number
  /** Connections one address may hold at once; 0: as many as it likes. */
  connectionsPerIp: number
  /** Behind a proxy every connection is the proxy's own: it is the one to count, and it keeps them for long. */
  trustProxy: boolean
}

/** Sockets at once, of everybody: beyond this the machine's memory is the limit that would be met. */
const MAX_CONNECTIONS = 10_000
/** A browser sends some twenty. */
const MAX_HEADERS = 100
/** How long a connection waits for its next request, ms. A proxy should close first (docs/operations.md): 60 s. */
const KEEP_ALIVE_MS = 20_000
const PROXY_KEEP_ALIVE_MS = 75_000

/**
 * A server that no slow or greedy client can hold up: who does not get its headers or its body sent in time is cut, and
 * one address holds no more than its share of connections. A 408 is Node's own answer to both.
 */
export function openServer(handle: RequestListener, patience: ConnectionLimits): Server {
  const headersTimeout = patience.headersSeconds * 1000
  const requestTimeout = Math.max(patience.requestSeconds, patience.headersSeconds) * 1000
  const server = createServer(
    {
      headersTimeout,
      requestTimeout,
      keepAliveTimeout: patience.trustProxy ? PROXY_KEEP_ALIVE_MS : KEEP_ALIVE_MS,
      maxHeaderSize: 16 * 1024,
      connectionsCheckingInterval: Math.max(250, Math.min(5000, headersTimeout / 4)),
    },
    handle,
  )
  server.maxHeadersCount = MAX_HEADERS
  server.maxConnections = MAX_CONNECTIONS
  closeStalledSockets(server)
  server.on('drop', () => incrementCounter('connections dropped', 'all'))
  const { connectionsPerIp, trustProxy } = patience
  if (connectionsPerIp > 0 && !trustProxy) limitConnectionsPerIp(server, connectionsPerIp)
  return server
}

function limitConnectionsPerIp(server: Server, most: number): void {
  const open = new Map<string, number>()
  server.on('connection', (socket) => {
    const ip = networkOf(socket.remoteAddress ?? 'unknown')
    const count = (open.get(ip) ?? 0) + 1
    if (count > most) {
      incrementCounter('connections dropped', 'address')
      return void socket.destroy()
    }
    open.set(ip, count)
    socket.once('close', () => {
      const left = open.get(ip)! - 1
      if (left > 0) open.set(ip, left)
      else open.delete(ip)
    })
  })
}

/** Where systemd passes the sockets that it opened for a service (sd_listen_fds). */
const SYSTEMD_FIRST_FD = 3

/**
 * The socket that systemd holds for us, if it does: it stays open while the server restarts, so that who comes meanwhile
 * waits instead of being refused.
 */
export function findSystemdSocket(env: Record<string, string | undefined>, pid = process.pid): { fd: number } | null {
  if (Number(env.LISTEN_FDS) !== 1) return null
  if (env.LISTEN_PID && Number(env.LISTEN_PID) !== pid) return null
  return { fd: SYSTEMD_FIRST_FD }
}

/** The largest body that any endpoint takes (astro.config.mjs), and what says at once that it is larger. */
const BODY_MAX_BYTES = 48 * 1024 * 1024

export const isBodyTooLarge = (req: IncomingMessage): boolean =>
  Number(req.headers['content-length'] ?? 0) > BODY_MAX_BYTES
