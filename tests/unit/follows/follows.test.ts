import { hideProfile } from '#features/profiles/hidden-profiles.server.ts'
import { eraseUser } from '#features/follows/erase.server.ts'
import { type FollowTarget, MAX_FOLLOWS } from '#features/follows/follows.ts'
import { countFollowers, countFollows, follow, isFollowing, unfollow } from '#features/follows/follows.server.ts'
import { listFollows } from '#features/follows/list.server.ts'
import { ban } from '#features/moderation/bans.server.ts'
import { addBlock } from '#features/moderation/blocks.server.ts'
import { blockMember } from '#features/reports/blocks/block-member.server.ts'
import { UNKNOWN_ID } from '#tests/support/unknown-id.ts'
import { assert, type Db, dbSuite, insert, member, pluck, refusal, seed } from '#tests/support/suites.ts'

const follows = dbSuite('unit/follows/follows')

const person = ({ id }: { id: string }): FollowTarget => ({ kind: 'member', id })
const breed = (id: string): FollowTarget => ({ kind: 'breed', id })
const zone = (id: string): FollowTarget => ({ kind: 'zone', id })
const namesOf = async (db: Db, userId: string, options = {}) =>
  (await listFollows(db, userId, options)).follows.map(({ name, isMutual }) => name + (isMutual ? ' ↔' : ''))

follows('a member, a breed and a zone are followed once each, by any of their names', async ({ db }) => {
  const [ana, luis] = await seed(db, member(), member({ alias: 'Luis' }))
  for (const target of [person(luis), person(luis), breed('beagle'), breed('Beagle'), zone('28'), zone('Madrid')])
    await follow(db, ana, target)
  assert.is(await countFollows(db, ana.id), 3)
  assert.equal((await namesOf(db, ana.id)).toSorted(), ['Beagle', 'Luis', 'Madrid'])
  assert.ok(await isFollowing(db, ana.id, breed('beagle')))
  for (let i = 0; i < 2; i++) await unfollow(db, ana, person(luis))
  assert.not.ok(await isFollowing(db, ana.id, person(luis)))
  assert.is(await countFollows(db, ana.id), 2)
})

follows('oneself, nobody and nothing known are refused by a sentence', async ({ db }) => {
  const [ana] = await seed(db, member())
  assert.equal(await refusal(follow(db, ana, person(ana))), [422, 'No puedes seguirte a ti.'])
  const nobody = [404, 'Esa persona ya no está en Perrario.']
  for (const id of [UNKNOWN_ID, 'luis', '']) assert.equal(await refusal(follow(db, ana, person({ id }))), nobody)
  for (const id of ['un-gato', '', 'x'.repeat(5000)])
    assert.equal(await refusal(follow(db, ana, breed(id))), [404, 'No conocemos esa raza.'])
  for (const id of ['99', 'Atlántida', '', 'x'.repeat(5000)])
    assert.equal(await refusal(follow(db, ana, zone(id))), [404, 'No conocemos esa zona. Elige una provincia.'])
  assert.is(await countFollows(db, ana.id), 0)
})

follows('a ban, a block and a hidden member keep a member from following', async ({ db }) => {
  const [ana, luis, eva, leo] = await seed(db, member(), member(), member(), member())
  await addBlock(db, luis, ana.id)
  const blocked = [403, 'No puedes hacerlo: uno de los dos ha bloqueado al otro.']
  assert.equal(await refusal(follow(db, ana, person(luis))), blocked)
  assert.equal(await refusal(follow(db, luis, person(ana))), blocked)
  await follow(db, eva, person(leo))
  await db.transaction().execute((trx) => hideProfile(trx, leo.id, 'deletion'))
  assert.equal(await refusal(follow(db, ana, person(leo))), [404, 'Esa persona ya no está en Perrario.'])
  assert.equal(await namesOf(db, eva.id), [], 'who is hidden is in no list')
  await unfollow(db, eva, person(leo))
  assert.is(await countFollows(db, eva.id), 0)
  await ban(db, ana.id, { until: null, reason: 'x' })
  assert.is((await refusal(follow(db, ana, breed('beagle'))))[0], 403)
})

