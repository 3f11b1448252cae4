import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Trx as Db } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { ban } from '#features/moderation/bans.server.ts'
import { addBlock } from '#features/moderation/blocks.server.ts'
import { eraseRows } from '#features/account/personal-data/erase-rows.server.ts'
import { createYearLink, findYearByToken, hasYearLink, revokeYearLink } from '#features/years/links.server.ts'
import { deleteExpiredRows } from '#features/account/personal-data/expired-rows.server.ts'
import { readYearSummary } from '#features/years/summary.server.ts'
import type { CurrentUser } from '#lib/auth/current-user.ts'
import { freshDb } from '#tests/support/db.ts'
import { refusal } from '#tests/support/refusal.ts'
import { readStoredRows } from '#tests/support/rows.ts'
import { member, seed } from '#tests/support/seed.ts'

const NOW = Date.parse('2026-12-10T12:00:00Z')

interface World {
  db: Db
  ana: CurrentUser
  bea: CurrentUser
}
const links = suite<World>('unit/years/links')
links.before.each(async (t) => {
  t.db = freshDb()
  ;[t.ana, t.bea] = await seed(t.db, member(), member())
})

links('a link shows its year until it is replaced or taken back', async ({ db, ana, bea }) => {
  const token = await createYearLink(db, ana.id, 2026, NOW)
  assert.match(token, /^[\w-]{43}$/)
  assert.is(await findYearByToken(db, 2026, token, null, NOW), ana.id)
  assert.is(await findYearByToken(db, 2026, token, bea.id, NOW), ana.id)
  assert.is(await findYearByToken(db, 2025, token, null, NOW), null, 'another year')
  assert.is(await findYearByToken(db, 2026, `${token}x`, null, NOW), null)
  assert.not.ok(JSON.stringify(await readStoredRows(db)).includes(token), 'only a hash is stored')

  const next = await createYearLink(db, ana.id, 2026, NOW)
  assert.is(await findYearByToken(db, 2026, token, null, NOW), null)
  assert.is(await findYearByToken(db, 2026, next, null, NOW), ana.id)
  await revokeYearLink(db, bea.id, 2026)
  assert.ok(await hasYearLink(db, ana.id, 2026), 'another’s link is not taken back')
  await revokeYearLink(db, ana.id, 2026)
  assert.is(await findYearByToken(db, 2026, next, null, NOW), null)
  assert.not.ok(await hasYearLink(db, ana.id, 2026))
})

links('a link shows nothing of a hidden, banned or leaving member, nor across a block', async ({ db, ana, bea }) => {
  const token = await createYearLink(db, ana.id, 2026, NOW)
  const shown = (viewer: string | null = null) => findYearByToken(db, 2026, token, viewer, NOW)
  await transact(db, (trx) => addBlock(trx, bea, ana.id, NOW))
  assert.equal([await shown(bea.id), await shown()], [null, ana.id])
  await transact(db, (trx) => ban(trx, ana.id, { until: null, reason: 'Insultos' }, NOW))
  assert.is(await shown(), null)
  assert.is((await refusal(createYearLink(db, ana.id, 2026, NOW)))[0], 403)
  await db.deleteFrom('bans').execute()
  assert.is(await shown(), ana.id)
  await db.deleteFrom('profiles_all').where('id', '=', ana.id).execute()
  assert.is(await shown(), null)
})

links('an account takes its links along', async ({ db, ana }) => {
  await createYearLink(db, ana.id, 2026, NOW)
  await eraseRows(db, ana.id)
  assert.not.ok(await hasYearLink(db, ana.id, 2026))
})

links('years and links go when the next year is over', async ({ db, ana }) => {
  for (const year of [2025, 2026]) {
    await createYearLink(db, ana.id, year, NOW)
    await readYearSummary(db, ana.id, year, NOW)
  }
  assert.is(await deleteExpiredRows(db, NOW, ['member_years', 'year_links']), 0, 'in December both can be seen')
  assert.is(await deleteExpiredRows(db, Date.parse('2026-12-31T23:00:00Z'), ['member_years', 'year_links']), 2)
  assert.not.ok(await hasYearLink(db, ana.id, 2025))
  assert.ok(await hasYearLink(db, ana.id, 2026))
})

links.run()
