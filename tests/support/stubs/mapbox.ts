import { once } from 'node:events'
import { createServer } from 'node:http'

export interface MapboxStub {
  url: string
  /** The addresses asked, oldest first. */
  requests: URL[]
  /** What it answers from now on; a status alone, or a body that is sent as it is. Undefined: it never answers. */
  answer: { status: number; body: string } | undefined
  stop: () => void
}

/** A feature as Mapbox's geocoding (v5) sends it, with more fields than we read. */
export const geocodeAnswer = (...found: { center: [number, number]; place_name: string }[]) => ({
  status: 200,
  body: JSON.stringify({
    type: 'FeatureCollection',
    query: ['x'],
    features: found.map((feature) => ({
      id: 'place.1',
      type: 'Feature',
      place_type: ['place'],
      relevance: 1,
      ...feature,
    })),
    attribution: 'NOTICE',
  }),
})

/** A local stand-in for Mapbox's geocoding. */
export async function startMapboxStub(): Promise<MapboxStub> {
  const stub: MapboxStub = { url: '', requests: [], answer: geocodeAnswer(), stop: () => server.closeAllConnections() }
  const server = createServer((request, response) => {
    stub.requests.push(new URL(request.url!, 'http://stub'))
    if (!stub.answer) return
    response.writeHead(stub.answer.status, { 'Content-Type': 'application/vnd.geo+json' }).end(stub.answer.body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  stub.url = `http://127.0.0.1:${(server.address() as { port: number }).port}`
  stub.stop = () => {
    server.close()
    server.closeAllConnections()
  }
  return stub
}
