import { commentProblem, tidyComment } from '#features/comments/comments.ts'
import { addComment, deleteComment, listComments } from '#features/comments/comments.server.ts'
import { getDog } from '#features/dogs/dog.server.ts'
import { explainQueries, findSlowSteps } from '#tests/support/query-plans.ts'
import { UNKNOWN_ID } from '#tests/support/unknown-id.ts'
import { allPages, assert, dbSuite, dog, member, onlyOnSqlite, refusal, seed } from '#tests/support/suites.ts'

const comments = dbSuite('unit/comments/comment-rules')

// Text -----------------------------------------------------------------------------------------------------------------

comments('a comment is stored as typed, without surrounding space and invisible characters', () => {
  assert.is(tidyComment('  <b>Hola</b> & "adiós"\r\n\r\nToby \n'), '<b>Hola</b> & "adiós"\n\nToby')
  assert.is(tidyComment('a\u0000b\u001b[31mc\u007f\u0085d\te'), 'ab[31mcd\te')
  assert.is(tidyComment('\u202Eatse al\u202C'), 'atse al')
  assert.is(tidyComment('\ud83d solo'), '\ufffd solo')
  assert.is(tidyComment('👨‍👩‍👧 ❤️'), '👨‍👩‍👧 ❤️')
})

comments('a comment of blanks or invisible marks only is refused', () => {
  for (const text of ['', '\u200b\u200d', '\ufe0f', '\u3164', '\u2800\u00ad'])
    assert.is(commentProblem(text), 'Escribe un comentario.', JSON.stringify(text))
  for (const text of ['.', '🐶', '¿?', '👨‍👩‍👧']) assert.is(commentProblem(text), null)
})

comments('a comment has up to 300 characters, counted as graphemes', () => {
  const LONG = 'El comentario no puede tener más de 300 caracteres.'
  for (const one of ['a', 'ñ', '🐶', '👨‍👩‍👧', '👩🏽', '👨‍👩‍👧‍👦', '🇪🇸', 'e\u0301']) {
    assert.is(commentProblem(one.repeat(300)), null, one)
    assert.is(commentProblem(one.repeat(301)), LONG, one)
  }
  // However few they are, those that weigh as much as three hundred of the heaviest emoji are too much.
  for (const marks of [4096, 9000])
    assert.is(commentProblem(`a${'\u0301'.repeat(marks)}`), 'El comentario ocupa demasiado: usa menos emojis o signos.')
})

// Deeds ----------------------------------------------------------------------------------------------------------------

comments('a comment shows its author’s alias and emoji', async ({ db }) => {
  const [ana, toby] = await seed(db, member({ alias: 'Ana', emoji: '🦊' }), dog())
  const made = await addComment(db, ana, toby.id, ' ¡Qué guapo! ', 5)
  assert.match(made.id, /^[0-9a-f-]{36}$/)
  const shown = { user_id: ana.id, dog_id: toby.id, content: '¡Qué guapo!', created_at: 5, alias: 'Ana', emoji: '🦊' }
  assert.equal(made, { id: made.id, ...shown })
  assert.equal(await listComments(db, toby.id), { comments: [made], nextCursor: null })
  assert.is((await getDog(db, toby.id)).comments, 1)
})

comments('an author without a profile is «Usuario» with a dog', async ({ db }) => {
  const [, toby] = await seed(db, member(), dog())
  await db.insertInto('users').values({ id: 'u', email: 'u@ejemplo.es', created_at: 1 }).execute()
  const { alias, emoji } = await addComment(db, { id: 'u' }, toby.id, 'Hola')
  assert.equal([alias, emoji], ['Usuario', '🐶'])
})

comments('only members comment, on existing dogs, with some text', async ({ db }) => {
  const [ana, toby] = await seed(db, member(), dog())
  assert.equal(await refusal(addComment(db, null, toby.id, 'Hola')), [401, 'Inicia sesión para continuar.'])
  const MISSING = 'El perro que buscas no existe o ha sido eliminado.'
  assert.equal(await refusal(addComment(db, ana, UNKNOWN_ID, 'Hola')), [404, MISSING])
  assert.equal(await refusal(listComments(db, UNKNOWN_ID)), [404, MISSING])
  assert.equal(await refusal(addComment(db, ana, toby.id, ' \n ')), [422, 'Escribe un comentario.'])
  assert.equal((await listComments(db, toby.id)).comments, [])
})

comments('a comment is deleted by its author alone', async ({ db }) => {
  const [ana, toby, luis] = await seed(db, member(), dog(), member())
  const { id } = await addComment(db, luis, toby.id, 'Mío')
  assert.equal(await refusal(deleteComment(db, ana, id)), [403, 'Solo puedes eliminar tus propios comentarios.'])
  assert.equal(await refusal(deleteComment(db, null, id)), [401, 'Inicia sesión para continuar.'])
  assert.is((await getDog(db, toby.id)).comments, 1)
  await deleteComment(db, luis, id)
  assert.equal(await refusal(deleteComment(db, luis, id)), [404, 'Este comentario ya no existe.'])
  assert.is((await getDog(db, toby.id)).comments, 0)
})

comments(
  'comments come newest first, page after page, each once, even those of the same millisecond',
  async ({ db }) => {
    const [ana, toby, other] = await seed(db, member(), dog(), dog())
    await addComment(db, ana, other.id, 'De otro')
    for (let i = 0; i < 7; i++) await addComment(db, ana, toby.id, `${i}`, i < 3 ? 1 : i)
    const seen = (await allPages((cursor) => listComments(db, toby.id, { cursor, limit: 2 }))).flatMap((page) =>
      page.comments.map((c) => c.content),
    )
    assert.equal(seen.slice(0, 4), ['6', '5', '4', '3'])
    assert.equal(seen.slice(4).toSorted(), ['0', '1', '2'])
    assert.equal(await refusal(listComments(db, toby.id, { cursor: 'x' })), [422, 'La página pedida no existe.'])
  },
)

comments('a page ends early where its comments are large, and the next continues from there', async ({ db }) => {
  const [ana, toby] = await seed(db, member(), dog())
  const families = '👩‍❤️‍💋‍👩'.repeat(290)
  assert.is(commentProblem(families), null)
  for (let i = 0; i < 30; i++) await addComment(db, ana, toby.id, `${i} ${families}`, i)
  const seen: string[] = []
  const bytesOfPages: number[] = []
  let cursor: string | undefined
  do {
    const page = await listComments(db, toby.id, { cursor, limit: 100 })
    bytesOfPages.push(page.comments.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0))
    seen.push(...page.comments.map(({ content }) => content.split(' ')[0]!))
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  assert.equal(
    seen,
    Array.from({ length: 30 }, (_, i) => `${29 - i}`),
  )
  assert.ok(Math.max(...bytesOfPages) <= 64 * 1024, `${bytesOfPages}`)
  assert.ok(bytesOfPages.length < 6, 'pages are filled')
})

onlyOnSqlite(comments)('every query reads an index', async ({ db }) => {
  const [ana, toby] = await seed(db, member(), dog())
  const made = await explainQueries(db, async (db) => {
    for (let i = 0; i < 4; i++) await addComment(db, ana, toby.id, `${i}`, i)
    const { nextCursor } = await listComments(db, toby.id, { limit: 2 })
    const { comments } = await listComments(db, toby.id, { limit: 2, cursor: nextCursor! })
    await deleteComment(db, ana, comments[0]!.id)
  })
  assert.ok(made.length > 10)
  assert.equal(findSlowSteps(made), [])
})
