import { breedBySlug, breedNames } from '#features/breeds/catalogue.server.ts'
import { addDays, riddleDay } from '#features/riddle/riddle.ts'
import { call } from '#tests/support/api.ts'
import { lastMailTo } from '#tests/support/outbox.ts'
import { signIn } from '#tests/support/seed.ts'
import type { TestServer } from '#tests/support/server.ts'
import { answered, assert, assertMatches, detailOf, redirectOf, rowOf, serverSuite } from '#tests/support/suites.ts'

const riddle = serverSuite<{ today: string }>('api/riddle/riddle')
riddle.before((t) => {
  t.today = riddleDay(Date.now())
})

/** The answer of a day, which only the database says, and six other breeds. */
async function readAnswer(server: TestServer, day: string) {
  await call(server, `/reto/${day}`)
  const { breed_slug: slug } = await rowOf(server.db, 'riddles', { day })
  const name = breedBySlug(slug)!.nombre_castellano
  const wrong = breedNames.filter((breed) => breed.slug !== slug && !breed.slug.includes(slug)).slice(30, 37)
  return { slug, name, wrong: wrong.map((breed) => breed.name) }
}

/** What a page says besides the list of all breeds, which is the same on every page. */
const withoutNames = (html: string) => html.replace(/<datalist[^]*?<\/datalist>/g, '')

function assertSilent(text: string, { slug, name }: { slug: string; name: string }, where: string): void {
  const said = withoutNames(text).toLowerCase()
  assert.not.ok(said.includes(`/${slug}`) || said.includes(`"${slug}`), `${where} says ${slug}`)
  assert.not.ok(said.includes(name.toLowerCase()), `${where} says ${name}`)
}

const postForm = (server: TestServer, day: string, breed: string, cookie = '') =>
  call(server, `/api/reto/${day}/guesses`, { method: 'POST', fields: { breed }, cookie })
const postJson = (server: TestServer, day: string, breed: unknown, cookie?: string) =>
  call(server, `/api/reto/${day}/guesses`, { method: 'POST', json: { breed }, cookie })
const cookieOf = ({ headers }: { headers: Headers }): string => headers.getSetCookie()[0]?.split(';')[0] ?? ''

/** The addresses of the riddle's pictures on a page. */
const picturesOf = (html: string): string[] => [...html.matchAll(/src="(\/reto\/[^"]+\.png)"/g)].map(([, src]) => src!)

riddle('a visitor plays without script, and no answer says the breed before the end', async ({ server, today }) => {
  const answer = await readAnswer(server, today)
  const fresh = await answered(200, call(server, '/reto'))
  assert.match(fresh.body, new RegExp(`<form[^>]*method="post"[^>]*action="/api/reto/${today}/guesses"`))
  assert.equal(fresh.headers.getSetCookie(), [])
  assert.is(picturesOf(fresh.body).length, 1)
  assert.is(/<datalist[^]*?<\/datalist>/.exec(fresh.body)![0].match(/<option/g)!.length, breedNames.length)

  let cookie = ''
  for (const [i, breed] of answer.wrong.slice(0, 5).entries()) {
    const posted = await postForm(server, today, breed, cookie)
    assert.equal(redirectOf(posted), [303, `/reto/${today}#jugada`])
    cookie = cookieOf(posted)
    for (const path of ['/reto', `/reto/${today}`]) {
      const page = await answered(200, call(server, path, { cookie }))
      assertSilent(page.body, answer, `${path} after ${i + 1}`)
      assertSilent(JSON.stringify([...page.headers, cookie]), answer, 'headers')
      assert.ok(withoutNames(page.body).includes(breed))
      assert.is(page.headers.get('cache-control'), 'private, no-cache')
      for (const src of picturesOf(page.body)) {
        assertSilent(src, answer, 'address')
        const picture = await call(server, src)
        assert.equal([picture.status, picture.headers.get('content-type')], [200, 'image/png'])
        assertSilent(picture.body, answer, src)
      }
    }
  }
  const before = await call(server, `/reto/${today}`, { cookie })
  assert.match(before.body, 'Te queda un intento')
  assert.is(picturesOf(before.body).length, 2)
  const won = await postForm(server, today, answer.name, cookie)
  cookie = cookieOf(won)
  const page = await call(server, '/reto', { cookie })
  assert.match(page.body, '¡La has encontrado!')
  assert.ok(page.body.includes(answer.name) && page.body.includes('🐾🐾🐾🐾🐾🦴 6/6'))
  assertMatches(page.body, 'data-share-text=', new RegExp(`data-share="/reto/${today}\\?resultado=6"`))
  const card = new RegExp(`<img[^>]*src="(/tarjetas/reto/${today}-6\\.jpg\\?v=[\\w-]{8})"[^>]*>`).exec(page.body)!
  assert.match(card[0], / alt="Reto n\.º \d+ de Perrario\. Acertada en 6 de 6 intentos"/)
  assert.ok(page.body.includes(`href="${card[1]}" download="reto-${today}-perrario.jpg"`))
  assertSilent(card[1]!, answer, 'the picture’s address')
  const seventh = await postForm(server, today, answer.wrong[6]!, cookie)
  assert.equal([seventh.headers.get('location'), cookieOf(seventh)], [`/reto/${today}?aviso=resuelto#jugada`, ''])
  assert.match(withoutNames((await call(server, '/reto')).body), 'Te quedan 6 intentos', 'others’ page is fresh')
})