follows('a block ends it in both directions', async ({ db }) => {
  const [ana, luis, eva] = await seed(db, member(), member(), member({ alias: 'Eva' }))
  await follow(db, ana, person(luis))
  await follow(db, luis, person(ana))
  await follow(db, luis, person(eva))
  await blockMember(db, ana, luis.id)
  assert.is(await countFollows(db, ana.id), 0)
  assert.equal(await namesOf(db, luis.id), ['Eva'])
  assert.is(await countFollowers(db, ana.id), 0)
})

follows('an account out of sight is not told from one that is gone by who has blocked it', async ({ db }) => {
  const [ana, leo] = await seed(db, member(), member())
  await blockMember(db, ana, leo.id)
  await db.transaction().execute((trx) => hideProfile(trx, leo.id, 'deletion'))
  const unknown = { kind: 'member' as const, id: '00000000-0000-4000-8000-000000000000' }
  assert.equal(await refusal(follow(db, ana, person(leo))), await refusal(follow(db, ana, unknown)))
})

follows('who is followed sees a number, and names where they follow back', async ({ db }) => {
  const [ana, luis, eva] = await seed(db, member({ alias: 'Ana' }), member({ alias: 'Luis' }), member({ alias: 'Eva' }))
  await follow(db, luis, person(ana))
  await follow(db, eva, person(ana))
  assert.equal([await countFollowers(db, ana.id), await namesOf(db, ana.id)], [2, []])
  await follow(db, ana, person(eva), 1)
  await follow(db, ana, breed('beagle'), 2)
  assert.equal(await namesOf(db, ana.id), ['Beagle', 'Eva ↔'])
  assert.equal(await namesOf(db, ana.id, { mutual: true }), ['Eva ↔'])
  assert.equal(await namesOf(db, eva.id), ['Ana ↔'])
  assert.equal(await namesOf(db, luis.id), ['Ana'])
  await db.transaction().execute((trx) => hideProfile(trx, luis.id, 'deletion'))
  assert.is(await countFollowers(db, ana.id), 1, 'who is out of sight is not counted')
})

follows('a thousand are followed at most, by many tabs at once too', async ({ db }) => {
  const [ana] = await seed(db, member())
  const rows = Array.from({ length: MAX_FOLLOWS - 2 }, (_, i) => ({
    user_id: ana.id,
    kind: 'member' as const,
    target_id: `x${i}`,
    created_at: i,
  }))
  for (let i = 0; i < rows.length; i += 200) await insert(db, 'follows', rows.slice(i, i + 200))
  const answers = await Promise.all(
    ['beagle', 'boxer', 'akita-inu', 'barbet'].map((id) => refusal(follow(db, ana, breed(id))).catch(() => 'followed')),
  )
  assert.is(answers.filter((answer) => answer[0] === 409).length, 2)
  assert.is(await countFollows(db, ana.id), MAX_FOLLOWS)
  const full = [409, 'Ya sigues 1.000 personas, razas y zonas, que es el máximo. Deja de seguir alguna antes.']
  assert.equal(await refusal(follow(db, ana, zone('28'))), full)
})

follows('the own list comes in pages, latest first', async ({ db }) => {
  const [ana] = await seed(db, member())
  for (const [i, id] of ['beagle', 'boxer', 'barbet'].entries()) await follow(db, ana, breed(id), i < 2 ? 5 : 9)
  const first = await listFollows(db, ana.id, { limit: 2 })
  const second = await listFollows(db, ana.id, { limit: 2, cursor: first.nextCursor! })
  assert.equal(pluck([...first.follows, ...second.follows], 'id'), ['barbet', 'boxer', 'beagle'])
  assert.is(second.nextCursor, null)
  for (const cursor of ['x', 'WyJmb2xsb3dzIiwxLCJ4Il0'])
    assert.is((await refusal(listFollows(db, ana.id, { cursor })))[0], 422, cursor)
})

follows('an account is erased with what it follows and who follows it, in batches', async ({ db }) => {
  const [ana, luis, eva] = await seed(db, member(), member(), member())
  await follow(db, ana, breed('beagle'))
  await follow(db, ana, person(luis))
  await follow(db, luis, person(ana))
  await follow(db, eva, person(ana))
  await follow(db, eva, person(luis))
  let erased = 0
  for (let count = 3; count === 3;) erased += count = await db.transaction().execute((trx) => eraseUser(trx, ana.id, 3))
  assert.equal([erased, (await db.selectFrom('follows').selectAll().execute()).length], [4, 1])
})
