import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Answer, call, formOf } from '#tests/support/api.ts'
import { photo, textFile } from '#tests/support/photo.ts'
import { dog, seed, signIn, withDatabase } from '#tests/support/seed.ts'
import { startServer } from '#tests/support/server.ts'

const server = await startServer()
const jpeg = new Blob([await photo()], { type: 'image/jpeg' })
const other = new Blob([await photo(220, 30, 50)], { type: 'image/jpeg' })
const fake = new Blob([textFile], { type: 'image/jpeg' })
const ana = await signIn(server, 'ana@ejemplo.es')
const luis = await signIn(server, 'luis@ejemplo.es')
const NOBODY = '00000000-0000-4000-8000-000000000000'
const MISSING = 'El perro que buscas no existe o ha sido eliminado.'

const photos = () => {
  const folder = join(server.dataDir, 'photos')
  return existsSync(folder) ? readdirSync(folder).sort() : []
}

/** A problem+json answer in full: nothing else may look like one. */
function isProblem({ status, body, headers }: Answer, wanted: number, detail: string, errors?: object) {
  assert.is(status, wanted, JSON.stringify(body))
  assert.match(headers.get('content-type')!, 'application/problem+json')
  assert.is(body.status, wanted)
  assert.is(body.detail, detail)
  assert.type(body.title, 'string')
  if (errors) assert.equal(body.errors, errors)
}

/** Adds a dog over HTTP; 201 or the test fails. */
async function added(fields: Parameters<typeof formOf>[0] = {}, cookie?: string, headers = {}) {
  const form = formOf({ name: 'Toby', breed: 'Beagle', images: jpeg, ...fields })
  const answer = await call(server, '/api/dogs', { method: 'POST', form, cookie, headers })
  assert.is(answer.status, 201, JSON.stringify(answer.body))
  return answer.body
}

const api = suite('api: dogs')

// POST /api/dogs ------------------------------------------------------------------------------------------------------

api('POST adds a member’s dog: 201 with the dog, no token', async () => {
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
      images: [jpeg, other],
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
  assert.equal(
    dog.images.map((i: { order: number }) => i.order),
    [0, 1],
  )
  assert.match(dog.images[0].url, new RegExp(`^/photos/${dog.id}_\\d{13}_[0-9a-z]{8}\\.jpg$`))
  assert.equal((await call(server, `/api/dogs/${dog.id}`)).body, { dog })
})

api('POST without a session gives the token that claims the dog', async () => {
  const { dog, association } = await added()
  assert.equal([dog.owner_id, dog.discoverer_id, dog.user_id], [null, null, null])
  assert.match(association.token, /^[\w-]{40,}$/)
})

api('POST with the same Idempotency-Key answers the same and adds once', async () => {
  for (const cookie of [ana.cookie, undefined]) {
    const key = { 'Idempotency-Key': crypto.randomUUID() }
    const [a, b] = await Promise.all([added({}, cookie, key), added({}, cookie, key)])
    const c = await added({}, cookie, key)
    assert.equal([b, c], [a, a])
    assert.is.not((await added({}, luis.cookie, key)).dog.id, a.dog.id)
  }
  const form = formOf({ images: jpeg })
  const headers = { 'Idempotency-Key': 'x'.repeat(201) }
  isProblem(await call(server, '/api/dogs', { method: 'POST', form, headers }), 422, 'Idempotency-Key no válida.')
})

api('an anonymous key that nobody can guess holds when the phone sends again from another network', async () => {
  const behindProxy = await startServer({ TRUST_PROXY: '1' })
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
  await behindProxy.dispose()
})

api('POST skips a photo that is none, and says so', async () => {
  const { dog, skipped } = await added({ images: [fake, jpeg] }, ana.cookie)
  assert.is(dog.images.length, 1)
  assert.equal(skipped, [
    { index: 0, detail: 'El archivo no es una foto que podamos leer. Usa una imagen JPEG, PNG, WebP, AVIF o GIF.' },
  ])
})

