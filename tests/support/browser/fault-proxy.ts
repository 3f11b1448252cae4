import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'

export interface FaultProxy {
  url: string
  /** What was asked for, in order: «GET /perros». */
  requests: string[]
  /** Passes requests on to another server from now on. */
  forwardTo: (url: string) => void
  /** Makes /sw.js a new version, as a new build would. */
  releaseWorker: () => void
  /** Answers some requests itself: true where it did. */
  intercept: (answer: (req: IncomingMessage, res: ServerResponse) => boolean) => void
  /** Has the server do what it is asked, and loses its answer, for requests like these. */
  loseAnswers: (isLost: (req: IncomingMessage) => boolean) => void
  /** Drops every connection as if the server were not there, until `up`. */
  down: () => void
  up: () => void
  dispose: () => Promise<void>
}

/** Stands before a test server at an address of its own: a server that can go, change and misbehave under a browser. */
export async function startFaultProxy(backend: string): Promise<FaultProxy> {
  let at = backend
  let version = 0
  let isDown = false
  let answer: (req: IncomingMessage, res: ServerResponse) => boolean = () => false
  let isLost: (req: IncomingMessage) => boolean = () => false
  const asked: string[] = []
  const server = createServer((req, res) => {
    if (isDown) return void req.socket.destroy()
    asked.push(`${req.method} ${req.url}`)
    if (answer(req, res)) return
    const { hostname, port } = new URL(at)
    const isWorker = req.url === '/sw.js' && version > 0
    const { 'accept-encoding': _, 'if-none-match': __, ...plain } = req.headers
    // The new version is the old with a line more, so it must come whole and not packed.
    const forwarded = { hostname, port, path: req.url, method: req.method, headers: isWorker ? plain : req.headers }
    const onward = request(forwarded, (response) => {
      if (isLost(req)) return void response.resume().on('end', () => res.destroy())
      const headers = { ...response.headers }
      if (isWorker) for (const name of ['content-length', 'etag']) delete headers[name]
      res.writeHead(response.statusCode!, headers)
      response.on('error', () => res.destroy())
      response.on('end', () => res.end(isWorker ? `// ${version}` : undefined))
      response.pipe(res, { end: false })
    })
    onward.on('error', () => res.destroy())
    res.on('close', () => onward.destroy())
    req.pipe(onward)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}`,
    requests: asked,
    forwardTo: (url) => void (at = url),
    releaseWorker: () => void version++,
    intercept: (own) => void (answer = own),
    loseAnswers: (own) => void (isLost = own),
    down: () => {
      isDown = true
      server.closeAllConnections()
    },
    up: () => void (isDown = false),
    dispose: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
