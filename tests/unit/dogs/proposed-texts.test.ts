import { getDog } from '#features/dogs/dog.server.ts'
import { deleteDog, updateDog } from '#features/dogs/write/edit.server.ts'
import { replaceGallery } from '#features/dogs/write/gallery.server.ts'
import { OPEN_REVIEWS_MAX } from '#features/moderation/moderation.ts'
import { applyCaseAction } from '#features/reports/cases/case-actions.server.ts'
import { listCases } from '#features/reports/cases/case-queue.server.ts'
import { bellTitles } from '#tests/support/notifications/bell.ts'
import { admin, report } from '#tests/support/reports/cases.ts'
import { deleteMemberAccount } from '#tests/support/account/delete-member-account.ts'
import { addLostCase } from '#tests/support/lost/lost-case.ts'
import { refusal } from '#tests/support/refusal.ts'
import { assert, type CurrentUser, dataSuite, dog, member, pluck, seed, type WorldOf } from '#tests/support/suites.ts'

// Words of an edit that the filter doubts: what everybody reads stands until the admin decides.

const SALE = 'Se vende por 300 €'

const proposed = dataSuite(
  'unit/dogs/proposed-texts',
  { admin: admin(), luis: member(), ana: member() },
  async ({ db, luis, ana }) => {
    const people = { owner_id: ana.id, discoverer_id: luis.id }
    const [toby] = await seed(db, dog({ name: 'Toby', description: 'Canela', photos: 2, ...people }))
    return { toby }
  },
)
type World = WorldOf<typeof proposed>

const queue = async (t: World) => (await listCases(t.db, t.admin)).rows
const waiting = async (t: World) => (await queue(t))[0]?.proposed
const titles = ({ db }: World, user: CurrentUser) => bellTitles(db, user)
async function decide(t: World, deed: 'restore' | 'dismiss', version?: number) {
  const [first] = await queue(t)
  const input = { deed, reason: '', days: null, version: version ?? first!.version }
  await applyCaseAction(t.db, t.dir, t.admin, first!.id, input)
}
const altsNow = async ({ db, toby }: World) => (await getDog(db, toby.id)).images.map(({ alt }) => alt)
const describe = ({ db, dir, ana, toby }: World, alts: (string | null)[]) =>
  replaceGallery(db, dir, ana, toby.id, pluck(toby.images, 'url'), { alts })

proposed('its people change the rest meanwhile, of a lost dog as well, and publishing writes it', async (t) => {
  const { db, ana, luis, toby } = t
  await addLostCase(db, { dog_id: toby.id, owner_id: ana.id })
  const edited = await updateDog(db, luis, toby.id, { name: 'Gilipollas', description: SALE, zone: 'Getafe' })
  assert.equal(edited.in_review?.toSorted(), ['description', 'name'])
  assert.equal([edited.name, edited.description, edited.zone, edited.path], ['Toby', 'Canela', 'Getafe', toby.path])
  assert.equal(await titles(t, luis), ['Revisamos un texto tuyo'])
  await updateDog(db, ana, toby.id, { name: 'Tobías', weight: 12 })
  assert.equal(await waiting(t), [['Descripción', SALE]])
  await decide(t, 'restore')
  const { name, description, weight } = await getDog(db, toby.id)
  assert.equal([name, description, weight], ['Tobías', SALE, 12])
  assert.equal(await queue(t), [])
  assert.equal((await titles(t, luis)).toSorted(), ['Revisamos un texto tuyo', 'Ya se ve'])
  assert.is((await updateDog(db, ana, toby.id, { description: SALE })).in_review, undefined)
})

proposed('dropped words are gone, and their author knows', async (t) => {
  await updateDog(t.db, t.luis, t.toby.id, { description: SALE })
  await decide(t, 'dismiss')
  assert.is((await getDog(t.db, t.toby.id)).description, 'Canela')
  assert.equal((await titles(t, t.luis)).toSorted(), ['No publicamos un texto tuyo', 'Revisamos un texto tuyo'])
  assert.equal(await t.db.selectFrom('cases').select('proposed').execute(), [{ proposed: null }])
})

proposed('words of photos wait until others are written, or their photo or dog goes', async (t) => {
  assert.equal((await describe(t, ['De lado', SALE])).dog.in_review, ['images'])
  assert.equal(await altsNow(t), ['De lado', null])
  await describe(t, ['De frente', null])
  assert.equal(await waiting(t), [['Foto', SALE]])
  await describe(t, ['De frente', 'De lado'])
  assert.equal(await queue(t), [])
  await describe(t, ['De frente', SALE])
  t.toby.images = t.toby.images.slice(0, 1)
  await describe(t, ['De frente'])
  assert.equal(await queue(t), [])
  await describe(t, [SALE])
  await decide(t, 'restore')
  assert.equal(await altsNow(t), [SALE])
  await describe(t, [`${SALE}, barato`])
  await deleteDog(t.db, t.dir, t.ana, t.toby.id)
  assert.equal(await t.db.selectFrom('cases').select(['open', 'proposed']).execute(), [{ open: 0, proposed: null }])
})

proposed('an approval of what was changed since is refused; the words of before end it', async (t) => {
  const { db, ana, toby } = t
  await updateDog(db, ana, toby.id, { description: SALE })
  const { version } = (await queue(t))[0]!
  await updateDog(db, ana, toby.id, { description: `${SALE}, barato` })
  assert.is((await refusal(decide(t, 'restore', version)))[0], 409)
  assert.equal(await titles(t, ana), ['Revisamos un texto tuyo'])
  await updateDog(db, ana, toby.id, { description: 'Canela' })
  assert.equal(await queue(t), [])
})

proposed('a case with words that wait outlives the account that reported the dog', async (t) => {
  const [eva] = await seed(t.db, member())
  await updateDog(t.db, t.ana, t.toby.id, { description: SALE })
  await report(t.db, eva, 'dog', t.toby.id)
  await deleteMemberAccount(t.db, t.dir, eva, 'delete')
  assert.equal(await waiting(t), [['Descripción', SALE]])
})

proposed('they count among a member’s reviews, and are rewritten at the limit', async ({ db, ana, toby }) => {
  const dogs = await seed(db, ...Array.from({ length: OPEN_REVIEWS_MAX }, () => dog({ owner_id: ana.id })))
  const ids = pluck(dogs, 'id')
  for (const id of ids) await updateDog(db, ana, id, { description: SALE })
  assert.is((await refusal(updateDog(db, ana, toby.id, { description: SALE })))[0], 429)
  assert.equal((await updateDog(db, ana, ids[0]!, { name: SALE })).in_review, ['name'])
})
