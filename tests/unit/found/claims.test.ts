import { randomUUID } from 'node:crypto'
import { finderSecret } from '#features/contact/finder-secret.server.ts'
import { addClaim, decideClaim } from '#features/found/claims.server.ts'
import type { FoundViewer } from '#features/found/found.ts'
import { matchNotice } from '#features/found/matching.server.ts'
import { readNotice } from '#features/found/notice.server.ts'
import { addNotice } from '#tests/support/found/notice-row.ts'
import { addLostCase } from '#tests/support/lost/lost-case.ts'
import { assert, type CurrentUser, dbSuite, dog, member, pluck, refusal, type WorldOf } from '#tests/support/suites.ts'

const claims = dbSuite(
  'unit/found/claims',
  { ana: member(), toby: dog(), luis: member(), luna: dog() },
  async ({ db, ana, toby, luis, luna }) => {
    await addLostCase(db, { dog_id: toby.id, owner_id: ana.id })
    await addLostCase(db, { dog_id: luna.id, owner_id: luis.id })
    const { secret, hash } = finderSecret()
    const id = await addNotice(db, { shown_lat: 40.306, shown_lon: -3.731, secret_hash: hash })
    await db.insertInto('found_photos').values({ notice_id: id, data: 'x', width: 1, height: 1 }).execute()
    const finder: FoundViewer = { userId: null, secrets: new Map([[id, secret]]) }
    await matchNotice(db, id)
    return { id, finder }
  },
)
type World = WorldOf<typeof claims>

const viewerOf = ({ id }: CurrentUser): FoundViewer => ({ userId: id, secrets: new Map() })
const answersFor = async ({ db, id }: World, viewer: FoundViewer) =>
  (await readNotice(db, viewer, id)).claims.map(({ answer, state }) => `${answer}: ${state}`)

claims('of two owners’ claims the finder reads both, each owner their own, and the site decides nothing', async (t) => {
  const { db, id, ana, luis, finder } = t
  const first = await addClaim(db, viewerOf(ana), id, 'Una oreja blanca')
  const second = await addClaim(db, viewerOf(luis), id, 'Una cicatriz')
  assert.equal(new Set(await answersFor(t, finder)), new Set(['Una oreja blanca: open', 'Una cicatriz: open']))
  assert.equal(await answersFor(t, viewerOf(ana)), ['Una oreja blanca: open'])
  assert.equal(await answersFor(t, viewerOf(luis)), ['Una cicatriz: open'])
  // Both may be right as far as the finder knows: each has a conversation of their own.
  const one = await decideClaim(db, finder, id, { id: first.id, accept: true })
  const two = await decideClaim(db, finder, id, { id: second.id, accept: true })
  assert.is.not(one.threadId, two.threadId)
  for (const [{ id: dogId }, owner] of [
    [t.toby, ana],
    [t.luna, luis],
  ] as const) {
    const row = db.selectFrom('dogs').select('owner_id').where('id', '=', dogId)
    assert.is((await row.executeTakeFirstOrThrow()).owner_id, owner.id)
  }
  assert.is((await db.selectFrom('lost_cases').select('id').execute()).length, 2, 'both are still looked for')
})

claims('a claim that is refused leaves the other’s as it is', async (t) => {
  const { db, id, ana, luis, finder } = t
  const first = await addClaim(db, viewerOf(ana), id, 'Una oreja blanca')
  await addClaim(db, viewerOf(luis), id, 'Una cicatriz')
  await decideClaim(db, finder, id, { id: first.id, accept: false })
  assert.equal(await answersFor(t, viewerOf(luis)), ['Una cicatriz: open'])
  assert.is((await refusal(decideClaim(db, viewerOf(ana), id, { id: first.id, accept: true })))[0], 404)
})

claims('a finder reads every answer, page by page, however many came before', async (t) => {
  const { db, id, ana } = t
  const rows = Array.from({ length: 61 }, (_, n) => ({
    id: randomUUID(),
    notice_id: id,
    user_id: ana.id,
    answer: `Respuesta ${n}`,
    state: 'refused' as const,
    // Several at the same time: the id decides.
    created_at: 1 + Math.floor(n / 4),
    decided_at: 1,
  }))
  await db.insertInto('found_claims').values(rows).execute()
  const pages: string[][] = []
  for (let cursor: string | undefined; ;) {
    const notice = await readNotice(db, t.finder, id, undefined, cursor)
    assert.ok(notice.role === 'finder')
    pages.push(notice.claims.map(({ answer }) => answer))
    if (notice.nextCursor === null) break
    cursor = notice.nextCursor
  }
  assert.equal(pluck(pages, 'length'), [30, 30, 1])
  assert.is(new Set(pages.flat()).size, 61)
  assert.is((await refusal(readNotice(db, t.finder, id, undefined, 'x')))[0], 422)
})

claims('an answer of few characters and thousands of code units is too long', async (t) => {
  const family = '👨‍👩‍👧‍👦'
  assert.equal(await refusal(addClaim(t.db, viewerOf(t.ana), t.id, '👩‍'.repeat(4000) + '👩')), [
    422,
    'La respuesta no puede tener más de 200 caracteres.',
  ])
  await addClaim(t.db, viewerOf(t.ana), t.id, family.repeat(18))
})
