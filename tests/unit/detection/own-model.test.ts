import sharp from 'sharp'
import { toChatAddress } from '#features/detection/chat-completions.server.ts'
import { describePhoto, detectBreed } from '#features/detection/detection.server.ts'
import { AppError } from '#lib/errors.ts'
import { photo, textFile } from '#tests/support/photos/sample-photos.ts'
import {
  type ChatAnswer,
  chatDog,
  chatError,
  type ChatStub,
  chatText,
  startChatStub,
} from '#tests/support/stubs/chat-completions.ts'
import { assert, captureConsole, suite } from '#tests/support/suites.ts'

const KEY = 'sk-clave-secreta'

interface Shared {
  stub: ChatStub
  logged: ReturnType<typeof captureConsole>
  detect: (options?: {
    upload?: Uint8Array
    timeoutMs?: number
    key?: string | undefined
  }) => ReturnType<typeof detectBreed>
}

const test = suite<Shared>('unit/detection/own-model')
test.before.each(async (t) => {
  t.stub = await startChatStub()
  t.detect = async ({ upload, timeoutMs = 20_000, ...key } = {}) => {
    const settings = {
      service: 'chat-completions',
      key: KEY,
      url: t.stub.url,
      model: 'qwen2.5vl:7b',
      timeoutMs,
    } as const
    return detectBreed({ ...settings, ...key }, upload ?? (await photo()), { retryDelayMs: 1 })
  }
  t.logged = captureConsole()
})
test.after.each(({ stub, logged }) => {
  logged[Symbol.dispose]()
  stub.stop()
})

/** What it throws, as problem+json would tell it; the key is in none of it. */
async function refusal(t: Shared, answers: ChatAnswer[], timeoutMs?: number) {
  t.stub.answers = answers
  try {
    await t.detect({ timeoutMs: timeoutMs ?? 20_000 })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { status, message, retryAfter } = error
    assert.not.match(JSON.stringify([message, error.errors, t.logged]), /secreta/)
    return retryAfter === undefined ? [status, message] : [status, message, retryAfter]
  }
  throw new Error('It answered.')
}

const ADDRESSES: [base: string, address: string][] = [
  ['http://localhost:11434', 'http://localhost:11434/v1/chat/completions'],
  ['http://localhost:11434/', 'http://localhost:11434/v1/chat/completions'],
  ['http://localhost:11434/v1', 'http://localhost:11434/v1/chat/completions'],
  ['http://localhost:11434/v1/', 'http://localhost:11434/v1/chat/completions'],
  ['https://ia.ejemplo.es/modelos', 'https://ia.ejemplo.es/modelos/v1/chat/completions'],
  ['https://ia.ejemplo.es/modelos/v1', 'https://ia.ejemplo.es/modelos/v1/chat/completions'],
  ['https://ia.ejemplo.es/v1beta/openai', 'https://ia.ejemplo.es/v1beta/openai/chat/completions'],
  ['https://v1.ejemplo.es', 'https://v1.ejemplo.es/v1/chat/completions'],
  ['https://ia.ejemplo.es/vega', 'https://ia.ejemplo.es/vega/v1/chat/completions'],
]
for (const [base, address] of ADDRESSES)
  test(`${base} is asked at ${address}`, () => assert.is(toChatAddress(base), address))

test('the request is as OpenAI-compatible servers specify, with a small picture without metadata', async ({
  detect,
  stub,
}) => {
  const upload = await sharp({ create: { width: 2400, height: 1200, channels: 3, background: '#a63' } })
    .withExif({ IFD0: { Make: 'Cámara de Ana' }, IFD3: { GPSLatitude: '40/1 25/1 0/1', GPSLatitudeRef: 'N' } })
    .png()
    .toBuffer()
  await detect({ upload })
  const [{ method, path, headers, body }] = stub.requests as [ChatStub['requests'][0]]
  assert.equal([method, path], ['POST', '/v1/chat/completions'])
  assert.equal([headers.authorization, headers['content-type']], [`Bearer ${KEY}`, 'application/json'])
  assert.not.match(JSON.stringify(body), /secreta/)
  assert.equal([body.model, body.stream, body.temperature], ['qwen2.5vl:7b', false, 0])
  assert.equal([body.response_format.type, body.response_format.json_schema.schema.type], ['json_schema', 'object'])
  const [text, image] = body.messages[0].content
  assert.match(text.text, /^¿De qué raza es el perro de la foto\?/)
  const [scheme, data] = image.image_url.url.split(',')
  assert.equal([image.type, scheme], ['image_url', 'data:image/jpeg;base64'])
  const sent = Buffer.from(data, 'base64')
  const { format, width, height, exif } = await sharp(sent).metadata()
  assert.equal([format, width, height, exif], ['jpeg', 768, 384, undefined])
  assert.not.ok(sent.includes('Ana'))
})

