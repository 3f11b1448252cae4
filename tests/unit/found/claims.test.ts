import { randomUUID } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Trx as Db } from '#db/client.ts'
import { finderSecret } from '#features/contact/finder-secret.server.ts'
import { addClaim, decideClaim } from '#features/found/claims.server.ts'
import type { FoundViewer } from '#features/found/found.ts'
import { matchNotice } from '#features/found/matching.server.ts'
import { readNotice } from '#features/found/notice.server.ts'
import type { CurrentUser } from '#lib/auth/current-user.ts'
import type { Dog } from '#features/dogs/dogs.ts'
import { freshDb } from '#tests/support/db.ts'
import { addNotice } from '#tests/support/found/notice-row.ts'
import { addLostCase } from '#tests/support/lost/lost-case.ts'
import { refusal } from '#tests/support/refusal.ts'
import { dog, member, seed } from '#tests/support/seed.ts'

interface World {
  db: Db
  ana: CurrentUser
  luis: CurrentUser
  toby: Dog
  luna: Dog
  id: string
  finder: FoundViewer
}
const claims = suite<World>('unit/found/claims')
claims.before.each(async (t) => {
  t.db = freshDb()
  ;[t.ana, t.toby, t.luis, t.luna] = await seed(t.db, member(), dog(), member(), dog())
  await addLostCase(t.db, { dog_id: t.toby.id, owner_id: t.ana.id })
  await addLostCase(t.db, { dog_id: t.luna.id, owner_id: t.luis.id })
  const { secret, hash } = finderSecret()
  t.id = await addNotice(t.db, { shown_lat: 40.306, shown_lon: -3.731, secret_hash: hash })
  await t.db.insertInto('found_photos').values({ notice_id: t.id, data: 'x', width: 1, height: 1 }).execute()
  t.finder = { userId: null, secrets: new Map([[t.id, secret]]) }
  await matchNotice(t.db, t.id)
})
claims.after.each(({ db }) => db.destroy())

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
  assert.equal(
    pages.map(({ length }) => length),
    [30, 30, 1],
  )
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

claims.run()
