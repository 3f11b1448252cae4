import { deleteAccount } from '#features/account/erase.server.ts'
import { checkAliasAvailability, updateProfile } from '#features/profiles/edit/profile-edit.server.ts'
import { aliasKey, KEY_SUFFIX } from '#features/profiles/profiles.ts'
import { findMemberByAlias } from '#features/profiles/verified-badge.server.ts'
import { type CurrentUser, member, seed, withRecentSignIn } from '#tests/support/seed.ts'
import { assert, type Db, dbSuite, refusalError, update } from '#tests/support/suites.ts'

const edit = dbSuite('unit/profiles/edit', { ana: member({ alias: 'Ana' }), luis: member({ alias: 'Luis' }) })

const stored = (db: Db, id: string) =>
  db.selectFrom('profiles').select(['alias', 'alias_key', 'emoji']).where('id', '=', id).executeTakeFirstOrThrow()

const setAlias = (db: Db, id: string, alias: string, alias_key = aliasKey(alias)) =>
  db.updateTable('profiles_all').set({ alias, alias_key }).where('id', '=', id).execute()

edit('stores alias and emoji normalised, and only the requester’s', async ({ db, ana, luis }) => {
  const saved = await updateProfile(db, ana, { alias: '  Ana   María ', emoji: '\u2764' })
  assert.equal(saved, { alias: 'Ana María', emoji: '❤️', verified: false })
  assert.equal(await stored(db, ana.id), { alias: 'Ana María', alias_key: 'anarnarla', emoji: '❤️' })
  assert.is((await stored(db, luis.id)).alias, 'Luis')
})

edit('requires a session', async ({ db }) => {
  const error = await refusalError(updateProfile(db, null, { alias: 'Eva', emoji: '🐶' }))
  assert.is(error.status, 401)
})

const setVerified = (db: Db, id: string) =>
  db.updateTable('profiles_all').set({ verified: 1 }).where('id', '=', id).execute()

edit('the badge stays with the verified name', async ({ db, ana }) => {
  const save = async (alias: string, emoji = '🐶') => (await updateProfile(db, ana, { alias, emoji })).verified
  await setVerified(db, ana.id)
  assert.is(await save('Ana', '🐱'), true)
  assert.is(await save(' ÁNA '), true)
  assert.is(await save('Perros de Lugo'), false)
  assert.is(await save('Ana'), false, 'the old name does not bring it back')
})

edit('a look-alike of the verified name has no badge', async ({ db, ana }) => {
  for (const [name, alike] of [
    ['Maia', 'Mala'],
    ['Pilar', 'PiIar'],
    ['Ana María', 'AnaMaría'],
  ] as const) {
    await updateProfile(db, ana, { alias: name, emoji: '🐶' })
    await setVerified(db, ana.id)
    assert.is((await updateProfile(db, ana, { alias: alike, emoji: '🐶' })).verified, false, alike)
  }
})

edit('reserved names are refused, however written; a member who has one keeps it', async ({ db, ana }) => {
  const written = [
    'Perrario',
    'Equipo Perrario',
    'equipo-perrario',
    'PERRARl0',
    'Adrnin',
    'ÁDMIN',
    'S.o.p.o.r.t.e',
    'Sopørte',
  ]
  for (const alias of written) {
    const error = await refusalError(updateProfile(db, ana, { alias, emoji: '🐱' }))
    assert.equal([error.status, error.errors], [422, { alias: 'Elige otro alias: este no se puede usar.' }], alias)
    assert.is((await checkAliasAvailability(db, null, alias)).available, false, alias)
  }
  for (const alias of ['Admina', 'Usuario', 'El admin', 'Perrario Madrid', 'Se vende limonada', 'Perrit4821'])
    assert.is((await checkAliasAvailability(db, ana, alias)).available, true, alias)
  await db.updateTable('profiles_all').set({ alias: 'Admin', alias_key: 'admin' }).where('id', '=', ana.id).execute()
  assert.is((await updateProfile(db, ana, { alias: 'Admin', emoji: '🐱' })).emoji, '🐱')
})

edit('a reserved name of before does not become a better one', async ({ db, ana }) => {
  await setAlias(db, ana.id, 'Perrarlo')
  assert.is((await updateProfile(db, ana, { alias: 'PERRARLO', emoji: '🐱' })).alias, 'PERRARLO')
  const error = await refusalError(updateProfile(db, ana, { alias: 'Perrario', emoji: '🐱' }))
  assert.equal(error.errors, { alias: 'Elige otro alias: este no se puede usar.' })
})

