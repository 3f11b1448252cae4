import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'

export interface StubServer {
  /** `127.0.0.1:4000` */
  host: string
  url: string
  /** Ends it, with the connections that are open. */
  stop: () => void
}

/** A server on a free port of this machine, which stands for one that ours asks. */
export async function startStubServer(listener: RequestListener): Promise<StubServer> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as { port: number }).port}`
  const stop = () => {
    server.close()
    server.closeAllConnections()
  }
  return { host, url: `http://${host}`, stop }
}
