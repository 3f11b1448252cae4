import { assert, call, dog, redirectOf, seed, serverSuite, signIn, type TestServer } from '#tests/support/suites.ts'

const intents = serverSuite<{ toby: { id: string; path: string } }>('api/account/intent')
intents.before.each(async (t) => {
  ;[t.toby] = await seed(t.server.db, dog({ name: 'Toby' }))
})

const post = (server: TestServer, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  call(server, '/api/auth/intent', { method: 'POST', fields, headers })
const cookieOf = ({ headers }: { headers: Headers }) => headers.getSetCookie()[0]?.split(';')[0]
/** What the profile says first, after a sign-in in the browser with that cookie. */
async function readLine(server: TestServer, email: string, cookie = ''): Promise<string> {
  const { cookie: session } = await signIn(server, email)
  const { body } = await call(server, '/perfil', { cookie: `${cookie}; ${session}` })
  const line = /<div class="profile-saved"[^>]*>([\s\S]*?)<\/div>/.exec(body)?.[1] ?? ''
  return line
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
const readDog = async (server: TestServer, { id }: { id: string }) => (await call(server, `/api/dogs/${id}`)).body.dog

intents('a like and a comment are done after the sign-in, and the first line leads back', async ({ server, toby }) => {
  const liked = await post(server, { act: 'like', id: toby.id })
  assert.equal(redirectOf(liked), [303, '/login'])
  assert.is((await readDog(server, toby)).likes, 0)
  assert.is(await readLine(server, 'me-gusta@ejemplo.es', cookieOf(liked)), 'Te gusta Toby. Volver a Toby')
  const commented = cookieOf(await post(server, { act: 'comment', id: toby.id, text: '¡Qué ojos <b>tiene</b>! 🐶' }))
  assert.is(
    await readLine(server, 'comenta@ejemplo.es', commented),
    'Tu comentario a Toby ya está publicado. Volver a Toby',
  )
  const { likes, comments } = await readDog(server, toby)
  assert.equal([likes, comments], [1, 1])
  const blank = cookieOf(await post(server, { act: 'comment', id: toby.id, text: ' ' }))
  assert.is(await readLine(server, 'aun-no@ejemplo.es', blank), 'Ya puedes comentar a Toby. Volver a Toby')
})

intents('all that was begun is done, once, in the order in which it was', async ({ server, toby }) => {
  const liked = cookieOf(await post(server, { act: 'like', id: toby.id }))!
  const followed = cookieOf(await post(server, { act: 'breed', id: 'beagle' }, { Cookie: liked }))!
  const commented = cookieOf(
    await post(server, { act: 'comment', id: toby.id, text: '🐶'.repeat(230) }, { Cookie: followed }),
  )!
  assert.match(
    (await call(server, '/login', { cookie: commented })).body,
    `Al entrar se publica tu comentario: «${'🐶'.repeat(230)}»`,
  )
  const { cookie } = await signIn(server, 'todo@ejemplo.es')
  await call(server, '/perfil', { method: 'HEAD', cookie: `${commented}; ${cookie}` })
  const pages = await Promise.all([1, 2, 3].map(() => call(server, '/perfil', { cookie: `${commented}; ${cookie}` })))
  const { likes, comments } = await readDog(server, toby)
  assert.equal([likes, comments], [1, 1])
  assert.is(pages.filter(({ body }) => body.includes('Tu comentario a Toby ya está publicado.')).length, 1)
})

intents('who signs out forgets what was begun on the browser', async ({ server, toby }) => {
  const kept = cookieOf(await post(server, { act: 'comment', id: toby.id, text: 'De otra persona' }))!
  const { cookie } = await signIn(server, 'se-va@ejemplo.es')
  const { headers } = await call(server, '/api/auth/sign-out', { method: 'POST', cookie: `${kept}; ${cookie}` })
  assert.match(headers.getSetCookie().join(), /perrario-entrada=(?:deleted)?;/)
})

intents('a dog that has gone is said plainly, with the text that was typed', async ({ server, toby }) => {
  const cookie = cookieOf(await post(server, { act: 'comment', id: toby.id, text: 'Guapo' }))
  await server.db.deleteFrom('dogs_all').where('id', '=', toby.id).execute()
  assert.is(
    await readLine(server, 'tarde@ejemplo.es', cookie),
    'El perro que buscas no existe o ha sido eliminado. Sin publicar: Guapo',
  )
})

intents('nothing is done in another browser, nor by what no form of this site sent', async ({ server, toby }) => {
  assert.is(await readLine(server, 'otro@ejemplo.es'), '')
  const foreign = await post(server, { act: 'like', id: toby.id }, { Origin: 'https://malo.example' })
  assert.equal([foreign.status, cookieOf(foreign)], [403, undefined])
  assert.is((await call(server, `/api/auth/intent?act=like&id=${toby.id}`)).status, 405)
  assert.is((await post(server, { act: 'borrar', id: toby.id })).status, 422)
  assert.is((await post(server, { act: 'comment', id: toby.id, text: '🐶'.repeat(500) })).status, 422)
  assert.is((await readDog(server, toby)).likes, 0)
})