edit('of two members with look-alike aliases from before, each keeps theirs and nobody takes them', async (t) => {
  const { db, ana, luis } = t
  await setAlias(db, ana.id, 'Pilar')
  await setAlias(db, luis.id, 'PiIar', `${aliasKey('Pilar')}${KEY_SUFFIX}${luis.id}`)
  const save = (user: CurrentUser, alias: string) => updateProfile(db, user, { alias, emoji: '🐱' })
  const isFree = async (user: CurrentUser, alias: string) => (await checkAliasAvailability(db, user, alias)).available
  assert.equal([(await save(luis, 'PiIar')).emoji, (await save(ana, 'Pilar')).emoji], ['🐱', '🐱'])
  for (const [user, alias] of [
    [luis, 'Pilar'],
    [luis, 'PILAR'],
    [ana, 'PILAR'],
  ] as const) {
    assert.is(await isFree(user, alias), false)
    assert.equal((await refusalError(save(user, alias))).errors, { alias: 'Este alias ya está en uso.' })
  }
  await save(ana, 'Ana')
  const [eva] = await seed(db, member({ alias: 'Eva' }))
  assert.is((await refusalError(save(eva, 'Pilar'))).status, 422, 'the younger one still has it')
  assert.is((await save(luis, 'Pilar')).alias, 'Pilar')
  assert.is((await stored(db, luis.id)).alias_key, aliasKey('Pilar'))
})

edit('an account is deleted by its own alias where an older one looks alike', async ({ db, ana }) => {
  await setAlias(db, ana.id, 'PiIar', `${aliasKey('Pilar')}${KEY_SUFFIX}${ana.id}`)
  const remove = (alias: string) => deleteAccount(db, '/nowhere', withRecentSignIn(ana), { dogs: 'keep', alias })
  assert.is((await refusalError(remove('Ana'))).status, 422)
  await remove('PiIar')
  assert.is(await db.selectFrom('users').select('id').where('id', '=', ana.id).executeTakeFirst(), undefined)
})

edit('the operator’s command finds the member by the very alias, then by its spelling, not by its look', async (t) => {
  const { db, ana, luis } = t
  await setAlias(db, ana.id, 'Pilar')
  await setAlias(db, luis.id, 'PiIar', `${aliasKey('Pilar')}${KEY_SUFFIX}${luis.id}`)
  const found = async (alias: string) => (await findMemberByAlias(db, alias))?.id
  assert.is(await found('Pilar'), ana.id)
  assert.is(await found('pílar'), ana.id)
  assert.is(await found('PiIar'), luis.id)
  assert.is(await found('piiar'), luis.id)
  for (const alias of ['Pi1ar', 'Pi.lar', 'Nadie']) assert.is(await found(alias), undefined, alias)
})

edit('one’s own alias is available, however written', async ({ db, ana }) => {
  assert.is((await updateProfile(db, ana, { alias: 'Ana', emoji: '🐱' })).emoji, '🐱')
  assert.is((await updateProfile(db, ana, { alias: 'ÁNA', emoji: '🐱' })).alias, 'ÁNA')
})

edit(
  'another member’s alias is taken, ignoring case, accents, signs and shapes, and nothing changes',
  async ({ db, ana }) => {
    for (const alias of ['Luis', 'luís', ' LUIS ', 'LuIs', 'Lu1s', 'lui.s', 'Luis.', '_Luis_']) {
      const error = await refusalError(updateProfile(db, ana, { alias, emoji: '🐱' }))
      assert.equal([error.status, error.errors], [422, { alias: 'Este alias ya está en uso.' }])
    }
    assert.equal(await stored(db, ana.id), { alias: 'Ana', alias_key: 'ana', emoji: '🐶' })
  },
)

edit('returns all errors, a message for each field', async ({ db, ana }) => {
  const error = await refusalError(updateProfile(db, ana, { alias: ' ', emoji: 'dos' }))
  assert.equal(error.errors, { alias: 'El alias no puede estar vacío', emoji: 'Tiene que ser un solo emoji.' })
  assert.is(error.message, 'El alias no puede estar vacío')
})

edit(
  'of two members who take one alias at once, one receives it and the other is refused',
  async ({ db, ana, luis }) => {
    const both = await Promise.allSettled([
      updateProfile(db, ana, { alias: 'Trufa', emoji: '🐶' }),
      updateProfile(db, luis, { alias: 'trufa', emoji: '🐶' }),
    ])
    const lost = both.filter((one) => one.status === 'rejected')
    assert.is(lost.length, 1)
    assert.equal([lost[0]!.reason.status, lost[0]!.reason.errors], [422, { alias: 'Este alias ya está en uso.' }])
  },
)

edit('the unique index decides, not the query before', async ({ db, ana, luis }) => {
  // The check finds the alias free, then another member takes it before the save.
  const late = db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      await update(db, 'profiles_all', { id: luis.id }, { alias: 'Trufa', alias_key: 'trufa' })
      return result
    },
  })
  const error = await refusalError(updateProfile(late, ana, { alias: 'Trufa', emoji: '🐶' }))
  assert.equal([error.status, error.errors], [422, { alias: 'Este alias ya está en uso.' }])
})

edit('an own alias is available, another’s and an invalid one are not, each with its message', async ({ db, ana }) => {
  assert.equal(await checkAliasAvailability(db, ana, ' Ana '), { available: true, alias: 'Ana' })
  assert.equal(await checkAliasAvailability(db, ana, 'Eva'), { available: true, alias: 'Eva' })
  assert.equal(await checkAliasAvailability(db, ana, 'Lüis'), {
    available: false,
    alias: 'Lüis',
    detail: 'Este alias ya está en uso.',
  })
  assert.is((await checkAliasAvailability(db, null, 'Ana')).available, false)
  assert.is((await checkAliasAvailability(db, ana, '')).detail, 'El alias no puede estar vacío')
})
