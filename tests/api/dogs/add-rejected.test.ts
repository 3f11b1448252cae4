import sharp from 'sharp'
import { dogHelpers, jpeg } from '#tests/support/dogs/dogs-api.ts'
import { assert, assertProblem, call, formOf, signIn, startServer, suite } from '#tests/support/suites.ts'

const server = await startServer()
const { photos } = dogHelpers(server)
const ana = await signIn(server, 'ana@ejemplo.es')

const api = suite('api/dogs/add-rejected')

api('hostile pictures are refused with a message, and the server keeps running', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  const whole = Buffer.from(await jpeg.arrayBuffer())
  const bomb = await sharp({ create: { width: 16_000, height: 12_500, channels: 3, background: '#fff' } })
    .png({ compressionLevel: 9 })
    .toBuffer()
  const cases: [BlobPart, string][] = [
    [svg, 'El archivo no es una foto que podamos leer. Usa una imagen JPEG, PNG, WebP, AVIF o GIF.'],
    [whole.subarray(0, whole.length / 2), 'La foto está dañada o incompleta. Prueba con otra.'],
    [new Uint8Array(bomb), 'La foto es demasiado grande: como máximo, 52 megapíxeles.'],
  ]
  const before = photos()
  for (const [bytes, sentence] of cases) {
    const form = formOf({ images: new Blob([bytes], { type: 'image/jpeg' }) })
    const answer = await call(server, '/api/dogs', { method: 'POST', form, cookie: ana.cookie })
    assertProblem(answer, 422, sentence, { images: sentence })
  }
  assert.equal(photos(), before)
  assert.is((await call(server, '/healthz')).status, 200)
})

api('POST refuses other bodies with 415, 413 or 422', async () => {
  const post = (body: BodyInit, headers = {}) => call(server, '/api/dogs', { method: 'POST', body, headers })
  assertProblem(
    await call(server, '/api/dogs', { method: 'POST', json: { name: 'Toby' } }),
    415,
    'Se esperaba multipart/form-data.',
  )
  assertProblem(
    await post('--x\r\nnonsense', { 'Content-Type': 'multipart/form-data; boundary=x' }),
    422,
    'El formulario no se pudo leer.',
  )
  const huge = formOf({ images: new Blob([new Uint8Array(45 * 1024 * 1024)]) })
  assertProblem(
    await call(server, '/api/dogs', { method: 'POST', form: huge }),
    413,
    'La petición es demasiado grande.',
  )
  // Without a Content-Length to believe, the limit is met while reading.
  const stream = new ReadableStream({
    pull: (c) => c.enqueue(new Uint8Array(4 * 1024 * 1024)),
  })
  const type = { 'Content-Type': 'multipart/form-data; boundary=x' }
  const chunked = await fetch(`${server.url}/api/dogs`, {
    method: 'POST',
    body: stream,
    headers: type,
    duplex: 'half',
  } as RequestInit).then(
    (response) => response.status,
    () => 'closed',
  )
  assert.ok(chunked === 413 || chunked === 'closed', String(chunked))
  assert.is((await call(server, '/healthz')).status, 200)
})

api('a photo above 4 MB refuses the whole form, in POST and PUT', async () => {
  const added = await call(server, '/api/dogs', { method: 'POST', form: formOf({ images: jpeg }), cookie: ana.cookie })
  const { dog } = added.body as { dog: { id: string } }
  const before = photos()
  const whole = Buffer.from(await jpeg.arrayBuffer())
  // Readable, but for its weight: what follows a JPEG's end is no part of it.
  const padded = (bytes: number) => new Blob([whole, new Uint8Array(bytes - whole.length)], { type: 'image/jpeg' })
  const most = 4 * 1024 * 1024
  const paths = [
    ['/api/dogs', 'POST', 201],
    [`/api/dogs/${dog.id}/images`, 'PUT', 200],
  ] as const
  for (const [path, method] of paths) {
    const form = formOf({ images: padded(most + 1) })
    form.append('images', jpeg, 'a.jpg')
    const answer = await call(server, path, { method, form, cookie: ana.cookie })
    assertProblem(answer, 413, 'La foto pesa demasiado: como máximo, 4 MB.')
  }
  assert.equal(photos(), before)
  for (const [path, method, status] of paths) {
    const answer = await call(server, path, { method, form: formOf({ images: padded(most) }), cookie: ana.cookie })
    assert.is(answer.status, status)
  }
})

api('a mutation from another site is refused', async () => {
  const headers = { Origin: 'https://malo.example' }
  const form = formOf({ images: jpeg })
  assertProblem(
    await call(server, '/api/dogs', { method: 'POST', form, headers }),
    403,
    'La petición viene de otro sitio.',
  )
})

api.after(() => server.dispose())