riddle('pages without guesses are cached, pages with them are not', async ({ server, today }) => {
  const [first, second] = [await call(server, '/reto'), await call(server, '/reto')]
  assert.ok(first.headers.get('etag'))
  assert.is(first.headers.get('etag'), second.headers.get('etag'))
  const { wrong } = await readAnswer(server, today)
  const cookie = cookieOf(await postForm(server, today, wrong[0]!))
  const etag = first.headers.get('etag')!
  const own = await call(server, '/reto', { cookie, headers: { 'If-None-Match': etag } })
  assert.is(own.status, 200, 'a browser that has the fresh page gets its own')
})

riddle('the call answers with the game, and says the breed after the sixth guess alone', async ({ server, today }) => {
  const day = addDays(today, -1)
  const answer = await readAnswer(server, day)
  let cookie: string | undefined
  for (let i = 0; i < 6; i++) {
    const { body, headers } = await answered(200, postJson(server, day, answer.wrong[i], cookie))
    cookie = cookieOf({ headers })
    assert.is(body.guesses.length, i + 1)
    if (i < 5) {
      assertSilent(JSON.stringify(body), answer, `guess ${i + 1}`)
      assert.equal([body.state, body.answer, body.result, body.left], ['open', null, null, 5 - i])
    } else {
      assert.equal([body.state, body.answer.slug, body.result], ['lost', answer.slug, '🐾🐾🐾🐾🐾🐾 X/6'])
    }
  }
  const seventh = await postJson(server, day, answer.name, cookie)
  assert.equal(detailOf(seventh), [409, 'Este reto ya ha terminado: eran seis intentos.'])
  assert.is(cookieOf(seventh), '')
})

riddle('what is no guess is refused by a sentence, and nothing is written', async ({ server, today }) => {
  const day = addDays(today, -2)
  const { wrong } = await readAnswer(server, day)
  const refused = async (breed: unknown, where = day, cookie?: string) => {
    const { status, body, headers } = await postJson(server, where, breed, cookie)
    assert.equal(headers.getSetCookie(), [])
    return [status, body.detail]
  }
  const unknown = [422, 'No conocemos esa raza. Elige una de la lista.']
  for (const breed of ['un gato', 'x'.repeat(500), '../../', '🐾']) assert.equal(await refused(breed), unknown)
  for (const breed of ['', '  ', null, 7]) assert.equal(await refused(breed), [422, 'Escribe una raza.'])
  assert.equal(await refused('Beagle', addDays(today, 1)), [404, 'Ese reto aún no ha salido. Vuelve ese día.'])
  assert.equal(await refused('Beagle', '2026-02-31'), [404, 'No hay ningún reto de ese día.'])
  const cookie = cookieOf(await postJson(server, day, wrong[0]))
  assert.equal(await refused(wrong[0], day, cookie), [409, 'Esa raza ya la has probado. Prueba con otra.'])
  const forms = { gato: 'raza', '': 'vacio' }
  for (const [breed, notice] of Object.entries(forms)) {
    assert.equal(redirectOf(await postForm(server, day, breed)), [303, `/reto/${day}?aviso=${notice}#jugada`])
  }
  assert.match((await call(server, `/reto/${day}?aviso=raza`)).body, 'No conocemos esa raza. Elige una de la lista.')
  assert.not.match((await call(server, `/reto/${day}`)).body, 'No conocemos esa raza')
  for (const path of [`/reto/${addDays(today, 1)}`, '/reto/2020-01-01', '/reto/ayer'])
    assert.is((await call(server, path)).status, 404, path)
})

riddle('a tampered cookie is a game that was not played', async ({ server, today }) => {
  const day = addDays(today, -3)
  const answer = await readAnswer(server, day)
  const [name = '', value = ''] = cookieOf(await postJson(server, day, answer.wrong[0])).split('=')
  const [code, numbers, signature] = value.split('.')
  for (const forged of [
    '',
    'x',
    `${code}.${numbers}-1-2-3-4-5.${signature}`,
    value.slice(0, -2),
    '%',
    'a'.repeat(3000),
  ]) {
    const page = await call(server, `/reto/${day}`, { cookie: `${name}=${forged}` })
    assert.is(page.status, 200, forged)
    assert.match(page.body, 'Te quedan 6 intentos', forged)
    assertSilent(page.body, answer, forged)
  }
})

