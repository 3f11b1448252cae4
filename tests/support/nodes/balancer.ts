import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'

const HEALTH_INTERVAL_MS = 200

export interface Balancer {
  url: string
  /** Requests that no node took. */
  countRefused: () => number
  close: () => Promise<void>
}

/**
 * A balancer in front of nodes, as docs/operations.md asks for: each request goes to the next node that /healthz calls ready, without
 * stickiness, and to another one where that node takes no connection.
 * @param ports of the nodes, on this machine
 */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  let turn = 0
  let refused = 0
  let ready: readonly number[] = ports
  const check = async () => {
    const states = await Promise.all(ports.map(isReady))
    const found = ports.filter((_, i) => states[i])
    // With none ready any may still answer what is wrong.
    ready = found.length > 0 ? found : ports
  }
  const checks = setInterval(() => void check(), HEALTH_INTERVAL_MS)
  async function forward(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const socket = await connectToAny(ready, turn++)
    if (!socket) {
      refused++
      return void res.writeHead(502).end()
    }
    const { method, url, headers } = req
    const forwarded = request({ createConnection: () => socket, method, path: url, headers }, (answer) => {
      res.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(res)
      answer.on('error', () => res.destroy())
    })
    // As a node that dies: whether it has done what was asked, nobody knows.
    forwarded.on('error', () => res.destroy())
    res.on('close', () => forwarded.destroy())
    req.pipe(forwarded)
  }
  const server = createServer((req, res) => void forward(req, res))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    countRefused: () => refused,
    async close() {
      clearInterval(checks)
      server.close()
      server.closeAllConnections()
    },
  }
}

const isReady = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/healthz`, {
    signal: AbortSignal.timeout(2000),
    headers: { Connection: 'close' },
  }).then(
    ({ ok }) => ok,
    () => false,
  )

async function connectToAny(ports: readonly number[], turn: number): Promise<Socket | null> {
  for (let i = 0; i < ports.length; i++) {
    const socket = connect(ports[(turn + i) % ports.length]!, '127.0.0.1')
    const isConnected = await new Promise<boolean>((done) =>
      socket.once('connect', () => done(true)).once('error', () => done(false)),
    )
    if (isConnected) return socket
  }
  return null
}
