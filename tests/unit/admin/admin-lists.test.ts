import { listDogs } from '#features/admin/dogs.server.ts'
import { listMembers, sendMemberMessage, verifyMember } from '#features/admin/members.server.ts'
import { loadAdminTotals } from '#features/admin/totals.server.ts'
import { listNotifications } from '#features/notifications/notifications.server.ts'
import { updateProfile } from '#features/profiles/edit/profile-edit.server.ts'
import { explainQueries, findSlowSteps } from '#tests/support/query-plans.ts'
import { UNKNOWN_ID } from '#tests/support/unknown-id.ts'
import { allPages, assert, dbSuite, dog, member, onlyOnSqlite, rowOf, seed } from '#tests/support/suites.ts'

const ADMIN_EMAIL = 'jefa@ejemplo.es'
const admin = dbSuite<{ boss: { id: string; email: string }; asker: Parameters<typeof listMembers>[1] }>(
  'unit/admin/admin-lists',
)

admin.before.each(async (t) => {
  const [boss] = await seed(t.db, member({ email: ADMIN_EMAIL, alias: 'Jefa' }))
  t.boss = { id: boss.id, email: ADMIN_EMAIL }
  t.asker = { user: t.boss, adminEmail: 'Jefa@Ejemplo.ES' }
})

const aliases = (page: { rows: { alias: string }[] }) => page.rows.map((row) => row.alias)
const refusal = (action: Promise<unknown>) =>
  action.then(
    () => 200,
    (error: { status: number }) => error.status,
  )

admin('only the member with ADMIN_EMAIL may do anything', async ({ db, boss }) => {
  const [luis] = await seed(db, member())
  const nobody = { user: null, adminEmail: ADMIN_EMAIL }
  const askers = [
    [nobody, 401],
    [{ user: luis, adminEmail: ADMIN_EMAIL }, 403],
    [{ user: { id: luis.id, email: null }, adminEmail: ADMIN_EMAIL }, 403],
    [{ user: boss, adminEmail: undefined }, 403],
  ] as const
  for (const [asker, status] of askers) {
    for (const action of [
      listMembers(db, asker),
      listDogs(db, asker),
      loadAdminTotals(db, asker),
      verifyMember(db, asker, luis.id, { verified: true, alias: luis.alias }),
      sendMemberMessage(db, asker, luis.id, 'Hola'),
    ])
      assert.is(await refusal(action), status)
  }
  const { verified } = await rowOf(db, 'profiles', { id: luis.id })
  assert.equal([verified, (await listNotifications(db, luis.id)).unread], [0, 0])
})

admin('members are listed newest first, page by page, each once', async ({ db, asker, boss }) => {
  for (let i = 0; i < 7; i++) await seed(db, member({ alias: `M${i}` }))
  await db.updateTable('profiles_all').set({ created_at: 1000 }).where('id', '!=', boss.id).execute()
  await db.updateTable('profiles_all').set({ created_at: 2000 }).where('id', '=', boss.id).execute()
  const seen = (await allPages((cursor) => listMembers(db, asker, { cursor, limit: 3 }))).flatMap((page) =>
    aliases(page),
  )
  assert.is(seen[0], 'Jefa')
  assert.equal(seen.toSorted(), ['Jefa', 'M0', 'M1', 'M2', 'M3', 'M4', 'M5', 'M6'])
})

admin('members are found by the prefix of alias or address, ignoring accents, each once', async ({ db, asker }) => {
  await seed(
    db,
    member({ alias: 'Ánabel', email: 'zeta@ejemplo.es' }),
    member({ alias: 'ANA', email: 'ana@ejemplo.es' }),
    member({ alias: 'Luis', email: 'ana.luisa@ejemplo.es' }),
    member({ alias: 'Mariana', email: 'mariana@ejemplo.es' }),
    member({ alias: 'Zoe', email: 'analia@ejemplo.es' }),
  )
  assert.equal(aliases(await listMembers(db, asker, { q: ' aná ' })), ['ANA', 'Ánabel', 'Luis', 'Zoe'])
  assert.equal(aliases(await listMembers(db, asker, { q: 'ana@' })), ['ANA', 'Ánabel'], 'a sign of an alias, too')
  assert.equal(aliases(await listMembers(db, asker, { q: 'ANA.L' })), ['Luis'])
  assert.equal(aliases(await listMembers(db, asker, { q: 'nadie' })), [])
  assert.equal(aliases(await listMembers(db, asker, { q: '%' })), [])
  for (const limit of [1, 2, 3]) {
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await listMembers(db, asker, { q: 'ana', cursor, limit })
      assert.not.match(atob(page.nextCursor ?? ''), '@')
      seen.push(...aliases(page))
      cursor = page.nextCursor ?? undefined
    } while (cursor)
    assert.equal(seen, ['ANA', 'Ánabel', 'Luis', 'Zoe'], `in pages of ${limit}`)
  }
  assert.is(await refusal(listMembers(db, asker, { q: 'ana', cursor: 'x' })), 422)
  assert.is(await refusal(listMembers(db, asker, { cursor: 'x' })), 422)
})

