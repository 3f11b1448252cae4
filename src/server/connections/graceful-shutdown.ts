import type { Server } from 'node:http'

/** What still runs when asked to stop gets so long to end, ms. */
const SHUTDOWN_TIMEOUT_MS = 10_000
const IDLE_CHECK_INTERVAL_MS = 100

/**
 * Ends the server: no new connections, what is in flight is answered and told to close, connections that wait for nothing go
 * at once. Resolves once the last is gone.
 */
export function shutDownGracefully(server: Server, patience = SHUTDOWN_TIMEOUT_MS): Promise<void> {
  // Before all other listeners: those who keep a connection learn with the next answer that it ends.
  server.prependListener('request', (_req, res) => res.setHeader('Connection', 'close'))
  return new Promise((done) => {
    const sweep = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_INTERVAL_MS).unref()
    const cut = setTimeout(() => server.closeAllConnections(), patience).unref()
    server.close(() => {
      clearInterval(sweep)
      clearTimeout(cut)
      done()
    })
    server.closeIdleConnections()
  })
}
