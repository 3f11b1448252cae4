import type { Server } from 'node:http'

/** What still runs when asked to stop gets so long to end, ms. */
const PATIENCE = 10_000
const SWEEP = 100

/**
 * Ends the server: no new connections, what is in flight is answered and told to close, connections that wait for nothing go
 * at once. Resolves once the last is gone.
 */
export function drain(server: Server, patience = PATIENCE): Promise<void> {
  // Before all other listeners: those who keep a connection learn with the next answer that it ends.
  server.prependListener('request', (_req, res) => res.setHeader('Connection', 'close'))
  return new Promise((done) => {
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP).unref()
    const cut = setTimeout(() => server.closeAllConnections(), patience).unref()
    server.close(() => {
      clearInterval(sweep)
      clearTimeout(cut)
      done()
    })
    server.closeIdleConnections()
  })
}
