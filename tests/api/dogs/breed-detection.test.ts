import { answerError, startGeminiStub, answerText } from '#tests/support/stubs/gemini.ts'
import { photo, textFile } from '#tests/support/photos/sample-photos.ts'
import { runToEnd, startServer, type TestServer } from '#tests/support/server.ts'
import { type Answer, assert, call, contentOf, formOf, pluck, signInMember, suite } from '#tests/support/suites.ts'

const KEY = 'AIza-clave-secreta'

const stub = await startGeminiStub()
// Behind a proxy, so that every test may come from an address of its own.
const env = { GEMINI_API_KEY: KEY, GEMINI_URL: stub.url, GEMINI_MODEL: 'modelo', TRUST_PROXY: '1' }
const server = await startServer(env)

const api = suite('api/dogs/breed-detection')
api.after(async () => {
  assert.not.match(server.output(), /secreta/)
  await server.dispose()
  stub.stop()
})
let address = 0
api.before.each(() => {
  address++
  stub.requests.length = 0
  stub.answers = [answerText('Beagle')]
})

const jpeg = async () => new Blob([await photo()], { type: 'image/jpeg' })
const headers = () => ({ 'X-Forwarded-For': `10.0.0.${address}` })
const detect = async (fields: Parameters<typeof formOf>[0], cookie?: string) =>
  call(server, '/api/breed-detection', { method: 'POST', form: formOf(fields), cookie, headers: headers() })

function assertProblem({ status, body, headers }: Answer, expected: number, detail: string): void {
  assert.equal([status, body.status, body.detail], [expected, expected, detail])
  assert.match(headers.get('content-type') ?? '', /^application\/problem\+json/)
  assert.not.match(JSON.stringify([body, ...headers]), /secreta/)
}

api('returns whether detection is available, uncached', async () => {
  const { status, body, headers } = await call(server, '/api/breed-detection')
  assert.equal([status, body, headers.get('cache-control')], [200, { available: true }, 'no-store'])
})

api('returns the catalogue’s breed to everybody, signed in or not', async () => {
  stub.answers = [answerText('Border Coli'), answerText('Desconocida')]
  const visitor = await detect({ image: await jpeg() })
  assert.equal(contentOf(visitor), [200, { breed: 'Border Collie', alternatives: [] }])
  assert.is(visitor.headers.get('cache-control'), 'no-store')
  const { cookie } = await signInMember(server, 'ana@ejemplo.es')
  assert.equal(contentOf(await detect({ image: await jpeg() }, cookie)), [200, { breed: null, alternatives: [] }])
  assert.equal(pluck(stub.requests, 'path'), Array(2).fill('/v1beta/models/modelo:generateContent'))
})

api('reports the service’s refusal', async () => {
  stub.answers = [
    answerError(403, `no ${KEY}`),
    answerError(400, 'no'),
    answerError(429, 'no'),
    answerError(404, 'models/modelo is not found'),
  ]
  assertProblem(await detect({ image: await jpeg() }), 502, 'Error: API key inválida o expirada')
  assertProblem(await detect({ image: await jpeg() }), 422, 'Error: Imagen no válida')
  const limited = await detect({ image: await jpeg() })
  assertProblem(limited, 429, 'Error: Límite de uso excedido. Intenta más tarde')
  assert.is(limited.headers.get('retry-after'), '60')
  assertProblem(await detect({ image: await jpeg() }), 502, 'Error: models/modelo is not found')
})

api('a file that is not a photo is refused without a request to the service', async () => {
  const text = await detect({ image: new File([textFile], 'perro.jpg', { type: 'image/jpeg' }) })
  assertProblem(text, 422, 'Error: Imagen no válida')
  assert.equal(text.body.errors, {
    image: 'El archivo no es una foto que podamos leer. Usa una imagen JPEG, PNG, WebP, AVIF o GIF.',
  })
  const none: Parameters<typeof formOf>[0][] = [
    { otra: 'cosa' },
    { image: 'texto' },
    { image: new File([], 'nada.jpg') },
    { images: await jpeg() },
  ]
  for (const fields of none) assertProblem(await detect(fields), 422, 'Error: Imagen no válida')
  assertProblem(
    await detect({ image: new Blob([new Uint8Array(4 * 1024 * 1024 + 1)]) }),
    413,
    'La foto pesa demasiado: como máximo, 4 MB.',
  )
  const huge = await detect({ image: new Blob([new Uint8Array(6 * 1024 * 1024)]) })
  assertProblem(huge, 413, 'La petición es demasiado grande.')
  const json = await call(server, '/api/breed-detection', { method: 'POST', json: {}, headers: headers() })
  assertProblem(json, 415, 'Se esperaba multipart/form-data.')
  assert.equal(stub.requests, [])
})