test('a server without a key gets none', async ({ detect, stub }) => {
  await detect({ key: undefined })
  assert.is(stub.requests[0]!.headers.authorization, undefined)
})

test('up to three breeds of the catalogue are answered, the first of them alone as well', async ({ detect, stub }) => {
  stub.answers = [
    chatDog([
      ['Dogo de las Cañadas', 'alta'],
      ['Border Coli', 'media'],
      ['Beagle', 'baja'],
    ]),
  ]
  assert.equal(await detect(), {
    breed: 'Border Collie',
    alternatives: [
      { breed: 'Border Collie', confidence: 'media' },
      { breed: 'Beagle', confidence: 'baja' },
    ],
  })
})

test('a model that answers in words is understood', async ({ detect, stub }) => {
  stub.answers = [chatText('Es un pastor alemán.'), chatText([{ type: 'text', text: 'Beagle' }]), chatText(null)]
  assert.equal(await detect(), { breed: 'Pastor alemán', alternatives: [] })
  assert.equal(await detect(), { breed: 'Beagle', alternatives: [] })
  assert.equal(await detect(), { breed: null, alternatives: [] })
})

const NONSENSE: ChatAnswer[] = [
  ...['{"razas":7}', '{}', 'Lo siento, no puedo ayudar con eso', '🐶🐶🐶', '{"razas":[{"raza":"Gato"}]}', ''].map(
    chatText,
  ),
  { status: 200, body: '{"choices":[]}' },
]
test('nonsense within the protocol is no breed', async ({ detect, stub }) => {
  for (const answer of NONSENSE) {
    stub.answers = [answer]
    assert.equal(await detect(), { breed: null, alternatives: [] })
  }
})

test('a JSON answer of another content type is read', async ({ detect, stub }) => {
  const { body } = chatText('Beagle') as { body: string }
  stub.answers = [{ status: 200, body, headers: { 'Content-Type': 'text/plain' } }]
  assert.is((await detect()).breed, 'Beagle')
})

const KEY_INVALID = [502, 'Error: API key inválida o expirada']
const LIMITED = 'Error: Límite de uso excedido. Intenta más tarde'
const GARBLED = [502, 'Error: El servicio que reconoce razas ha respondido algo que no entendemos']
const ROWS: [name: string, answer: ChatAnswer, row: unknown[], requests: number][] = [
  ['401', chatError(401, `Incorrect API key provided: ${KEY}`), KEY_INVALID, 1],
  ['401 without words', { status: 401, body: '{"error":"Unauthorized"}' }, KEY_INVALID, 1],
  ['403', chatError(403, 'no'), KEY_INVALID, 1],
  ['429', chatError(429, 'no'), [429, LIMITED, 60], 1],
  ['429 with Retry-After', chatError(429, 'no', { 'Retry-After': '7' }), [429, LIMITED, 7], 1],
  [
    '500',
    chatError(500, 'model runner has unexpectedly stopped'),
    [502, 'Error: model runner has unexpectedly stopped'],
    2,
  ],
  ['503 without words', { status: 503, body: '' }, [502, 'Error 503: Service Unavailable'], 2],
  ['404', chatError(404, `model "x" not found ${KEY}`), [502, 'Error: model "x" not found …'], 1],
  ['400', chatError(400, 'does not support images'), [422, 'Error: Imagen no válida'], 2],
  ['an error in a 200', { status: 200, body: '{"error":"Vaya"}' }, [502, 'Error: Vaya'], 1],
  ['a page', { status: 200, body: '<!doctype html><p>Hola', headers: { 'Content-Type': 'text/html' } }, GARBLED, 1],
  ['half an answer', { status: 200, body: '{"choices":[{"mess' }, GARBLED, 1],
  ['another shape', { status: 200, body: '{"choices":"Beagle"}' }, GARBLED, 1],
  ['another protocol', { status: 200, body: '{"message":{"content":"Beagle"}}' }, GARBLED, 1],
  ['a word', { status: 200, body: '"Beagle"' }, GARBLED, 1],
  ['a huge answer', chatText('Beagle '.repeat(60_000)), GARBLED, 1],
]
for (const [name, answer, row, requests] of ROWS)
  test(`${name} is reported as «${String(row[1]).slice(0, 50)}»`, async (t) => {
    assert.equal([await refusal(t, [answer]), t.stub.requests.length], [row, requests])
  })

