import sharp from 'sharp'
import { detectBreed } from '#features/detection/detection.server.ts'
import type { ServiceOptions } from '#features/detection/service.server.ts'
import { AppError } from '#lib/errors.ts'
import {
  answerError,
  type GeminiAnswer,
  startGeminiStub,
  type GeminiStub,
  answerText,
} from '#tests/support/stubs/gemini.ts'
import { photo, textFile } from '#tests/support/photos/sample-photos.ts'
import { assert, captureConsole, suite } from '#tests/support/suites.ts'

const KEY = 'AIza-clave-secreta'

interface Shared {
  stub: GeminiStub
  logged: ReturnType<typeof captureConsole>
  detect: (upload?: Uint8Array, options?: ServiceOptions & { timeoutMs?: number }) => ReturnType<typeof detectBreed>
}

const test = suite<Shared>('unit/detection/gemini-detection')
test.before.each(async (t) => {
  t.stub = await startGeminiStub()
  const settings = { service: 'gemini', key: KEY, url: `${t.stub.url}/`, model: 'modelo-1.5' } as const
  t.detect = async (upload, { timeoutMs = 20_000, ...options } = {}) =>
    detectBreed({ ...settings, timeoutMs }, upload ?? (await photo()), { retryDelayMs: 1, ...options })
  t.logged = captureConsole()
})
test.after.each(({ stub, logged }) => {
  logged[Symbol.dispose]()
  stub.stop()
})

/** What it throws, as problem+json would tell it; the key is in none of it. */
async function refusal({ detect, logged }: Shared, options?: ServiceOptions & { timeoutMs?: number }) {
  try {
    await detect(undefined, options)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { status, message, retryAfter } = error
    assert.not.match(JSON.stringify([message, error.errors, logged]), /secreta/)
    return { status, message, retryAfter }
  }
  throw new Error('It answered.')
}
const setAnswers = (t: Shared, ...answers: GeminiAnswer[]) => {
  t.stub.answers = answers
  return refusal(t)
}

test('the request is as the service specifies, with the key in a header only', async ({ detect, stub }) => {
  stub.answers = [answerText('Border Coli.\n')]
  assert.equal(await detect(), { breed: 'Border Collie', alternatives: [] })
  const [{ path, headers, body }] = stub.requests as [GeminiStub['requests'][0]]
  assert.is(path, '/v1beta/models/modelo-1.5:generateContent')
  assert.equal([headers['x-goog-api-key'], headers['content-type']], [KEY, 'application/json'])
  assert.not.match(path + JSON.stringify(body), /secreta/)
  assert.is(body.contents.length, 1)
  const [prompt, image] = body.contents[0].parts
  assert.is(
    prompt.text,
    '¿Qué raza de perro hay en la foto? Responde únicamente con el nombre de la raza en español o «Desconocida».',
  )
  assert.is(image.inline_data.mime_type, 'image/jpeg')
  const { format } = await sharp(Buffer.from(image.inline_data.data, 'base64')).metadata()
  assert.is(format, 'jpeg')
})

test('sends a small picture without its metadata, whatever was uploaded', async ({ detect, stub }) => {
  const upload = await sharp({ create: { width: 2400, height: 1200, channels: 3, background: '#a63' } })
    .withExif({ IFD0: { Make: 'Cámara de Ana' }, IFD3: { GPSLatitude: '40/1 25/1 0/1', GPSLatitudeRef: 'N' } })
    .png()
    .toBuffer()
  await detect(upload)
  const sent = Buffer.from(stub.requests[0]!.body.contents[0].parts[1].inline_data.data, 'base64')
  const { format, width, height, exif } = await sharp(sent).metadata()
  assert.equal([format, width, height, exif], ['jpeg', 768, 384, undefined])
  assert.not.ok(sent.includes('Ana'))
})