riddle('a picture has the address that its player was told, and no other', async ({ server, today }) => {
  const day = addDays(today, -4)
  const { slug } = await readAnswer(server, day)
  const [src] = picturesOf((await call(server, `/reto/${day}`)).body)
  assert.is((await call(server, src!)).status, 200)
  const other = addDays(today, -5)
  await readAnswer(server, other)
  for (const path of [
    src!.replace(day, other),
    `/reto/${day}/${slug}.png`,
    `/reto/${day}/silhouette.png`,
    `/reto/${addDays(today, 1)}/${src!.split('/').at(-1)}`,
  ])
    assert.is((await call(server, path)).status, 404, path)
})

riddle('a member’s guesses go with the account', async ({ server, today }) => {
  const day = addDays(today, -6)
  const answer = await readAnswer(server, day)
  const ana = await signIn(server, 'ana@ejemplo.es')
  const eva = await signIn(server, 'eva@ejemplo.es')
  const first = await postJson(server, day, answer.wrong[0], ana.cookie)
  assert.equal([first.status, first.headers.getSetCookie()], [200, []])
  const page = await call(server, `/reto/${day}`, { cookie: ana.cookie })
  assertSilent(page.body, answer, 'the member’s page')
  assert.match(page.body, 'Te quedan 5 intentos')
  await postForm(server, day, answer.name, ana.cookie)
  const won = await call(server, `/reto/${day}`, { cookie: ana.cookie })
  assertMatches(won.body, '🐾🦴 2/6', 'Se guardan con tu cuenta.')
  assert.match((await call(server, `/reto/${day}`, { cookie: eva.cookie })).body, 'Te quedan 6 intentos')
  assert.match((await call(server, `/reto/${day}`)).body, 'Te quedan 6 intentos')
  assert.is((await postJson(server, day, answer.name, 'perrario=nadie')).status, 401)
})

riddle('a shared link has a picture of the result, and says no breed to whoever has not played', async (t) => {
  const { server, today } = t
  const answer = await readAnswer(server, today)
  const shared = await call(server, `/reto/${today}?resultado=3`)
  assertSilent(shared.body, answer, 'the shared page')
  assert.match(withoutNames(shared.body), 'Te quedan 6 intentos')
  const etags = await Promise.all(
    ['', '?resultado=3', '?resultado=x'].map(async (query) =>
      (await call(server, `/reto/${today}${query}`)).headers.get('etag'),
    ),
  )
  assert.ok(etags.every(Boolean), 'each is cached')
  assert.is((await call(server, `/reto/${today}?resultado=7`)).headers.get('etag'), null, 'what is no result is not')
  for (const result of ['1', '6', 'x']) {
    const { status, headers } = await call(server, `/tarjetas/reto/${today}-${result}.jpg`)
    assert.equal([status, headers.get('content-type')], [200, 'image/jpeg'], result)
  }
  for (const name of [`${today}-7`, `${today}-0`, today, `${addDays(today, 1)}-1`, '2020-01-01-1', `${today}-1-1`])
    assert.is((await call(server, `/tarjetas/reto/${name}.jpg`)).status, 404, name)
})

riddle('what a visitor played goes with the account that they sign in to', async ({ server, today }) => {
  const [day, own] = [addDays(today, -7), addDays(today, -8)]
  const { name, wrong } = await readAnswer(server, day)
  const { wrong: others } = await readAnswer(server, own)
  await postJson(server, own, others[0], (await signIn(server, 'eli@ejemplo.es')).cookie)
  let cookie = cookieOf(await postJson(server, day, wrong[0]))
  cookie = cookieOf(await postJson(server, day, name, cookie))
  cookie = cookieOf(await postJson(server, own, others[1], cookie))
  await call(server, '/api/auth/magic-link', { method: 'POST', json: { email: 'eli@ejemplo.es' } })
  const { code } = lastMailTo(server.dataDir, 'eli@ejemplo.es')
  const json = { email: 'eli@ejemplo.es', code }
  const wrongCode = { ...json, code: code === '000000' ? '000001' : '000000' }
  const refused = await call(server, '/api/auth/code', { method: 'POST', json: wrongCode, cookie })
  assert.equal([refused.status, refused.headers.getSetCookie()], [422, []], 'a failed sign-in takes nothing')
  const opened = await answered(200, call(server, '/api/auth/code', { method: 'POST', json, cookie }))
  const set = opened.headers.getSetCookie()
  assert.match(set.find((each) => each.startsWith('perrario-reto=')) ?? '', /^perrario-reto=[^;]*;.*(Max-Age=0|1970)/i)
  const session = set.find((each) => each.startsWith('perrario='))!.split(';')[0]!
  assert.match((await call(server, `/reto/${day}`, { cookie: session })).body, '🐾🦴 2/6')
  const kept = withoutNames((await call(server, `/reto/${own}`, { cookie: session })).body)
  assert.ok(kept.includes(others[0]!) && !kept.includes(others[1]!), 'their own game is as it was')
  assert.match(kept, 'Te quedan 5 intentos')
})

riddle('the guide and the community lead to it', async ({ server }) => {
  for (const path of ['/razas/guia', '/comunidad']) assert.match((await call(server, path)).body, 'href="/reto"', path)
})