api('POST refuses with the sentence of each field, and nothing is kept', async () => {
  const before = photos()
  const count = async () => (await call(server, '/api/dogs?limit=1')).body.stats.dogs
  const dogs = await count()
  const post = (fields: Parameters<typeof formOf>[0]) =>
    call(server, '/api/dogs', { method: 'POST', form: formOf(fields), cookie: ana.cookie })
  const PHOTO = 'Por favor, sube al menos una imagen del perro.'
  isProblem(await post({ name: 'Toby' }), 422, PHOTO, { images: PHOTO })
  isProblem(await post({ name: 'Toby', images: 'https://ejemplo.es/foto.jpg' }), 422, PHOTO, { images: PHOTO })
  isProblem(await post({ images: new File([], '') }), 422, PHOTO)
  isProblem(await post({ name: 'a,b', weight: '0' }), 422, PHOTO, {
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
    isProblem(await post({ images: jpeg, [field]: value }), 422, sentence, { [field]: sentence })
  isProblem(await post({ images: jpeg, name: new Blob(['x']) }), 422, 'El texto no es válido.')
  isProblem(await post({ images: Array.from({ length: 11 }, () => jpeg) }), 422, 'Puedes subir hasta 10 fotos.')
  const UNREADABLE = 'El archivo no es una foto que podamos leer. Usa una imagen JPEG, PNG, WebP, AVIF o GIF.'
  isProblem(await post({ images: [fake, fake] }), 422, UNREADABLE, { images: UNREADABLE })
  assert.equal(photos(), before)
  assert.is(await count(), dogs)
})

api('a session that ended mid-form loses nothing: the dog is added, and its token claims it later', async () => {
  const { dog, association } = await added({}, 'perrario=caducada')
  assert.is(dog.owner_id, null)
  const json = { ownershipType: 'owner', token: association.token }
  const path = `/api/dogs/${dog.id}/association`
  assert.is((await call(server, path, { method: 'POST', json, cookie: ana.cookie })).body.dog.owner_id, ana.id)
})

api('hostile pictures get a sentence, and the server lives on', async () => {
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
    isProblem(answer, 422, sentence, { images: sentence })
  }
  assert.equal(photos(), before)
  assert.is((await call(server, '/healthz')).status, 200)
})

api('POST refuses other bodies: 415, 413, 422', async () => {
  const post = (body: BodyInit, headers = {}) => call(server, '/api/dogs', { method: 'POST', body, headers })
  isProblem(
    await call(server, '/api/dogs', { method: 'POST', json: { name: 'Toby' } }),
    415,
    'Se esperaba multipart/form-data.',
  )
  isProblem(
    await post('--x\r\nnonsense', { 'Content-Type': 'multipart/form-data; boundary=x' }),
    422,
    'El formulario no se pudo leer.',
  )
  const huge = formOf({ images: new Blob([new Uint8Array(45 * 1024 * 1024)]) })
  isProblem(await call(server, '/api/dogs', { method: 'POST', form: huge }), 413, 'La petición es demasiado grande.')
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

api('a mutation from another site is refused', async () => {
  const headers = { Origin: 'https://malo.example' }
  const form = formOf({ images: jpeg })
  isProblem(await call(server, '/api/dogs', { method: 'POST', form, headers }), 403, 'La petición viene de otro sitio.')
})

// GET /api/dogs -------------------------------------------------------------------------------------------------------

api('GET lists pages with statistics, filtered and sorted', async () => {
  await withDatabase(server, (db) =>
    seed(
      db,
      ...Array.from({ length: 7 }, (_, i) =>
        dog({ breed: 'Kuvasz', size: 'gigante', weight: 40 + (i % 3), age: i + 1 }),
      ),
    ),
  )
  const get = async (query: string) => (await call(server, `/api/dogs?${query}`)).body
  const first = await get('breed=Kuvasz&size=gigante&sort=weight-desc&limit=5')
  assert.equal(
    first.dogs.map((d: { weight: number }) => d.weight),
    [42, 42, 41, 41, 40],
  )
  assert.is(first.stats.dogs, 7)
  assert.equal([first.stats.weightMax, first.stats.weightMin, first.stats.ageMax], [42, 40, 84])
  const second = await get(`breed=kuvasz&size=GIGANTE&sort=weight-desc&limit=5&cursor=${first.nextCursor}`)
  assert.is(second.dogs.length, 2)
  assert.is(second.nextCursor, null)
  assert.equal((await get('breed=dragon')).dogs, [])
  assert.is((await get('breed=&size=&sort=&limit=1')).dogs.length, 1)
  assert.match((await call(server, '/api/dogs')).headers.get('cache-control')!, 'no-store')
})

api('GET refuses what makes no sense', async () => {
  const { nextCursor } = (await call(server, '/api/dogs?limit=1')).body
  for (const [query, sentence] of [
    ['sort=nombre', 'Orden no válido.'],
    ['size=enorme', 'Tamaño no válido.'],
    ['limit=0', 'El límite debe estar entre 1 y 100.'],
    ['limit=101', 'El límite debe estar entre 1 y 100.'],
    ['limit=abc', 'El límite debe estar entre 1 y 100.'],
    ['limit=1e1', 'El límite debe estar entre 1 y 100.'],
    ['cursor=abc', 'La página pedida no existe.'],
    [`sort=votes-asc&cursor=${nextCursor}`, 'La página pedida no existe.'],
  ] as const)
    isProblem(await call(server, `/api/dogs?${query}`), 422, sentence)
})

// GET, PATCH, DELETE /api/dogs/{id} -----------------------------------------------------------------------------------

api('an unknown id is 404 in every call', async () => {
  const { cookie } = ana
  const form = () => formOf({ images: jpeg })
  for (const id of [NOBODY, 'abc', '1', '%F0%9F%90%B6', `${NOBODY}x`]) {
    const said = id === NOBODY ? MISSING : 'No lo hemos encontrado.'
    const path = `/api/dogs/${id}`
    isProblem(await call(server, path), 404, said)
    isProblem(await call(server, path, { method: 'PATCH', json: {}, cookie }), 404, said)
    isProblem(await call(server, path, { method: 'DELETE', cookie }), 404, said)
    isProblem(await call(server, `${path}/images`, { method: 'PUT', form: form(), cookie }), 404, said)
    const json = { ownershipType: 'owner', token: 'x' }
    isProblem(await call(server, `${path}/association`, { method: 'POST', json, cookie }), 404, said)
  }
  isProblem(await call(server, '/api/dogs/a/b/c'), 404, 'No existe esta dirección de la API.')
})

api('edits want a session and the owner or discoverer', async () => {
  const { dog } = await added({}, ana.cookie)
  const path = `/api/dogs/${dog.id}`
  const calls = (cookie?: string) => [
    call(server, path, { method: 'PATCH', json: { weight: 'not even valid' }, cookie }),
    call(server, path, { method: 'DELETE', cookie }),
    call(server, `${path}/images`, { method: 'PUT', form: formOf({ images: other }), cookie }),
  ]
  for (const answer of await Promise.all(calls())) isProblem(answer, 401, 'Error: Usuario no autenticado')
  for (const answer of await Promise.all(calls('perrario=caducada')))
    isProblem(answer, 401, 'Error: Usuario no autenticado')
  for (const answer of await Promise.all(calls(luis.cookie)))
    isProblem(answer, 403, 'Solo su dueño o su descubridor puede editar este perro.')
  assert.equal((await call(server, path)).body.dog, dog)
})

api('PATCH changes any subset; the address follows name and breed', async () => {
  const { dog } = await added({ name: 'Kira', age: '5', age_unit: 'meses' }, ana.cookie)
  const patch = (json: unknown) => call(server, `/api/dogs/${dog.id}`, { method: 'PATCH', json, cookie: ana.cookie })
  assert.equal((await patch({})).body, { dog })
  assert.equal((await patch({ weight: 7.5, size: 'Mini', is_adopted: true })).body.dog, {
    ...dog,
    weight: 7.5,
    size: 'mini',
    is_adopted: true,
  })
  assert.equal((await patch({ weight: null, votes: 99, owner_id: luis.id })).body.dog.weight, null)
  const renamed = (await patch({ name: 'Kiara', breed: 'mix', relationship: 'discoverer' })).body.dog
  assert.equal(
    [renamed.path, renamed.breed, renamed.owner_id, renamed.discoverer_id, renamed.votes],
    ['/mestizo/kiara', 'Mestizo', ana.id, ana.id, 0],
  )
  isProblem(await patch({ age: 3.5, zone: '#' }), 422, 'Edad debe ser un número entero positivo.', {
    age: 'Edad debe ser un número entero positivo.',
    zone: 'Zona no válida. Solo se permiten letras, números, espacios, guiones y comas.',
  })
  assert.is((await patch([])).status, 422)
  assert.is((await patch('x')).status, 422)
  const raw = (body: string, type: string) =>
    call(server, `/api/dogs/${dog.id}`, {
      method: 'PATCH',
      body,
      cookie: ana.cookie,
      headers: { 'Content-Type': type },
    })
  isProblem(await raw('{', 'application/json'), 422, 'El cuerpo no es JSON válido.')
  isProblem(await raw('name=x', 'application/x-www-form-urlencoded'), 415, 'Se esperaba application/json.')
  isProblem(
    await raw(JSON.stringify({ description: 'x'.repeat(70_000) }), 'application/json'),
    413,
    'La petición es demasiado grande.',
  )
})

api('DELETE takes the dog and its files: 204, then 404', async () => {
  const { dog } = await added({ images: [jpeg, other] }, ana.cookie)
  const own = () => photos().filter((name) => name.startsWith(dog.id))
  assert.is(own().length, 2)
  const answer = await call(server, `/api/dogs/${dog.id}`, { method: 'DELETE', cookie: ana.cookie })
  assert.equal([answer.status, answer.body], [204, undefined])
  assert.is(own().length, 0)
  isProblem(await call(server, `/api/dogs/${dog.id}`), 404, MISSING)
})

// PUT /api/dogs/{id}/images -------------------------------------------------------------------------------------------

api('PUT images replaces the ordered gallery', async () => {
  const { dog } = await added({ images: [jpeg, other] }, ana.cookie)
  const [a, b] = dog.images.map((i: { url: string }) => i.url)
  const put = (images: (string | Blob)[]) =>
    call(server, `/api/dogs/${dog.id}/images`, { method: 'PUT', form: formOf({ images }), cookie: ana.cookie })
  const after = (await put([b, jpeg, fake])).body
  assert.is(after.dog.images.length, 2)
  assert.equal([after.dog.photo_url, after.dog.images[0].url], [b, b])
  assert.is(after.skipped[0].index, 2)
  assert.not(photos().some((name) => a.endsWith(name)))

  const GONE = 'Una de las fotos ya no es de este perro. Vuelve a abrir el formulario.'
  const PHOTO = 'Por favor, sube al menos una imagen del perro.'
  const before = photos()
  isProblem(await put([a]), 422, GONE, { images: GONE })
  isProblem(await put([b, '../../perrario.db']), 422, GONE)
  isProblem(await put([b, b]), 422, 'Hay una foto repetida.')
  isProblem(await put([]), 422, PHOTO, { images: PHOTO })
  isProblem(await put(Array.from({ length: 11 }, () => jpeg)), 422, 'Puedes subir hasta 10 fotos.')
  isProblem(
    await put([fake]),
    422,
    'El archivo no es una foto que podamos leer. Usa una imagen JPEG, PNG, WebP, AVIF o GIF.',
  )
  assert.equal(photos(), before)
  assert.equal((await call(server, `/api/dogs/${dog.id}`)).body.dog, after.dog)
})

// POST /api/dogs/{id}/association -------------------------------------------------------------------------------------

api('POST association: the token claims the dog, once', async () => {
  const { dog, association } = await added()
  const claim = (json: unknown, cookie?: string) =>
    call(server, `/api/dogs/${dog.id}/association`, { method: 'POST', json, cookie })
  const proof = { ownershipType: 'discoverer', token: association.token }
  isProblem(await claim(proof), 401, 'Inicia sesión para continuar.')
  isProblem(
    await claim({ ...proof, token: 'otra' }, ana.cookie),
    403,
    'Solo quien añadió este perro puede asociarlo a su cuenta.',
  )
  isProblem(
    await claim({ ...proof, ownershipType: 'vecino' }, ana.cookie),
    422,
    'Elige si eres su dueño o su descubridor.',
  )
  isProblem(await claim({ ownershipType: 'owner' }, ana.cookie), 422, 'Falta la prueba de que añadiste este perro.')
  const mine = (await claim(proof, ana.cookie)).body.dog
  assert.equal([mine.discoverer_id, mine.owner_id, mine.user_id], [ana.id, null, ana.id])
  isProblem(await claim(proof, ana.cookie), 409, 'Este perro ya está asociado a una cuenta.')
  isProblem(await claim(proof, luis.cookie), 409, 'Este perro ya está asociado a una cuenta.')
})

// GET /api/breeds -----------------------------------------------------------------------------------------------------

api('GET breeds gives the picker every name, and may be kept', async () => {
  const answer = await call(server, '/api/breeds')
  assert.is(answer.body.breeds.length, 434)
  assert.equal(answer.body.breeds[0], { slug: 'affenpinscher', name: 'Affenpinscher' })
  assert.match(answer.headers.get('cache-control')!, /public, max-age=\d+/)
  const etag = answer.headers.get('etag')!
  const again = await call(server, '/api/breeds', { headers: { 'If-None-Match': `W/${etag}` } })
  assert.equal([again.status, again.body], [304, undefined])
})

// Limits --------------------------------------------------------------------------------------------------------------

api('too many adds from one address: 429 with Retry-After, never before twenty', async () => {
  const fresh = await startServer()
  const post = () => call(fresh, '/api/dogs', { method: 'POST', form: formOf({ name: 'x' }) })
  const statuses: number[] = []
  let last: Answer
  do {
    last = await post()
    statuses.push(last.status)
  } while (last.status !== 429 && statuses.length < 500)
  isProblem(last, 429, 'Demasiadas peticiones. Espera un momento e inténtalo de nuevo.')
  assert.ok(Number(last.headers.get('retry-after')) > 0)
  assert.ok(statuses.filter((status) => status === 422).length >= 20)
  assert.is((await call(fresh, '/api/dogs')).status, 200)
  await fresh.dispose()
})

api('what was added is there after a restart', async () => {
  const { dog } = await added({ name: 'Perenne' }, ana.cookie)
  await server.restart()
  assert.equal((await call(server, `/api/dogs/${dog.id}`)).body, { dog })
  assert.equal(server.output().match(/.*Error.*/g) ?? [], [])
})

api.after(() => server.dispose())
api.run()
