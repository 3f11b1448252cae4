import { dogHelpers, fakeJpeg, jpeg, otherJpeg } from '#tests/support/dogs/dogs-api.ts'
import { assert, assertProblem, call, formOf, pluck, signIn, startServer, suite } from '#tests/support/suites.ts'

const server = await startServer()
const { added, photos } = dogHelpers(server)
const ana = await signIn(server, 'ana@ejemplo.es')
const luis = await signIn(server, 'luis@ejemplo.es')

const count = async () => (await call(server, '/api/dogs?limit=1')).body.stats.dogs as number

const api = suite('api/dogs/add')

api('POST adds a member’s dog: 201 with the dog, without a token', async () => {
  const { dog, association, skipped } = await added(
    {
      name: 'Luna',
      breed: 'labrador',
      age: '3',
      age_unit: 'años',
      weight: '24,5',
      size: 'grande',
      zone: 'Getafe, Madrid',
      is_adopted: 'true',
      description: 'Muy <buena>',
      relationship: 'discoverer',
      images: [jpeg, otherJpeg],
    },
    ana.cookie,
  )
  assert.is(association, undefined)
  assert.is(skipped, undefined)
  assert.match(dog.id, /^[0-9a-f-]{36}$/)
  assert.is(dog.path, '/labrador-retriever/luna')
  assert.equal(
    [dog.name, dog.breed, dog.age, dog.age_unit, dog.weight, dog.size, dog.zone, dog.is_adopted, dog.description],
    ['Luna', 'Labrador Retriever', 3, 'años', 24.5, 'grande', 'Getafe, Madrid', true, 'Muy buena'],
  )
  assert.equal([dog.owner_id, dog.discoverer_id, dog.user_id, dog.likes], [null, ana.id, ana.id, 0])
  assert.equal(pluck(dog.images, 'order'), [0, 1])
  assert.match(dog.images[0].url, new RegExp(`^/photos/${dog.id}_\\d{13}_[0-9a-z]{8}\\.jpg$`))
  assert.equal((await call(server, `/api/dogs/${dog.id}`)).body, { dog })
})

api('POST without a session returns the token that claims the dog', async () => {
  const { dog, association } = await added()
  assert.equal([dog.owner_id, dog.discoverer_id, dog.user_id], [null, null, null])
  assert.match(association.token, /^[\w-]{40,}$/)
})

api('POST with the same Idempotency-Key returns the same response and adds one dog', async () => {
  for (const cookie of [ana.cookie, undefined]) {
    const key = { 'Idempotency-Key': crypto.randomUUID() }
    const [a, b] = await Promise.all([added({}, cookie, key), added({}, cookie, key)])
    assert.equal([b, await added({}, cookie, key)], [a, a])
    assert.is.not((await added({}, luis.cookie, key)).dog.id, a.dog.id)
  }
  const form = formOf({ images: jpeg })
  const headers = { 'Idempotency-Key': 'x'.repeat(201) }
  assertProblem(await call(server, '/api/dogs', { method: 'POST', form, headers }), 422, 'Idempotency-Key no válida.')
})

api('an unguessable anonymous key is valid when the phone retries from another network', async () => {
  await using behindProxy = await startServer({ TRUST_PROXY: '1' })
  const send = async (key: string, ip: string) => {
    const form = formOf({ name: 'Toby', breed: 'Beagle', images: jpeg })
    const headers = { 'Idempotency-Key': key, 'X-Forwarded-For': ip }
    return (await call(behindProxy, '/api/dogs', { method: 'POST', form, headers })).body
  }
  const secret = 'f'.repeat(32)
  assert.equal(await send(secret, '192.0.2.1'), await send(secret, '198.51.100.7'))
  for (const key of ['1', 'f'.repeat(31)])
    assert.equal(
      [(await send(key, '192.0.2.1')).status, (await send(key, '192.0.2.1')).dog],
      [422, undefined],
      'what can be guessed hands over another’s dog',
    )
})

api('POST skips an invalid photo and reports it', async () => {
  const { dog, skipped } = await added({ images: [fakeJpeg, jpeg] }, ana.cookie)
  assert.is(dog.images.length, 1)
  assert.equal(skipped, [
    { index: 0, detail: 'El archivo no es una foto que podamos leer. Usa una imagen JPEG, PNG, WebP, AVIF o GIF.' },
  ])
})

