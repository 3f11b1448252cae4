import { type Answer, call } from '#tests/support/api.ts'
import { dog, seed, signIn } from '#tests/support/seed.ts'
import { answered, assert, assertProblem, contentOf, startServer, suite, UNKNOWN_ID } from '#tests/support/suites.ts'

const server = await startServer()
const ana = await signIn(server, 'ana@ejemplo.es')
const luis = await signIn(server, 'luis@ejemplo.es')
const MISSING = 'El perro que buscas no existe o ha sido eliminado.'
const HTML = '<img src=x onerror="alert(1)"><script>alert(2)</script> & <b>hola</b>'

const newDog = async () => (await seed(server.db, dog({ owner_id: null })))[0]
const post = (dogId: string, content: unknown, cookie: string | undefined = ana.cookie, headers = {}) =>
  call(server, `/api/dogs/${dogId}/comments`, { method: 'POST', json: { content }, cookie, headers })
const list = (dogId: string, query = '') => call(server, `/api/dogs/${dogId}/comments${query}`)
const remove = (id: string, cookie?: string, headers = {}) =>
  call(server, `/api/comments/${id}`, { method: 'DELETE', cookie, headers })

const api = suite('api/dogs/comments')

api('POST answers 201 with the comment, and GET returns it to everybody', async () => {
  const { id } = await newDog()
  const { body } = await answered(201, post(id, '  ¡Qué mirada!\n¿Por dónde pasea?  '))
  const { comment } = body
  assert.match(comment.id, /^[0-9a-f-]{36}$/)
  assert.match(comment.alias, /^Perrit\d+$/)
  assert.type(comment.created_at, 'number')
  assert.equal([comment.user_id, comment.content], [ana.id, '¡Qué mirada!\n¿Por dónde pasea?'])
  assert.equal((await list(id)).body, { comments: [comment], nextCursor: null })
  assert.is((await call(server, `/api/dogs/${id}`)).body.dog.comments, 1)
})

api('what was typed on one member’s page is stored as nobody else’s', async () => {
  const { id } = await newDog()
  const sendAs = (member: string) =>
    call(server, `/api/dogs/${id}/comments`, { method: 'POST', json: { content: 'Hola', member }, cookie: ana.cookie })
  assertProblem(await sendAs(luis.id), 401, 'Tu sesión ha terminado. Inicia sesión para continuar.')
  assert.is((await sendAs(ana.id)).status, 201)
  assert.equal((await list(id)).body.comments.length, 1)
})

api('pasted HTML is stored as text, and the page shows it as text', async () => {
  const { id, path } = await newDog()
  assert.is((await post(id, HTML)).body.comment.content, HTML)
  assert.is((await list(id)).body.comments[0].content, HTML)
  const page = (await call(server, path)).body as string
  assert.not.match(page, /<img src=x|<script>alert\(2\)|<b>hola/)
  assert.match(page, '&lt;b&gt;hola&lt;/b&gt;')
})

api('300 emoji are accepted; 301 and an empty text are refused', async () => {
  const { id } = await newDog()
  const LONG = 'El comentario no puede tener más de 300 caracteres.'
  assert.is((await post(id, '👨‍👩‍👧‍👦'.repeat(300))).status, 201)
  assertProblem(await post(id, '👨‍👩‍👧‍👦'.repeat(301)), 422, LONG, { content: LONG })
  for (const nothing of ['', ' \n\t ', '\u200b', '\u0000', null, 7, undefined, ['a']])
    assertProblem(await post(id, nothing), 422, 'Escribe un comentario.', { content: 'Escribe un comentario.' })
  assertProblem(
    await post(id, `a${'\u0301'.repeat(9000)}`),
    422,
    'El comentario ocupa demasiado: usa menos emojis o signos.',
  )
  assertProblem(await post(id, 'a'.repeat(70_000)), 413, 'La petición es demasiado grande.')
  assert.is((await list(id)).body.comments.length, 1)
})

