import type { Server } from 'node:http'

/** Time for requests in flight to end, ms. */
const SHUTDOWN_TIMEOUT_MS = 10_000
const IDLE_CHECK_INTERVAL_MS = 100

/**
 * Shuts the server down: refuses new connections, answers requests in flight with `Connection: close` and closes idle connections
 * at once. After `timeoutMs` it closes all. Resolves when the last connection is closed.
 */
export function shutDownGracefully(server: Server, timeoutMs = SHUTDOWN_TIMEOUT_MS): Promise<void> {
  // Before all other listeners: keep-alive connections get `Connection: close` with their next answer.
  server.prependListener('request', (_req, res) => res.setHeader('Connection', 'close'))
  return new Promise((done) => {
    const idleTimer = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_INTERVAL_MS).unref()
    const cutTimer = setTimeout(() => server.closeAllConnections(), timeoutMs).unref()
    server.close(() => {
      clearInterval(idleTimer)
      clearTimeout(cutTimer)
      done()
    })
    server.closeIdleConnections()
  })
}