test('a file that is not a photo is not sent', async ({ detect, stub }) => {
  const error = await detect(textFile).catch((caught: AppError) => caught)
  assert.instance(error, AppError)
  assert.equal((error as AppError).status, 422)
  assert.is((error as AppError).message, 'Error: Imagen no válida')
  assert.equal((error as AppError).errors, {
    image: 'El archivo no es una foto que podamos leer. Usa una imagen JPEG, PNG, WebP, AVIF o GIF.',
  })
  assert.equal(stub.requests, [])
})

test('a list of breeds is answered with what the model says of each', async ({ detect, stub }) => {
  const razas = [
    { raza: 'Beagle', confianza: 'alta' },
    { raza: 'Basset Hound', confianza: 'baja' },
  ]
  stub.answers = [answerText('```json\n' + JSON.stringify({ razas, talla: 'mediano', pelo: ['corto'] }) + '\n```')]
  assert.equal(await detect(), {
    breed: 'Beagle',
    alternatives: [
      { breed: 'Beagle', confidence: 'alta' },
      { breed: 'Basset Hound', confidence: 'baja' },
    ],
  })
})

const EMPTY_ANSWERS: [string, GeminiAnswer][] = [
  ['«Desconocida»', answerText('Desconocida')],
  ['an empty text', answerText('')],
  ['an empty body', { status: 200, body: '' }],
  ['no candidates', { status: 200, body: '{"promptFeedback":{"blockReason":"SAFETY"}}' }],
  ['a candidate without parts', { status: 200, body: '{"candidates":[{"finishReason":"SAFETY"}]}' }],
  ['a part without text', { status: 200, body: '{"candidates":[{"content":{"parts":[{}]}}]}' }],
]
for (const [name, answer] of EMPTY_ANSWERS)
  test(`${name} is not a breed`, async ({ detect, stub }) => {
    stub.answers = [answer]
    assert.equal(await detect(), { breed: null, alternatives: [] })
  })

const INVALID_KEY = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }
const RETRY = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '23s' }
const ROWS: [string, GeminiAnswer, { status: number; message: string; retryAfter?: number }][] = [
  ['401', answerError(401, 'no'), { status: 502, message: 'Error: API key inválida o expirada' }],
  [
    '403',
    answerError(403, `Key ${KEY} is not allowed`),
    { status: 502, message: 'Error: API key inválida o expirada' },
  ],
  [
    '400 of the key',
    answerError(400, 'no', [INVALID_KEY]),
    { status: 502, message: 'Error: API key inválida o expirada' },
  ],
  ['400', answerError(400, 'Unable to process input image.'), { status: 422, message: 'Error: Imagen no válida' }],
  [
    '429',
    answerError(429, 'Quota exceeded'),
    { status: 429, message: 'Error: Límite de uso excedido. Intenta más tarde', retryAfter: 60 },
  ],
  [
    '429 that says when',
    answerError(429, 'Quota exceeded', [RETRY]),
    { status: 429, message: 'Error: Límite de uso excedido. Intenta más tarde', retryAfter: 23 },
  ],
  [
    '429 with Retry-After',
    { ...answerError(429, 'Quota exceeded')!, headers: { 'Retry-After': '7' } },
    { status: 429, message: 'Error: Límite de uso excedido. Intenta más tarde', retryAfter: 7 },
  ],
  ['404', answerError(404, 'models/x is not found'), { status: 502, message: 'Error: models/x is not found' }],
  ['an error in a 200', { status: 200, body: '{"error":{"message":"Vaya"}}' }, { status: 502, message: 'Error: Vaya' }],
  ['418 without words', { status: 418, body: '<p>Té' }, { status: 502, message: "Error 418: I'm a Teapot" }],
  [
    'a message of many lines that holds the key',
    answerError(409, `uno\n\0dos ${KEY} ${'x'.repeat(5000)}`),
    { status: 502, message: `Error: uno dos … ${'x'.repeat(190)}` },
  ],
]
for (const [name, answer, { status, message, retryAfter }] of ROWS)
  test(`${name} is reported as «${message.slice(0, 50)}»`, async (t) => {
    assert.equal(await setAnswers(t, answer), { status, message, retryAfter })
    assert.is(t.stub.requests.length, 1)
  })

