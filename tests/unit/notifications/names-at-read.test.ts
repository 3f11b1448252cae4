import { replaceStoredNames } from '#db/migrations/2026-11-23-0340-names-at-read.ts'
import { addComment } from '#features/comments/comments.server.ts'
import { updateDog } from '#features/dogs/write/edit.server.ts'
import { like } from '#features/likes/likes.server.ts'
import { bellTexts } from '#tests/support/notifications/bell.ts'
import { eventsAfter } from '#tests/support/live/events-after.ts'
import { listNotifications } from '#features/notifications/notifications.server.ts'
import { updateProfile } from '#features/profiles/edit/profile-edit.server.ts'
import { explainQueries, findSlowSteps } from '#tests/support/query-plans.ts'
import { withPlainTable } from '#tests/support/plain-tables.ts'
import { assert, assertNone, type Db, dbSuite, dog, member, onlyOnSqlite, seed } from '#tests/support/suites.ts'

// Bells and the stream's history store no names: a rename would have to rewrite as many rows as others piled up.

const names = dbSuite('unit/notifications/names-at-read', {
  ana: member({ alias: 'Ana' }),
  toby: dog({ name: 'Toby' }),
  luis: member({ alias: 'Luis', emoji: '🦊' }),
  eva: member({ alias: 'Eva' }),
})

const shown = (db: Db, id: string) => bellTexts(db, { id })

names('no stored notification or its event contains a name', async ({ db, toby, luis, eva }) => {
  await like(db, luis, toby.id)
  await like(db, eva, toby.id)
  await addComment(db, luis, toby.id, 'Hola')
  const lines = await db.selectFrom('notifications_all').select('content').execute()
  const events = await db.selectFrom('events').select('data').execute()
  const stored = JSON.stringify([lines, events])
  assert.ok(lines.length === 2 && events.length >= 4 && stored.includes('Hola'))
  for (const name of ['Luis', 'Eva', 'Toby', '🦊']) assert.not.ok(stored.includes(name), name)
})

names('a notification and its event have the same text, with the present names', async ({ db, ana, toby, luis }) => {
  await addComment(db, luis, toby.id, 'Hola, Toby')
  await updateProfile(db, luis, { alias: 'Lucas', emoji: '🐱' })
  await updateDog(db, ana, toby.id, { name: 'Lobo' })
  const { notifications } = await listNotifications(db, ana.id)
  const [{ user_id: _owner, ...line }] = notifications as [(typeof notifications)[0] & { user_id: string }]
  assert.is(line.content, 'Lucas ha comentado en Lobo: «Hola, Toby»')
  assert.is(line.path, '/beagle/lobo')
  const events = (await eventsAfter(db, 0, 100)).map(({ type, data }) => ({ type, data: JSON.parse(data) }))
  assert.equal(events.find(({ type }) => type === 'notification')!.data, { unread: 1, notification: line })
  const { alias, emoji } = events.find(({ type }) => type === 'comment')!.data.comment
  assert.equal([alias, emoji], ['Lucas', '🐱'])
})

names('no member can write the placeholder of a name', async ({ db, ana, toby, luis }) => {
  await addComment(db, luis, toby.id, 'uno \u0001 dos \u0002 tres')
  assert.equal(await shown(db, ana.id), ['Luis ha comentado en Toby: «uno dos tres»'])
})

onlyOnSqlite(names)('no query of names scans a table', async ({ db, ana, toby, luis }) => {
  await addComment(db, luis, toby.id, 'Hola')
  const plans = await explainQueries(db, async (listening) => {
    await eventsAfter(listening, 0, 100)
    await listNotifications(listening, ana.id)
  })
  assert.ok(plans.some(({ sql }) => sql.includes('"profiles"')))
  assert.equal(findSlowSteps(plans), [])
  assertNone(
    plans.flatMap(({ steps }) => steps),
    (step) => /^SCAN [np]\b/.test(step),
  )
})

onlyOnSqlite(names)(
  'notifications from before the migration follow a rename too',
  async ({ db, ana, toby, luis, eva }) => {
    const [nameless] = await seed(db, dog({ name: '???', owner_id: ana.id }))
    const [quoting] = await seed(db, member({ alias: 'Luis y 2 más' }))
    const other = { title: 'x', type: 'other' as const, dog_id: null, actor_id: null }
    const rows = [
      ['A Luis le gusta Toby', { type: 'like', dog_id: toby.id, actor_id: luis.id }],
      ['A Eva y 12 más les gusta el perro sin nombre', { type: 'like', dog_id: nameless.id, actor_id: luis.id }],
      ['Luis ha comentado en Toby: «Luis, ¿y Toby?»', { type: 'comment', dog_id: toby.id, actor_id: luis.id }],
      ['Luis y 2 más ha comentado en Toby: «Ay»', { type: 'comment', dog_id: toby.id, actor_id: quoting.id }],
      ['Has asociado Toby a tu cuenta.', { dog_id: toby.id }],
      ['Has desbloqueado Toby: ya tienes 1 de 434.', { title: '¡Nueva raza en tu álbum!', dog_id: toby.id }],
      ['Marta ha comentado en Tobías: «x»', { type: 'comment', dog_id: toby.id, actor_id: luis.id }],
    ] as const
    for (const [i, [content, fields]] of rows.entries())
      await db
        .insertInto('notifications_all')
        .values({ ...other, ...fields, id: String(i), user_id: ana.id, content, created_at: 100 - i })
        .execute()
    await withPlainTable(db, 'notifications', () => replaceStoredNames(db))
    assert.equal(
      await shown(db, ana.id),
      rows.map(([content]) => content),
    )
    await updateProfile(db, luis, { alias: 'Lucas', emoji: '🐱' })
    await updateProfile(db, eva, { alias: 'Evita', emoji: '🐱' })
    await updateDog(db, ana, toby.id, { name: 'Lobo' })
    assert.equal(await shown(db, ana.id), [
      'A Lucas le gusta Lobo',
      'A Evita y 12 más les gusta el perro sin nombre',
      'Lucas ha comentado en Lobo: «Luis, ¿y Toby?»',
      'Luis y 2 más ha comentado en Lobo: «Ay»',
      'Has asociado Lobo a tu cuenta.',
      'Has desbloqueado Toby: ya tienes 1 de 434.',
      'Marta ha comentado en Tobías: «x»',
    ])
  },
)
