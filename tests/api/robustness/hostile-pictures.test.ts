import { connect } from 'node:net'
import { HOSTILE_PICTURE_NAMES, hostilePictures } from '#tests/support/photos/hostile-pictures.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { residentTreeBytes } from '#tests/support/process-tree.ts'
import type { TestServer } from '#tests/support/server.ts'
import { assert, call, formOf, serverSuite, signInMember } from '#tests/support/suites.ts'

// The limits of what a picture costs the server: memory of all its processes, and delay of other requests.

/** Takes long enough to decode that many of it wait for each other. */
const LONG_PICTURE = 'progressive JPEG 4100 x 4100, 4:4:4'

/** Maximum memory of all processes above the resting level, bytes. */
const MAX_ADDED_BYTES = 400 * 1024 * 1024
/** The sentences for photos that are not taken. */
const REFUSAL_MESSAGES = [
  'El archivo no es una foto que podamos leer. Usa una imagen JPEG, PNG, WebP, AVIF o GIF.',
  'La foto está dañada o incompleta. Prueba con otra.',
  'La foto es demasiado grande: como máximo, 52 megapíxeles.',
  'La foto es demasiado grande para su formato. Guárdala como JPEG normal y vuelve a subirla.',
  'Es una animación, y no podemos sacar una foto de ella. Guarda una de sus imágenes como JPEG y súbela.',
  'No podemos leer fotos HEIC. En el iPhone, elige «Más compatible» en Ajustes › Cámara › Formatos, o guarda la foto como JPEG y vuelve a subirla.',
]

const hostile = serverSuite('api/robustness/hostile-pictures', {}, async ({ server }) => {
  const ana = await signInMember(server)
  const eva = await signInMember(server, 'eva@ejemplo.es')
  const pictures = await hostilePictures(HOSTILE_PICTURE_NAMES)
  return { ana, eva, pictures }
})

const send = (server: TestServer, cookie: string, bytes: Uint8Array) =>
  call(server, '/api/dogs', {
    method: 'POST',
    cookie,
    form: formOf({
      name: 'Toby',
      breed: 'Beagle',
      relationship: 'owner',
      images: new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }),
    }),
  })

hostile('two hostile pictures at once stay within their memory limit while an ordinary upload succeeds', async (t) => {
  const { server, ana, eva, pictures } = t
  assert.is((await send(server, eva.cookie, await photo())).status, 201)
  const idle = residentTreeBytes(server.pid())
  let peak = 0
  const watch = setInterval(() => (peak = Math.max(peak, residentTreeBytes(server.pid()) - idle)), 25)
  const found: string[] = []
  const over = new AbortController()
  // Few: one network may add sixty dogs in ten minutes, and all tests here are one.
  const ordinary = (async () => {
    const statuses: number[] = []
    while (!over.signal.aborted && statuses.length < 8) {
      statuses.push((await send(server, eva.cookie, await photo(statuses.length))).status)
      await new Promise((done) => setTimeout(done, 1000))
    }
    return statuses
  })()
  const queue = Object.entries(pictures)
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [name, bytes] = next
      assert.ok(bytes.length < 4 * 1024 * 1024, `${name}: ${bytes.length} bytes`)
      const before = peak
      const { status, body } = await send(server, ana.cookie, bytes)
      const isAnswered = status === 201 || (status === 422 && REFUSAL_MESSAGES.includes(body.detail))
      if (!isAnswered) found.push(`${name}: ${status} ${JSON.stringify(body)}`)
      if (peak > MAX_ADDED_BYTES && before <= MAX_ADDED_BYTES)
        found.push(`${name}: ${Math.round(peak / 2 ** 20)} MB above rest`)
    }
  }
  await Promise.all([work(), work()])
  over.abort()
  const statuses = await ordinary
  clearInterval(watch)
  assert.equal(found, [])
  assert.ok(peak < MAX_ADDED_BYTES, `${Math.round(peak / 2 ** 20)} MB above rest`)
  assert.ok(statuses.length > 0 && statuses.every((status) => status === 201), String(statuses))
  console.log(`hostile pictures: ${Math.round(peak / 2 ** 20)} MB above rest at most`)
})

hostile('pictures of disconnected clients are not decoded', async ({ server, ana, eva, pictures }) => {
  const bytes = pictures[LONG_PICTURE]!
  const form = formOf({
    name: 'Fugaz',
    breed: 'Beagle',
    relationship: 'owner',
    images: new Blob([new Uint8Array(bytes)]),
  })
  const request = new Request(`${server.url}/api/dogs`, { method: 'POST', body: form })
  const body = Buffer.from(await request.arrayBuffer())
  const head = [
    'POST /api/dogs HTTP/1.1',
    'Host: 127.0.0.1',
    `Origin: ${server.url}`,
    `Cookie: ${ana.cookie}`,
    `Content-Type: ${request.headers.get('content-type')}`,
    `Content-Length: ${body.length}`,
  ]
  // Ten send everything and leave.
  const leave = () =>
    new Promise<void>((done) => {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1', () => {
        socket.write(`${head.join('\r\n')}\r\n\r\n`)
        socket.write(body, () => setTimeout(() => (socket.destroy(), done()), 20))
      })
      socket.on('error', () => done())
    })
  await Promise.all(Array.from({ length: 10 }, leave))
  assert.is((await send(server, eva.cookie, bytes)).status, 201)
  const { body: list } = await call(server, '/api/dogs?limit=100')
  const added = (list.dogs as { name: string }[]).filter(({ name }) => name === 'Fugaz')
  // One may have been done before its sender left.
  assert.ok(added.length <= 2, `${added.length} of 10 were decoded`)
})

hostile(
  'too many pictures of one sender at once are 429, and no other sender’s are',
  async ({ server, ana, eva, pictures }) => {
    const bytes = pictures[LONG_PICTURE]!
    const many = Array.from({ length: 16 }, () => send(server, ana.cookie, bytes))
    const { status, body } = await send(server, eva.cookie, await photo(7))
    const statuses = (await Promise.all(many)).map((answer) => answer.status)
    assert.is(status, 201, JSON.stringify(body) + server.output().slice(-3000))
    assert.equal([...new Set(statuses)].toSorted(), [201, 429])
  },
)