api('other bodies are refused', async () => {
  const { id } = await newDog()
  const raw = (body: string, type: string) =>
    call(server, `/api/dogs/${id}/comments`, {
      method: 'POST',
      body,
      cookie: ana.cookie,
      headers: { 'Content-Type': type },
    })
  assertProblem(await raw('{', 'application/json'), 422, 'El cuerpo no es JSON válido.')
  assertProblem(await raw('content=hola', 'application/x-www-form-urlencoded'), 415, 'Se esperaba application/json.')
  assert.is((await raw('[]', 'application/json')).status, 422)
})

api('writing and deleting require a session', async () => {
  const { id } = await newDog()
  const { comment } = (await post(id, 'Hola')).body
  for (const cookie of ['', 'perrario=caducada']) {
    assertProblem(await post(id, 'Hola', cookie), 401, 'Inicia sesión para continuar.')
    assertProblem(await remove(comment.id, cookie), 401, 'Inicia sesión para continuar.')
  }
  assert.is((await list(id)).body.comments.length, 1)
})

api('only its author deletes a comment, once', async () => {
  const { id } = await newDog()
  const { comment } = (await post(id, 'Mío')).body
  assertProblem(await remove(comment.id, luis.cookie), 403, 'Solo puedes eliminar tus propios comentarios.')
  assert.is((await list(id)).body.comments.length, 1)
  assert.equal(contentOf(await remove(comment.id, ana.cookie)), [204, undefined])
  assertProblem(await remove(comment.id, ana.cookie), 404, 'Este comentario ya no existe.')
  assert.equal((await list(id)).body.comments, [])
})

api('another site cannot write or delete', async () => {
  const { id } = await newDog()
  const { comment } = (await post(id, 'Hola')).body
  const headers = { Origin: 'https://malo.example' }
  assertProblem(await post(id, 'Compra', ana.cookie, headers), 403, 'La petición viene de otro sitio.')
  assertProblem(await remove(comment.id, ana.cookie, headers), 403, 'La petición viene de otro sitio.')
  assert.equal((await list(id)).body.comments, [comment])
})

api('unknown dogs and comments are 404', async () => {
  for (const id of [UNKNOWN_ID, 'abc', `${UNKNOWN_ID}x`]) {
    const said = id === UNKNOWN_ID ? MISSING : 'No lo hemos encontrado.'
    assertProblem(await list(id), 404, said)
    assertProblem(await post(id, 'Hola'), 404, said)
    const gone = id === UNKNOWN_ID ? 'Este comentario ya no existe.' : 'No lo hemos encontrado.'
    assertProblem(await remove(id, ana.cookie), 404, gone)
  }
})

api('GET pages newest first and refuses invalid parameters', async () => {
  const { id } = await newDog()
  for (const content of ['uno', 'dos', 'tres']) {
    await post(id, content)
    // One a millisecond, so that the order is known.
    await new Promise((done) => setTimeout(done, 2))
  }
  const said = (answer: Answer) => answer.body.comments.map((c: { content: string }) => c.content)
  const first = await list(id, '?limit=2')
  assert.equal(said(first), ['tres', 'dos'])
  const second = await list(id, `?limit=2&cursor=${first.body.nextCursor}`)
  assert.equal(said(second), ['uno'])
  assert.is(second.body.nextCursor, null)
  assert.is((await list(id, '?limit=100&cursor=')).body.comments.length, 3)
  for (const limit of ['0', '101', 'abc', '-1', '1e1'])
    assertProblem(await list(id, `?limit=${limit}`), 422, 'El límite debe estar entre 1 y 100.')
  assertProblem(await list(id, '?cursor=abc'), 422, 'La página pedida no existe.')
})

api('a member who writes without pause is limited with Retry-After', async () => {
  const { id } = await newDog()
  const eva = await signIn(server, 'eva@ejemplo.es')
  for (let i = 0; i < 20; i++) assert.is((await post(id, ' ', eva.cookie)).status, 422)
  for (let i = 0; i < 10; i++) assert.is((await post(id, 'Hola', eva.cookie)).status, 201)
  const answer = await post(id, 'Hola', eva.cookie)
  assertProblem(answer, 429, 'Vas muy deprisa: espera un momento antes de escribir otro comentario.')
  assert.ok(Number(answer.headers.get('retry-after')) > 0)
  assert.is((await post(id, 'Hola', luis.cookie)).status, 201)
})

api.after(() => server.dispose())
