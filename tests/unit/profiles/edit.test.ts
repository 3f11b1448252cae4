import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Db } from '#db/client.ts'
import type { CurrentUser } from '#lib/auth/current-user.ts'
import { checkAliasAvailability, updateProfile } from '#features/profiles/edit/profile-edit.server.ts'
import { detachProfile, restoreProfile } from '#features/profiles/quarantine.server.ts'
import { AppError } from '#lib/errors.ts'
import { freshDb } from '#tests/support/db.ts'
import { member, seed } from '#tests/support/seed.ts'

const edit = suite<{ db: Db; ana: CurrentUser; luis: CurrentUser }>('unit/profiles/edit')
edit.before.each(async (t) => {
  t.db = freshDb()
  const [ana, luis] = await seed(t.db, member({ alias: 'Ana' }), member({ alias: 'Luis' }))
  Object.assign(t, { ana, luis })
})

const stored = (db: Db, id: string) =>
  db.selectFrom('profiles').select(['alias', 'alias_key', 'emoji']).where('id', '=', id).executeTakeFirstOrThrow()

async function refused(deed: Promise<unknown>): Promise<AppError> {
  try {
    await deed
  } catch (error) {
    assert.instance(error, AppError)
    return error as AppError
  }
  throw new Error('it was let through')
}

edit('stores alias and emoji normalised, and only the requester’s', async ({ db, ana, luis }) => {
  const saved = await updateProfile(db, ana, { alias: '  Ana   María ', emoji: '\u2764' })
  assert.equal(saved, { alias: 'Ana María', emoji: '❤️', verified: false })
  assert.equal(await stored(db, ana.id), { alias: 'Ana María', alias_key: 'ana maria', emoji: '❤️' })
  assert.is((await stored(db, luis.id)).alias, 'Luis')
})

edit('requires a session', async ({ db }) => {
  const error = await refused(updateProfile(db, null, { alias: 'Eva', emoji: '🐶' }))
  assert.is(error.status, 401)
})

const setVerified = (db: Db, id: string) =>
  db.updateTable('profiles').set({ verified: 1 }).where('id', '=', id).execute()

edit('the badge stays with the verified name', async ({ db, ana }) => {
  const save = async (alias: string, emoji = '🐶') => (await updateProfile(db, ana, { alias, emoji })).verified
  await setVerified(db, ana.id)
  assert.is(await save('Ana', '🐱'), true)
  assert.is(await save(' ÁNA '), true)
  assert.is(await save('Perros de Lugo'), false)
  assert.is(await save('Ana'), false, 'the old name does not bring it back')
})

edit('a profile restored under another name has no badge', async ({ db, ana, luis }) => {
  await setVerified(db, ana.id)
  const back = async () => {
    await db.transaction().execute(async (trx) => restoreProfile(trx, await detachProfile(trx, ana.id)))
    return (await db.selectFrom('profiles').select('verified').where('id', '=', ana.id).executeTakeFirstOrThrow())
      .verified
  }
  assert.is(await back(), 1)
  const row = await db.transaction().execute((trx) => detachProfile(trx, ana.id))
  await updateProfile(db, luis, { alias: 'Ana', emoji: '🐶' })
  await db.transaction().execute((trx) => restoreProfile(trx, row))
  assert.is(await back(), 0)
})

edit('reserved names are refused, however written; a member who has one keeps it', async ({ db, ana }) => {
  const names = 'Perrario Admin Administración Moderación Moderador Moderadora Soporte Usuario Alguien'.split(' ')
  const written = [...names, 'Equipo Perrario', 'ÁDMIN', 'admín', 'S.o.p.o.r.t.e', 'equipo-perrario', 'Sopørte']
  for (const alias of written) {
    const error = await refused(updateProfile(db, ana, { alias, emoji: '🐱' }))
    assert.equal([error.status, error.errors], [422, { alias: 'Elige otro alias: este no se puede usar.' }], alias)
    assert.is((await checkAliasAvailability(db, null, alias)).available, false, alias)
  }
  for (const alias of ['Perrarios', 'Admina', 'Usuario 7', 'Perrit4821'])
    assert.is((await checkAliasAvailability(db, ana, alias)).available, true, alias)
  await db.updateTable('profiles').set({ alias: 'Admin', alias_key: 'admin' }).where('id', '=', ana.id).execute()
  assert.is((await updateProfile(db, ana, { alias: 'Admin', emoji: '🐱' })).emoji, '🐱')
})

edit('one’s own alias is available, however written', async ({ db, ana }) => {
  assert.is((await updateProfile(db, ana, { alias: 'Ana', emoji: '🐱' })).emoji, '🐱')
  assert.is((await updateProfile(db, ana, { alias: 'ÁNA', emoji: '🐱' })).alias, 'ÁNA')
})

edit('another member’s alias is taken, ignoring case and accents, and nothing changes', async ({ db, ana }) => {
  for (const alias of ['Luis', 'luís', ' LUIS ']) {
    const error = await refused(updateProfile(db, ana, { alias, emoji: '🐱' }))
    assert.equal([error.status, error.errors], [422, { alias: 'Este alias ya está en uso.' }])
  }
  assert.equal(await stored(db, ana.id), { alias: 'Ana', alias_key: 'ana', emoji: '🐶' })
})

edit('returns all errors, a message for each field', async ({ db, ana }) => {
  const error = await refused(updateProfile(db, ana, { alias: ' ', emoji: 'dos' }))
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
      await db.updateTable('profiles').set({ alias: 'Trufa', alias_key: 'trufa' }).where('id', '=', luis.id).execute()
      return result
    },
  })
  const error = await refused(updateProfile(late, ana, { alias: 'Trufa', emoji: '🐶' }))
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

edit.run()
