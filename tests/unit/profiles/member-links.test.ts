import { eraseRows } from '#features/account/personal-data/erase-rows.server.ts'
import { deleteExpiredRows } from '#features/account/personal-data/expired-rows.server.ts'
import { ban, unban } from '#features/moderation/bans.server.ts'
import { addBlock } from '#features/moderation/blocks.server.ts'
import { missingText } from '#features/profiles/album-link/album-link.ts'
import {
  ALBUM_LINK,
  createMemberLink,
  findLinkedMember,
  findMemberLink,
  type LinkedThing,
  endMemberLink,
} from '#features/profiles/member-links.server.ts'
import { readYearSummary } from '#features/years/summary.server.ts'
import { yearLink } from '#features/years/years.ts'
import { readStoredRows } from '#tests/support/rows.ts'
import { assert, dbSuite, member, refusal, seed, type WorldOf } from '#tests/support/suites.ts'

const NOW = Date.parse('2026-12-10T12:00:00Z')

const link = dbSuite('unit/profiles/member-links', { ana: member({ alias: 'Ana', emoji: '🐢' }), luis: member() })
type World = WorldOf<typeof link>

link('the heading of an album says how many breeds are missing, or that none is', () => {
  assert.is(missingText('Ana', 0), 'A Ana no le falta ninguna raza')
  assert.is(missingText('Ana', 1), 'A Ana le falta 1 raza')
  assert.is(missingText('Ana', 2), 'A Ana le faltan 2 razas')
})

for (const [name, thing] of Object.entries<LinkedThing>({ album: ALBUM_LINK, year: yearLink(2026) })) {
  const create = ({ db, ana }: World) => createMemberLink(db, ana, thing, NOW)
  const open = ({ db }: World, token: string, viewer: string | null = null) =>
    findLinkedMember(db, thing, token, viewer, NOW)

  link(`a link to an ${name} leads to its member, and the database does not know its token`, async (t) => {
    const token = await create(t)
    assert.match(token, /^[\w-]{43}$/)
    for (const viewer of [null, t.ana.id, t.luis.id])
      for (const typed of [token, `${token}.`, ` ${token}`])
        assert.equal(await open(t, typed, viewer), { id: t.ana.id, alias: 'Ana', emoji: '🐢' })
    for (const other of [ALBUM_LINK, yearLink(2025), yearLink(2026)])
      if (other.about !== thing.about) assert.is(await findLinkedMember(t.db, other, token, null, NOW), null)
    assert.not.ok(JSON.stringify(await readStoredRows(t.db)).includes(token))
    assert.equal(await findMemberLink(t.db, t.ana.id, thing), { created_at: NOW })
  })

  link(`a link to an ${name} that was replaced, withdrawn or never made leads nowhere`, async (t) => {
    const [first, second] = [await create(t), await create(t)]
    assert.is(await open(t, first), null)
    await endMemberLink(t.db, t.luis.id, thing)
    assert.ok(await open(t, second), 'another member withdraws their own alone')
    await endMemberLink(t.db, t.ana.id, thing)
    for (const each of [second, '', 'x', 'x'.repeat(43), `${second}=`, `${second}x`])
      assert.is(await open(t, each), null)
    assert.is(await findMemberLink(t.db, t.ana.id, thing), null)
  })

  link(`a block between the two holds for a link to an ${name}, either way`, async (t) => {
    const [eva] = await seed(t.db, member())
    const token = await create(t)
    await addBlock(t.db, t.ana, t.luis.id)
    await addBlock(t.db, eva, t.ana.id)
    assert.equal([await open(t, token, t.luis.id), await open(t, token, eva.id)], [null, null])
    assert.ok(await open(t, token))
  })

  link(`a banned member makes no link to an ${name}, and theirs rests while the ban lasts`, async (t) => {
    const token = await create(t)
    await ban(t.db, t.ana.id, { until: null, reason: 'x' })
    assert.equal([(await refusal(create(t)))[0], await open(t, token)], [403, null])
    await unban(t.db, t.ana.id)
    assert.ok(await open(t, token))
    assert.is((await refusal(createMemberLink(t.db, null, thing)))[0], 401)
  })

  link(`a hidden profile’s link to an ${name} leads nowhere, and an erased member’s is deleted`, async (t) => {
    const token = await create(t)
    await t.db.deleteFrom('profiles_all').where('id', '=', t.ana.id).execute()
    assert.is(await open(t, token), null)
    await eraseRows(t.db, t.ana.id)
    assert.equal(await t.db.selectFrom('secrets').selectAll().execute(), [])
  })
}

link('years and links go when the next year is over', async ({ db, ana }) => {
  for (const year of [2025, 2026]) {
    await createMemberLink(db, ana, yearLink(year), NOW)
    await readYearSummary(db, ana.id, year, NOW)
  }
  assert.is(await deleteExpiredRows(db, NOW, ['member_years', 'secrets']), 0, 'in December both can be seen')
  assert.is(await deleteExpiredRows(db, Date.parse('2026-12-31T23:00:00Z'), ['member_years', 'secrets']), 2)
  assert.is(await findMemberLink(db, ana.id, yearLink(2025)), null)
  assert.ok(await findMemberLink(db, ana.id, yearLink(2026)))
})