api('ten a minute are accepted, hundreds are not, of a network and of a member over all networks', async () => {
  const image = await jpeg()
  const statuses: number[] = []
  for (let i = 0; i < 10; i++) statuses.push((await detect({ image })).status)
  assert.equal(statuses, Array(10).fill(200))
  let last: Answer | undefined
  for (let i = 0; i < 100 && last?.status !== 429; i++) last = await detect({ image })
  assertProblem(last!, 429, 'Error: Límite de uso excedido. Intenta más tarde')
  assert.ok(Number(last!.headers.get('retry-after')) > 0)
  const { cookie } = await signInMember(server, 'eva@ejemplo.es')
  assert.is((await detect({ image }, cookie)).status, 429)
  // The refused try counted for the member.
  for (let n = 0; n < 19; n++) {
    if (n % 5 === 0) address++
    assert.is((await detect({ image }, cookie)).status, 200)
  }
  address++
  assertProblem(await detect({ image }, cookie), 429, 'Error: Límite de uso excedido. Intenta más tarde')
  assert.is((await detect({ image })).status, 200)
})

api('a browser that disconnects cancels the request to the service', async () => {
  stub.answers = [null]
  const before = stub.aborted
  const leave = new AbortController()
  const form = formOf({ image: await jpeg() })
  const gone = fetch(`${server.url}/api/breed-detection`, {
    method: 'POST',
    body: form,
    headers: headers(),
    signal: leave.signal,
  }).catch(() => 'gone')
  while (stub.requests.length === 0) await new Promise((done) => setTimeout(done, 20))
  leave.abort()
  assert.is(await gone, 'gone')
  while (stub.aborted === before) await new Promise((done) => setTimeout(done, 20))
})

api('without a key detection is not available', async () => {
  await using plain = await startServer({ GEMINI_URL: stub.url, GEMINI_API_KEY: '' })
  assert.equal((await call(plain, '/api/breed-detection')).body, { available: false })
  const form = formOf({ image: await jpeg() })
  const answer = await call(plain, '/api/breed-detection', { method: 'POST', form })
  assertProblem(answer, 503, 'Este sitio no tiene activada la detección de razas.')
  assert.equal(stub.requests, [])
})

api('an invalid setting prevents the start, and the key is not printed', async () => {
  const key = await runToEnd({ PORT: '0', GEMINI_API_KEY: 'dos palabras secretas' })
  assert.is(key.code, 1)
  assert.match(key.output, /GEMINI_API_KEY=…: valor no válido \(se esperaba una clave sin espacios\)/)
  assert.not.match(key.output, /secreta/)
  const model = await runToEnd({ PORT: '0', GEMINI_MODEL: '../otro' })
  assert.match(model.output, /GEMINI_MODEL=\.\.\/otro: valor no válido \(se esperaba el nombre de un modelo\)/)
  assert.match((await runToEnd({ PORT: '0', GEMINI_URL: 'ftp://ejemplo' })).output, /GEMINI_URL=…: valor no válido/)
})

api('accounts of one network share its 20 a minute and a quarter of the day; other networks use the rest', async () => {
  const settings = { GEMINI_API_KEY: KEY, GEMINI_URL: stub.url, GEMINI_MODEL: 'modelo', TRUST_PROXY: '1' }
  const image = await jpeg()
  const askUntilRefused = async (server: TestServer, ip: string, mostOfOne: number) => {
    let passed = 0
    for (let n = 0; n < 3; n++) {
      const { cookie } = await signInMember(server, `red${n}@ejemplo.es`)
      for (let times = 0; times < mostOfOne; times++) {
        const sent = { method: 'POST', cookie, form: formOf({ image }), headers: { 'X-Forwarded-For': ip } }
        const { status } = await call(server, '/api/breed-detection', sent)
        if (status === 429) return passed
        assert.is(status, 200)
        passed++
      }
    }
    return passed
  }
  const busy = await startServer(settings)
  assert.is(await askUntilRefused(busy, '192.0.2.1', 8), 20)
  assert.is(await askUntilRefused(busy, '192.0.2.2', 1), 3)
  await busy.dispose()
  await using small = await startServer({ ...settings, DETECTIONS_PER_DAY: '20' })
  assert.is(await askUntilRefused(small, '192.0.2.1', 4), 5)
  assert.is(await askUntilRefused(small, '192.0.2.2', 1), 3)
})

api('the daily limit of photos counts for everybody, and further ones are not sent', async () => {
  await using small = await startServer({
    GEMINI_API_KEY: KEY,
    GEMINI_URL: stub.url,
    GEMINI_MODEL: 'modelo',
    TRUST_PROXY: '1',
    DETECTIONS_PER_DAY: '3',
  })
  const ask = async (n: number, image: Blob) => {
    const form = formOf({ image })
    const from = { 'X-Forwarded-For': `10.3.0.${n}` }
    return call(small, '/api/breed-detection', { method: 'POST', form, headers: from })
  }
  const image = await jpeg()
  // What is refused before anybody is asked costs nothing.
  for (let n = 0; n < 3; n++) assert.is((await ask(n, new Blob([]))).status, 422)
  for (let n = 0; n < 3; n++) assert.is((await ask(n, image)).status, 200)
  const over = await ask(9, image)
  assertProblem(over, 429, 'Error: Límite de uso excedido. Intenta más tarde')
  assert.ok(Number(over.headers.get('retry-after')) > 3600)
  assert.is(stub.requests.length, 3)
  // A restart gives nobody another day.
  await small.restart()
  assertProblem(await ask(10, image), 429, 'Error: Límite de uso excedido. Intenta más tarde')
  assert.is(stub.requests.length, 3)
})