const UNREADABLE_MESSAGE = 'Error: El servicio que reconoce razas ha respondido algo que no entendemos'
const UNREADABLE_ANSWERS: [string, string][] = [
  ['a page', '<!doctype html><p>Hola'],
  ['half an answer', '{"candidates":[{"content":'],
  ['another shape', '{"candidates":"Beagle"}'],
  ['a word', '"Beagle"'],
  ['a huge answer', `{"candidates":[{"content":{"parts":[{"text":"${'Beagle '.repeat(60_000)}"}]}}]}`],
]
for (const [name, body] of UNREADABLE_ANSWERS)
  test(`${name} is reported as not understood`, async (t) => {
    assert.equal(await setAnswers(t, { status: 200, body }), {
      status: 502,
      message: UNREADABLE_MESSAGE,
      retryAfter: undefined,
    })
  })

test('a redirect is not followed, because it would carry the key', async (t) => {
  const other = await startGeminiStub()
  try {
    const { status, message } = await setAnswers(t, { status: 307, body: '', headers: { Location: other.url } })
    assert.equal([status, message], [502, 'Error: No se pudo conectar con el servicio que reconoce razas'])
    assert.equal(other.requests, [])
  } finally {
    other.stop()
  }
})

test('an unreachable service is reported as unreachable', async (t) => {
  t.stub.stop()
  const { status, message } = await refusal(t)
  assert.equal([status, message], [502, 'Error: No se pudo conectar con el servicio que reconoce razas'])
})

test('a 5xx is retried once', async ({ detect, stub }) => {
  stub.answers = [answerError(503, 'The model is overloaded.'), answerText('Beagle')]
  assert.equal(await detect(), { breed: 'Beagle', alternatives: [] })
  assert.is(stub.requests.length, 2)
  assert.equal(stub.requests[0]!.body, stub.requests[1]!.body)
})

test('a second 5xx is not retried', async (t) => {
  const { status, message } = await setAnswers(t, answerError(503, 'The model is overloaded.'))
  assert.equal([status, message, t.stub.requests.length], [502, 'Error: The model is overloaded.', 2])
  const silent = await setAnswers(t, { status: 500, body: '' })
  assert.equal([silent.message, t.stub.requests.length], ['Error 500: Internal Server Error', 4])
})

test('a response that does not come in time is given up, at the retry too', async (t) => {
  const late = { status: 504, message: 'Error: El servicio que reconoce razas tarda demasiado', retryAfter: undefined }
  t.stub.answers = [null]
  assert.equal([await refusal(t, { timeoutMs: 150 }), t.stub.requests.length], [late, 1])
  t.stub.answers = [answerError(500, 'x'), null]
  assert.equal([await refusal(t, { timeoutMs: 300 }), t.stub.requests.length], [late, 3])
})

test('a disconnected client cancels the request', async (t) => {
  t.stub.answers = [null]
  const leave = new AbortController()
  const answer = refusal(t, { signal: leave.signal })
  while (t.stub.requests.length === 0) await new Promise((done) => setTimeout(done, 5))
  leave.abort()
  await answer
  while (t.stub.aborted === 0) await new Promise((done) => setTimeout(done, 5))
  assert.equal(t.logged, [])
})

test('errors that the operator must fix are logged', async (t) => {
  await setAnswers(t, answerError(403, `Key ${KEY} is not allowed`))
  assert.equal(t.logged, ['perrario · la detección de raza respondió 403 Forbidden: Key … is not allowed'])
  await setAnswers(t, answerError(429, 'Quota exceeded'))
  await setAnswers(t, answerError(400, 'Unable to process input image.'))
  assert.is(t.logged.length, 1)
})
