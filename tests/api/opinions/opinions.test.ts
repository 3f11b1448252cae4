import { startServer } from '#tests/support/server.ts'
import { answered, assert, call, dog, formOf, insert, member, seed, signIn, suite } from '#tests/support/suites.ts'

const server = await startServer()
const ana = await signIn(server, 'ana@ejemplo.es')
const people: { id: string; cookie: string }[] = []
for (const i of [1, 2, 3, 4, 5, 6]) people.push(await signIn(server, `persona${i}@ejemplo.es`))
const luis = people[0]!

const newDog = async () => (await seed(server.db, dog({ name: 'Toby', owner_id: ana.id })))[0]
const ask = (id: string, asked: unknown, cookie = ana.cookie) =>
  call(server, `/api/dogs/${id}/opinions/request`, { method: 'POST', json: { asked }, cookie })
const give = (id: string, json: unknown, cookie: string | undefined = luis.cookie) =>
  call(server, `/api/dogs/${id}/opinions`, { method: 'POST', json, cookie })
const send = (path: string, fields: Record<string, string>, cookie?: string) =>
  call(server, path, { method: 'POST', body: new URLSearchParams(fields), cookie })
const page = async (path: string, cookie?: string) => String((await call(server, path, { cookie })).body)
const newAskedDog = async () => {
  const toby = await newDog()
  assert.is((await ask(toby.id, true)).status, 204)
  return toby
}

const api = suite('api/opinions/opinions')

api('POST answers what all members think, and the visitors’ page shows it at once', async () => {
  const toby = await newAskedDog()
  assert.match(await page(toby.path), 'Todavía no ha opinado nadie.')
  for (const [i, { cookie }] of people.entries())
    await give(
      toby.id,
      { breed: i < 4 ? 'podenco-andaluz' : 'Galgo español', reason: i === 5 ? 'Por el lomo.' : '' },
      cookie,
    )
  const { body } = await answered(200, give(toby.id, { breed: 'Podenco andaluz', reason: 'Por las orejas.' }))
  assert.equal(body, {
    opinions: 6,
    breeds: [
      { slug: 'podenco-andaluz', name: 'Podenco andaluz', opinions: 4 },
      { slug: 'galgo-espanol', name: 'Galgo español', opinions: 2 },
    ],
  })
  const html = await page(toby.path)
  for (const text of [
    '4 de 6 dicen Podenco andaluz',
    '2 dicen Galgo español',
    'Por las orejas.',
    'Por el lomo.',
    /uno\s+de\s+cada\s+cuatro/,
  ])
    assert.match(html, text)
  assert.is(
    (await call(server, `/api/dogs/${toby.id}/opinions`, { method: 'DELETE', cookie: luis.cookie })).status,
    204,
  )
  assert.match(await page(toby.path), '3 de 5 dicen Podenco andaluz')
})

api('the dog stays as it is, and its owner alone is offered the breed', async () => {
  const toby = await newAskedDog()
  await give(toby.id, { breed: 'Podenco andaluz' })
  assert.is((await call(server, `/api/dogs/${toby.id}`)).body.dog.breed, 'Beagle')
  assert.match(await page(toby.path, ana.cookie), /data-breed="Podenco andaluz"[^>]*>\s*Poner Podenco andaluz/)
  for (const cookie of [undefined, luis.cookie]) {
    const html = await page(toby.path, cookie)
    assert.not.match(html, 'data-breed')
    assert.match(html, `href="/perro/${toby.id}/opiniones"`)
  }
})

api('a page of a dog that nobody asks about says nothing of opinions, but to who could ask', async () => {
  const toby = await newDog()
  assert.not.match(await page(toby.path), 'opiniones')
  assert.not.match(await page(toby.path, luis.cookie), 'id="opiniones"')
  assert.match(await page(toby.path, ana.cookie), '¿Dudas de su raza?')
})

