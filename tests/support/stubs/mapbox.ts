import { startStubServer, type StubServer } from './stub-server.ts'

export interface MapboxStub extends StubServer {
  /** The addresses asked, oldest first. */
  requests: URL[]
  /** What it answers from now on; a status alone, or a body that is sent as it is. Undefined: it never answers. */
  answer: { status: number; body: string } | undefined
}

/** A feature as Mapbox's geocoding (v5) sends it, with more fields than we read. */
export const geocodeAnswer = (...found: { center: [number, number]; place_name: string }[]) => ({
  status: 200,
  body: JSON.stringify({
    type: 'FeatureCollection',
    query: ['x'],
    features: found.map((place) => ({ id: 'place.1', type: 'Feature', place_type: ['place'], relevance: 1, ...place })),
    attribution: 'NOTICE',
  }),
})

/** A local stand-in for Mapbox's geocoding. */
export async function startMapboxStub(): Promise<MapboxStub> {
  const server = await startStubServer((request, response) => {
    stub.requests.push(new URL(request.url!, 'http://stub'))
    if (!stub.answer) return
    response.writeHead(stub.answer.status, { 'Content-Type': 'application/vnd.geo+json' }).end(stub.answer.body)
  })
  const stub: MapboxStub = { ...server, requests: [], answer: geocodeAnswer() }
  return stub
}
