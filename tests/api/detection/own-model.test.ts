import { photo } from '#tests/support/photos/sample-photos.ts'
import { runToEnd, startServer, type TestServer } from '#tests/support/server.ts'
import {
  type ChatAnswer,
  chatDog,
  chatError,
  type ChatStub,
  chatText,
  startChatStub,
} from '#tests/support/stubs/chat-completions.ts'
import { type GeminiStub, startGeminiStub } from '#tests/support/stubs/gemini.ts'
import { type Answer, answered, assert, call, formOf, suite } from '#tests/support/suites.ts'

const KEY = 'sk-clave-secreta'
const LIMITED = 'Error: Límite de uso excedido. Intenta más tarde'
const GARBLED = 'Error: El servicio que reconoce razas ha respondido algo que no entendemos'

let server: TestServer
let stub: ChatStub
/** Configured as well: the operator's own model wins. */
let gemini: GeminiStub

const api = suite('api/detection/own-model')
api.before(async () => {
  stub = await startChatStub()
  gemini = await startGeminiStub()
  server = await startServer({
    DETECTION_URL: stub.url,
    DETECTION_MODEL: 'qwen2.5vl:7b',
    DETECTION_KEY: KEY,
    DETECTION_SECONDS: '1',
    GEMINI_API_KEY: KEY,
    GEMINI_URL: gemini.url,
    TRUST_PROXY: '1',
    METRICS_TOKEN: 'medidas-de-prueba',
  })
})
api.after(async () => {
  assert.equal(gemini.requests, [])
  assert.not.match(server.output(), /secreta/)
  await server.dispose()
  stub.stop()
  gemini.stop()
})
let address = 0
api.before.each(() => {
  address++
  stub.requests.length = 0
})

const detect = async (site = server, from = `10.0.0.${address}`) => {
  const form = formOf({ image: new Blob([await photo()], { type: 'image/jpeg' }) })
  return call(site, '/api/breed-detection', { method: 'POST', form, headers: { 'X-Forwarded-For': from } })
}

function assertProblem({ status, body, headers }: Answer, expected: number, detail: string): void {
  assert.equal([status, body.status, body.detail], [expected, expected, detail])
  assert.match(headers.get('content-type') ?? '', /^application\/problem\+json/)
  assert.not.match(JSON.stringify([body, ...headers]), /secreta/)
}

api('answers the breed and what else it may be', async () => {
  stub.answers = [
    chatDog([
      ['Border Coli', 'alta'],
      ['Pastor aleman', 'media'],
      ['Dogo de las Cañadas', 'baja'],
    ]),
  ]
  assert.equal((await call(server, '/api/breed-detection')).body, { available: true })
  const { body, headers } = await answered(200, detect())
  assert.equal(body, {
    breed: 'Border Collie',
    alternatives: [
      { breed: 'Border Collie', confidence: 'alta' },
      { breed: 'Pastor alemán', confidence: 'media' },
    ],
  })
  assert.is(headers.get('cache-control'), 'no-store')
  assert.equal(
    stub.requests.map(({ path, headers, body }) => [path, headers.authorization, body.model]),
    [['/v1/chat/completions', `Bearer ${KEY}`, 'qwen2.5vl:7b']],
  )
})

const slow: ChatAnswer = (response) => void response.writeHead(200).write('{"choices":')
const PAGE: ChatAnswer = { status: 200, body: '<p>Hola', headers: { 'Content-Type': 'text/html' } }
const ROWS: [name: string, answer: ChatAnswer, status: number, detail: string][] = [
  ['401', chatError(401, `no ${KEY}`), 502, 'Error: API key inválida o expirada'],
  ['429', chatError(429, 'no'), 429, LIMITED],
  ['500', chatError(500, `Se ha parado ${KEY}`), 502, 'Error: Se ha parado …'],
  ['400', chatError(400, 'no'), 422, 'Error: Imagen no válida'],
  ['a page', PAGE, 502, GARBLED],
  ['nonsense', { status: 200, body: '{"choices":7}' }, 502, GARBLED],
  ['a huge answer', chatText('x'.repeat(300_000)), 502, GARBLED],
  ['no answer', null, 504, 'Error: El servicio que reconoce razas tarda demasiado'],
  ['half an answer', slow, 504, 'Error: El servicio que reconoce razas tarda demasiado'],
]
for (const [name, answer, status, detail] of ROWS)
  api(`${name} of the server is ${status}`, async () => {
    stub.answers = [answer]
    const refused = await detect()
    assertProblem(refused, status, detail)
    if (status === 429) assert.is(refused.headers.get('retry-after'), '60')
  })

api('the key goes to no other origin', async () => {
  const other = await startChatStub()
  stub.answers = [{ status: 307, body: '', headers: { Location: `${other.url}/v1/chat/completions` } }]
  assertProblem(await detect(), 502, 'Error: No se pudo conectar con el servicio que reconoce razas')
  assert.equal(other.requests, [])
  other.stop()
})

api('detections are counted by outcome', async () => {
  stub.answers = [chatText('Desconocida')]
  assert.equal((await detect()).body, { breed: null, alternatives: [] })
  const metrics = await fetch(`${server.url}/metrics`, { headers: { Authorization: 'Bearer medidas-de-prueba' } })
  const text = await metrics.text()
  for (const outcome of ['found', 'unknown', 'failed'])
    assert.match(text, new RegExp(`perrario_detections_total\\{outcome="${outcome}"\\} [1-9]`))
})

api('the daily budget counts for everybody and outlasts a restart', async () => {
  stub.answers = [chatText('Beagle')]
  const settings = { DETECTION_URL: `${stub.url}/v1/`, DETECTION_MODEL: 'm', TRUST_PROXY: '1' }
  await using small = await startServer({ ...settings, DETECTION_PER_DAY: '2', DETECTIONS_PER_DAY: '9' })
  for (const from of ['10.3.0.1', '10.3.0.2']) assert.is((await detect(small, from)).status, 200)
  const over = await detect(small, '10.3.0.3')
  assertProblem(over, 429, LIMITED)
  assert.ok(Number(over.headers.get('retry-after')) > 3600)
  await small.restart()
  assertProblem(await detect(small, '10.3.0.4'), 429, LIMITED)
  assert.is(stub.requests.length, 2)
  for (const { path, headers } of stub.requests)
    assert.equal([path, headers.authorization], ['/v1/chat/completions', undefined])
})

// Each invalid setting: unit/detection/settings.
api('an invalid setting prevents the start, and the key is not printed', async () => {
  const { code, output } = await runToEnd({ PORT: '0', DETECTION_URL: 'http://ana:secreta@x', DETECTION_MODEL: 'm' })
  assert.is(code, 1)
  assert.match(
    output,
    /DETECTION_URL=…: valor no válido \(se esperaba una dirección http\(s\) sin usuario ni parámetros/,
  )
  assert.not.match(output, /secreta/)
})
