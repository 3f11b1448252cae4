import { dogHelpers, fakeJpeg, jpeg, otherJpeg } from '#tests/support/dogs/dogs-api.ts'
import { UNKNOWN_ID } from '#tests/support/unknown-id.ts'
import { assert, assertProblem, call, contentOf, formOf, signIn, startServer, suite } from '#tests/support/suites.ts'

const server = await startServer()
const { added, photos } = dogHelpers(server)
const ana = await signIn(server, 'ana@ejemplo.es')
const luis = await signIn(server, 'luis@ejemplo.es')
const MISSING = 'El perro que buscas no existe o ha sido eliminado.'

const api = suite('api/dogs/edit')

api('an unknown id is 404 in every call', async () => {
  const { cookie } = ana
  const form = () => formOf({ images: jpeg })
  for (const id of [UNKNOWN_ID, 'abc', '1', '%F0%9F%90%B6', `${UNKNOWN_ID}x`]) {
    const said = id === UNKNOWN_ID ? MISSING : 'No lo hemos encontrado.'
    const path = `/api/dogs/${id}`
    assertProblem(await call(server, path), 404, said)
    assertProblem(await call(server, path, { method: 'PATCH', json: {}, cookie }), 404, said)
    assertProblem(await call(server, path, { method: 'DELETE', cookie }), 404, said)
    assertProblem(await call(server, `${path}/images`, { method: 'PUT', form: form(), cookie }), 404, said)
    const json = { ownershipType: 'owner', token: 'x' }
    assertProblem(await call(server, `${path}/association`, { method: 'POST', json, cookie }), 404, said)
  }
  assertProblem(await call(server, '/api/dogs/a/b/c'), 404, 'No existe esta dirección de la API.')
})

api('edits require a session and the owner or discoverer', async () => {
  const { dog } = await added({}, ana.cookie)
  const path = `/api/dogs/${dog.id}`
  const calls = (cookie?: string) => [
    call(server, path, { method: 'PATCH', json: { weight: 'not even valid' }, cookie }),
    call(server, path, { method: 'DELETE', cookie }),
    call(server, `${path}/images`, { method: 'PUT', form: formOf({ images: otherJpeg }), cookie }),
  ]
  for (const answer of await Promise.all(calls())) assertProblem(answer, 401, 'Error: Usuario no autenticado')
  for (const answer of await Promise.all(calls('perrario=caducada')))
    assertProblem(answer, 401, 'Error: Usuario no autenticado')
  for (const answer of await Promise.all(calls(luis.cookie)))
    assertProblem(answer, 403, 'Solo su dueño o su descubridor puede editar este perro.')
  assert.equal((await call(server, path)).body.dog, dog)
})

api('PATCH changes any subset, and the address follows name and breed', async () => {
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
  assertProblem(await patch({ age: 3.5, zone: '#' }), 422, 'Edad debe ser un número entero positivo.', {
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
  assertProblem(await raw('{', 'application/json'), 422, 'El cuerpo no es JSON válido.')
  assertProblem(await raw('name=x', 'application/x-www-form-urlencoded'), 415, 'Se esperaba application/json.')
  assertProblem(
    await raw(JSON.stringify({ description: 'x'.repeat(70_000) }), 'application/json'),
    413,
    'La petición es demasiado grande.',
  )
})

api('DELETE removes the dog and its files: 204, then 404', async () => {
  const { dog } = await added({ images: [jpeg, otherJpeg] }, ana.cookie)
  const own = () => photos().filter((name) => name.startsWith(dog.id))
  assert.is(own().length, 2)
  const answer = await call(server, `/api/dogs/${dog.id}`, { method: 'DELETE', cookie: ana.cookie })
  assert.equal(contentOf(answer), [204, undefined])
  assert.is(own().length, 0)
  assertProblem(await call(server, `/api/dogs/${dog.id}`), 404, MISSING)
})

api('PUT images replaces the ordered gallery', async () => {
  const { dog } = await added({ images: [jpeg, otherJpeg] }, ana.cookie)
  const [a, b] = dog.images.map((i: { url: string }) => i.url)
  const put = (images: (string | Blob)[]) =>
    call(server, `/api/dogs/${dog.id}/images`, { method: 'PUT', form: formOf({ images }), cookie: ana.cookie })
  const after = (await put([b, jpeg, fakeJpeg])).body
  assert.equal([after.dog.images.length, after.dog.photo_url, after.dog.images[0].url], [2, b, b])
  assert.is(after.skipped[0].index, 2)
  assert.not(photos().some((name) => a.endsWith(name)))

  const GONE = 'Una de las fotos ya no es de este perro. Vuelve a abrir el formulario.'
  const PHOTO = 'Por favor, sube al menos una imagen del perro.'
  const before = photos()
  assertProblem(await put([a]), 422, GONE, { images: GONE })
  assertProblem(await put([b, '../../perrario.db']), 422, GONE)
  assertProblem(await put([b, b]), 422, 'Hay una foto repetida.')
  assertProblem(await put([]), 422, PHOTO, { images: PHOTO })
  assertProblem(await put(Array.from({ length: 11 }, () => jpeg)), 422, 'Puedes subir hasta 10 fotos.')
  assertProblem(
    await put([fakeJpeg]),
    422,
    'El archivo no es una foto que podamos leer. Usa una imagen JPEG, PNG, WebP, AVIF o GIF.',
  )
  assert.equal(photos(), before)
  assert.equal((await call(server, `/api/dogs/${dog.id}`)).body.dog, after.dog)
})

api('POST association claims the dog by its token, once', async () => {
  const { dog, association } = await added()
  const claim = (json: unknown, cookie?: string) =>
    call(server, `/api/dogs/${dog.id}/association`, { method: 'POST', json, cookie })
  const proof = { ownershipType: 'discoverer', token: association.token }
  assertProblem(await claim(proof), 401, 'Inicia sesión para continuar.')
  assertProblem(
    await claim({ ...proof, token: 'otra' }, ana.cookie),
    403,
    'Solo quien añadió este perro puede asociarlo a su cuenta.',
  )
  assertProblem(
    await claim({ ...proof, ownershipType: 'vecino' }, ana.cookie),
    422,
    'Elige si eres su dueño o su descubridor.',
  )
  assertProblem(await claim({ ownershipType: 'owner' }, ana.cookie), 422, 'Falta la prueba de que añadiste este perro.')
  const mine = (await claim(proof, ana.cookie)).body.dog
  assert.equal([mine.discoverer_id, mine.owner_id, mine.user_id], [ana.id, null, ana.id])
  assertProblem(await claim(proof, ana.cookie), 409, 'Este perro ya está asociado a una cuenta.')
  assertProblem(await claim(proof, luis.cookie), 409, 'Este perro ya está asociado a una cuenta.')
})

api.after(() => server.dispose())