test('an endless answer is given up at its bound', async (t) => {
  const endless: ChatAnswer = (response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' })
    const more = () => {
      while (response.writable && response.write('x'.repeat(65_536)));
    }
    response.on('drain', more)
    more()
  }
  assert.equal(await refusal(t, [endless]), GARBLED)
})

test('a 400 is asked once more in the words that every server knows', async ({ detect, stub }) => {
  stub.answers = [chatError(400, 'response_format is not supported'), chatText('Beagle')]
  assert.is((await detect()).breed, 'Beagle')
  const [first, second] = stub.requests as [ChatStub['requests'][0], ChatStub['requests'][0]]
  assert.equal(Object.keys(second.body), ['model', 'messages'])
  assert.equal(second.body.messages, first.body.messages)
})

test('a 5xx is retried once', async ({ detect, stub }) => {
  stub.answers = [chatError(503, 'Loading model'), chatText('Beagle')]
  assert.is((await detect()).breed, 'Beagle')
})

test('no response in time, in either try, is too late', async (t) => {
  const late = [504, 'Error: El servicio que reconoce razas tarda demasiado']
  assert.equal(await refusal(t, [null], 150), late)
  assert.equal(await refusal(t, [chatError(500, 'x'), null], 300), late)
  const slow: ChatAnswer = (response) => void response.writeHead(200).write('{"choices":')
  assert.equal(await refusal(t, [slow], 150), late)
})

test('a redirect is not followed, because it would carry the key', async (t) => {
  const other = await startChatStub()
  try {
    for (const status of [301, 302, 307, 308])
      assert.equal(
        await refusal(t, [{ status, body: '', headers: { Location: `${other.url}/v1/chat/completions` } }]),
        [502, 'Error: No se pudo conectar con el servicio que reconoce razas'],
      )
    assert.equal(other.requests, [])
  } finally {
    other.stop()
  }
})

test('errors that the operator must fix are logged', async (t) => {
  await refusal(t, [chatError(401, `Incorrect API key provided: ${KEY}`)])
  await refusal(t, [chatError(400, 'this model does not support images')])
  await refusal(t, [chatError(429, 'no')])
  assert.equal(t.logged, [
    'perrario · la detección de raza respondió 401 Unauthorized: Incorrect API key provided: …',
    'perrario · la detección de raza respondió 400 Bad Request: this model does not support images',
  ])
})

test('a photo is described with breeds, size and coat', async ({ stub }) => {
  const settings = { service: 'chat-completions', key: KEY, url: stub.url, model: 'm', timeoutMs: 20_000 } as const
  stub.answers = [
    chatDog([['Beagle', 'media']], 'mediano', ['corto', 'tricolor']),
    chatText('Es un beagle.'),
    chatText('No lo sé'),
  ]
  assert.equal(await describePhoto(settings, await photo()), {
    breeds: [{ breed: 'Beagle', confidence: 'media' }],
    size: 'mediano',
    coat: ['corto', 'tricolor'],
  })
  assert.equal(await describePhoto(settings, await photo()), {
    breeds: [{ breed: 'Beagle', confidence: 'baja' }],
    size: null,
    coat: [],
  })
  assert.equal(await describePhoto(settings, await photo()), { breeds: [], size: null, coat: [] })
})

test('a file that is not a photo is not sent', async ({ detect, stub }) => {
  const error = await detect({ upload: textFile }).catch((caught: AppError) => caught)
  assert.equal([(error as AppError).status, stub.requests], [422, []])
})