admin('an alias is found by any beginning of it, however its signs and look-alikes are typed', async (t) => {
  const { db, asker } = t
  await seed(db, member({ alias: 'Carmen Ruiz' }), member({ alias: 'María-José' }), member({ alias: "O'Neil" }))
  for (const [alias, queries] of Object.entries({
    'Carmen Ruiz': ['c', 'car', 'carm', 'carrn', 'carmen', 'carmen ', 'carmen r', 'CARMENRU', 'carmenr#'],
    'María-José': ['mar', 'maria', 'mar1a', 'maría j', 'maria-', 'mariajose'],
    "O'Neil": ['o', "o'", 'one', 'O’NEIL', '0neil'],
  }))
    for (const q of queries) assert.equal(aliases(await listMembers(db, asker, { q })), [alias], q)
  for (const q of ['.', '-', '·', '#']) assert.equal(aliases(await listMembers(db, asker, { q })), [], q)
})

admin('dogs are listed newest first, and found by the prefix of their name', async ({ db, asker, boss }) => {
  for (const [i, name] of ['Toby', 'Tobías', 'Luna', 'Toby', '???'].entries())
    await seed(db, dog({ name, created_at: 1000 + i, owner_id: name === 'Luna' ? null : boss.id }))
  const names = (page: { rows: { name: string }[] }) => page.rows.map((row) => row.name)
  const all = await listDogs(db, asker)
  assert.equal(names(all), ['???', 'Toby', 'Luna', 'Tobías', 'Toby'])
  assert.equal(
    all.rows.map((row) => row.addedBy?.alias ?? null),
    ['Jefa', 'Jefa', null, 'Jefa', 'Jefa'],
  )
  for (const limit of [1, 2, 50]) {
    const walk = async (q: string) => {
      const seen = (await allPages((cursor) => listDogs(db, asker, { q, cursor, limit }))).flatMap((page) =>
        page.rows.map((row) => row.path),
      )
      return seen
    }
    assert.equal(await walk('TÓB'), ['/beagle/tobias', '/beagle/toby', '/beagle/toby-2'])
    assert.equal(await walk('???'), ['/beagle/sin-nombre'])
    assert.is((await walk('')).length, 5)
  }
  assert.is(await refusal(listDogs(db, asker, { cursor: all.rows[0]!.id })), 422)
})

admin('totals come from the stored counts', async ({ db, asker }) => {
  await seed(db, member(), dog(), dog({ size: 'mini' }), dog({ breed: 'Bóxer' }))
  assert.equal(await loadAdminTotals(db, asker), { members: 2, dogs: 3 })
})

admin('the badge is given and removed; a deleted member is 404', async ({ db, asker }) => {
  const [luis] = await seed(db, member({ alias: 'Luis' }))
  const verified = async () => (await listMembers(db, asker, { q: 'luis' })).rows[0]!.verified
  await verifyMember(db, asker, luis.id, { verified: true, alias: 'Luis' })
  assert.is(await verified(), true)
  await verifyMember(db, asker, luis.id, { verified: false })
  assert.is(await verified(), false)
  assert.is(await refusal(verifyMember(db, asker, UNKNOWN_ID, { verified: true, alias: 'Luis' })), 404)
  assert.is(await refusal(sendMemberMessage(db, asker, UNKNOWN_ID, 'Hola')), 404)
})

admin('the badge is given to the name that the admin saw, and to no other', async ({ db, asker }) => {
  const [luis] = await seed(db, member({ alias: 'Luis' }))
  await updateProfile(db, luis, { alias: 'Alcaldía de Lugo', emoji: '🐶' })
  const verified = async () => (await listMembers(db, asker, { q: 'alcald' })).rows[0]!.verified
  for (const alias of ['Luis', 'alcaldía de lugo', undefined])
    assert.is(await refusal(verifyMember(db, asker, luis.id, { verified: true, alias })), 409)
  assert.is(await verified(), false)
  await verifyMember(db, asker, luis.id, { verified: true, alias: 'Alcaldía de Lugo' })
  await verifyMember(db, asker, luis.id, { verified: false, alias: 'Luis' })
  assert.is(await verified(), false, 'it is taken away under any name')
})

admin('a message notifies the member', async ({ db, asker }) => {
  const [luis] = await seed(db, member())
  await sendMemberMessage(db, asker, luis.id, '¡Gracias por tus fotos!')
  const { notifications, unread } = await listNotifications(db, luis.id)
  assert.is(unread, 1)
  const [{ type, title, content, dog_id }] = notifications as [(typeof notifications)[number]]
  assert.equal([type, title, content, dog_id], ['other', 'Un mensaje de Perrario', '¡Gracias por tus fotos!', null])
})

onlyOnSqlite(admin)('no list sorts or scans a whole table', async ({ db, asker }) => {
  for (let i = 0; i < 6; i++)
    await seed(db, member({ alias: `Ana ${i}`, email: `m${i}@ejemplo.es` }), dog({ name: `Toby ${i}` }))
  const plans = await explainQueries(db, async (listening) => {
    for (const q of ['', 'ana', 'm', 'jefa@']) {
      const { nextCursor } = await listMembers(listening, asker, { q, limit: 2 })
      if (nextCursor) await listMembers(listening, asker, { q, limit: 2, cursor: nextCursor })
    }
    for (const q of ['', 'toby']) {
      const { nextCursor } = await listDogs(listening, asker, { q, limit: 2 })
      await listDogs(listening, asker, { q, limit: 2, cursor: nextCursor! })
    }
    await loadAdminTotals(listening, asker)
  })
  assert.ok(plans.length > 12)
  assert.equal(findSlowSteps(plans), [])
  const used = plans.flatMap((plan) => plan.steps).join('\n')
  for (const index of ['profiles_created', 'dogs_path_slug', 'dogs_created']) assert.match(used, index)
})