api('the forms without script ask, answer, take back and close', async () => {
  const toby = await newDog()
  const request = `/api/dogs/${toby.id}/opinions/request`
  const opinions = `/api/dogs/${toby.id}/opinions`
  const path = `/perro/${toby.id}/opiniones`
  const led = async (answer: ReturnType<typeof send>) => {
    const { status, headers } = await answer
    return [status, headers.get('location')]
  }
  assert.equal(await led(send(request, { asked: 'true' }, ana.cookie)), [303, `${toby.path}#opiniones`])
  assert.equal(await led(send(request, { asked: 'true' }, luis.cookie)), [303, `${toby.path}?opiniones=403#opiniones`])
  assert.equal(await led(send(request, { asked: 'true' })), [303, '/login'])
  assert.match(await page(path), 'Entra en tu cuenta')
  assert.equal(await led(send(opinions, { breed: 'Boxer', reason: '<b>Morro</b>' }, luis.cookie)), [
    303,
    `${path}#opinion`,
  ])
  const own = await page(path, luis.cookie)
  for (const text of [/value="Bóxer"/, '&lt;b&gt;Morro&lt;/b&gt;', 'Cambiar mi opinión', 'Retirar'])
    assert.match(own, text)
  assert.equal(await led(send(opinions, { breed: 'Dragón' }, luis.cookie)), [303, `${path}?aviso=raza#opinion`])
  assert.match(await page(`${path}?aviso=raza`, luis.cookie), 'No conocemos esa raza. Elige una de la lista.')
  assert.equal(await led(send(opinions, { breed: 'Boxer', reason: 'Se vende' }, luis.cookie)), [
    303,
    `${path}?aviso=palabras#opinion`,
  ])
  assert.equal(await led(send(opinions, { breed: 'Boxer' }, ana.cookie)), [303, `${path}?aviso=tuyo#opinion`])
  assert.equal(await led(send(opinions, { withdraw: '1', breed: '' }, luis.cookie)), [303, `${path}#opinion`])
  assert.match(await page(path), 'Todavía sin opiniones')
  assert.equal(await led(send(request, { asked: 'false' }, ana.cookie)), [303, `${toby.path}#opiniones`])
  assert.match(await page(path), 'Sobre este perro no se piden opiniones ahora.')
  assert.equal(await led(send(opinions, { breed: 'Boxer' }, luis.cookie)), [303, `${path}?aviso=cerrado#opinion`])
})

api('bad input is refused with a sentence for its field', async () => {
  const toby = await newAskedDog()
  const long = 'El motivo no puede tener más de 200 caracteres.'
  for (const [json, field, sentence] of [
    [{}, 'breed', 'Escribe una raza.'],
    [{ breed: 7 }, 'breed', 'Escribe una raza.'],
    [{ breed: ' ' }, 'breed', 'Escribe una raza.'],
    [{ breed: 'x'.repeat(121) }, 'breed', 'No conocemos esa raza. Elige una de la lista.'],
    [{ breed: 'Beagle', reason: 'a'.repeat(201) }, 'reason', long],
    [{ breed: 'Beagle', reason: 7 }, 'reason', 'El motivo ocupa demasiado: usa menos emojis o signos.'],
  ] as const) {
    const { status, body } = await give(toby.id, json)
    assert.equal([status, body.errors], [422, { [field]: sentence }])
  }
  assert.is((await ask(toby.id, 'quizá')).status, 422)
  assert.is((await give('nadie', { breed: 'Beagle' })).status, 404)
  assert.is(
    (
      await call(server, `/api/dogs/${toby.id}/opinions`, {
        method: 'POST',
        body: formOf({}),
        cookie: luis.cookie,
      })
    ).status,
    303,
  )
  assert.not.match(await page(toby.path), 'Beagle</b>')
})

api('«Ver más» leads through all opinions; a made up cursor to their beginning', async () => {
  const toby = await newAskedDog()
  for (let i = 0; i < 25; i++) {
    const [{ id }] = await seed(server.db, member())
    await insert(server.db, 'breed_opinions_all', {
      id,
      dog_id: toby.id,
      user_id: id,
      breed_slug: 'beagle',
      reason: `Motivo ${i}.`,
      created_at: i,
    })
  }
  const first = await page(`/perro/${toby.id}/opiniones`)
  const second = await page(/href="([^"]*cursor=[^"]*)"/.exec(first)![1]!.replaceAll('&amp;', '&'))
  const reasons = (html: string) => [...html.matchAll(/Motivo (\d+)\./g)].map(([, i]) => Number(i))
  assert.equal(
    [...reasons(first), ...reasons(second)],
    Array.from({ length: 25 }, (_, i) => 24 - i),
  )
  assert.not.match(second, 'cursor=')
  const { status, headers } = await call(server, `/perro/${toby.id}/opiniones?cursor=x`)
  assert.equal([status, headers.get('location')], [302, `/perro/${toby.id}/opiniones`])
})

api.after(() => server.dispose())