api('POST refuses with a message for each field and stores nothing', async () => {
  const before = photos()
  const dogs = await count()
  const post = (fields: Parameters<typeof formOf>[0]) =>
    call(server, '/api/dogs', { method: 'POST', form: formOf(fields), cookie: ana.cookie })
  const PHOTO = 'Por favor, sube al menos una imagen del perro.'
  assertProblem(await post({ name: 'Toby' }), 422, PHOTO, { images: PHOTO })
  assertProblem(await post({ name: 'Toby', images: 'https://ejemplo.es/foto.jpg' }), 422, PHOTO, { images: PHOTO })
  assertProblem(await post({ images: new File([], '') }), 422, PHOTO)
  assertProblem(await post({ name: 'a,b', weight: '0' }), 422, PHOTO, {
    images: PHOTO,
    name: 'Nombre no válido. Solo se permiten letras, números, espacios y guiones.',
    weight: 'El peso debe ser un número positivo.',
  })
  const cases = {
    weight: ['-1', 'El peso debe ser un número positivo.'],
    age: ['2.5', 'Edad debe ser un número entero positivo.'],
    zone: ['Centro & Sol', 'Zona no válida. Solo se permiten letras, números, espacios, guiones y comas.'],
    breed: ['Galgo & podenco', 'Raza no válida. Solo se permiten letras, números, espacios y guiones.'],
    size: ['enorme', 'Tamaño no válido.'],
    relationship: ['vecino', 'Elige si eres su dueño o su descubridor.'],
    name: ['x'.repeat(51), 'El nombre no puede tener más de 50 caracteres.'],
    description: ['x'.repeat(20_000), 'El texto es demasiado largo.'],
  } as const
  for (const [field, [value, sentence]] of Object.entries(cases))
    assertProblem(await post({ images: jpeg, [field]: value }), 422, sentence, { [field]: sentence })
  assertProblem(await post({ images: jpeg, name: new Blob(['x']) }), 422, 'El texto no es válido.')
  assertProblem(await post({ images: Array.from({ length: 11 }, () => jpeg) }), 422, 'Puedes subir hasta 10 fotos.')
  const UNREADABLE = 'El archivo no es una foto que podamos leer. Usa una imagen JPEG, PNG, WebP, AVIF o GIF.'
  assertProblem(await post({ images: [fakeJpeg, fakeJpeg] }), 422, UNREADABLE, { images: UNREADABLE })
  assert.equal(photos(), before)
  assert.is(await count(), dogs)
})

const SESSION_ENDED = 'Tu sesión ha terminado. Inicia sesión para continuar.'

api('a session that ends during the form is 401, and the same form is added after signing in', async () => {
  const eva = await signIn(server, 'eva@ejemplo.es')
  const send = (cookie: string | undefined, member?: string) =>
    call(server, '/api/dogs', {
      method: 'POST',
      form: formOf({ name: 'Trueno', breed: 'beagle', images: jpeg, ...(member && { member }) }),
      cookie,
      headers: { 'Idempotency-Key': '0b5e5b64-8d83-4a25-9e3a-5c1f9d6c4a11' },
    })
  const [before, dogs] = [photos(), await count()]
  assertProblem(await send('perrario=caducada'), 401, SESSION_ENDED)
  // The browser does not send a cookie that has expired; the form knows who opened it.
  assertProblem(await send(undefined, eva.id), 401, SESSION_ENDED)
  assertProblem(await send(ana.cookie, eva.id), 401, SESSION_ENDED)
  assert.equal(photos(), before)
  assert.is(await count(), dogs)
  const { status, body } = await send(eva.cookie, eva.id)
  assert.equal([status, body.dog.owner_id, body.association], [201, eva.id, undefined])
})

api('too many adds from one address are 429 with Retry-After; refused ones do not count', async () => {
  await using fresh = await startServer()
  const post = (fields: Parameters<typeof formOf>[0]) =>
    call(fresh, '/api/dogs', { method: 'POST', form: formOf(fields) })
  for (let i = 0; i < 70; i++) assert.is((await post(i % 10 ? { name: 'x' } : { images: fakeJpeg })).status, 422)
  for (let i = 0; i < 60; i++) assert.is((await post({ images: jpeg })).status, 201)
  const last = await post({ images: jpeg })
  assertProblem(last, 429, 'Demasiadas peticiones. Espera un momento e inténtalo de nuevo.')
  assert.ok(Number(last.headers.get('retry-after')) > 0)
  assert.is((await call(fresh, '/api/dogs')).status, 200)
})

api('an added dog is still there after a restart', async () => {
  const { dog } = await added({ name: 'Perenne' }, ana.cookie)
  await server.restart()
  assert.equal((await call(server, `/api/dogs/${dog.id}`)).body, { dog })
  assert.equal(server.output().match(/.*Error.*/g) ?? [], [])
})

api.after(() => server.dispose())
