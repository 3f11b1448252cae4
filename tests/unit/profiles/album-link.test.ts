import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Trx as Db } from '#db/client.ts'
import { eraseRows } from '#features/account/personal-data/erase-rows.server.ts'
import { missingText } from '#features/profiles/album-link/album-link.ts'
import {
  createAlbumLink,
  findAlbumLink,
  findLinkedMember,
  withdrawAlbumLink,
} from '#features/profiles/album-link/album-link.server.ts'
import { ban, unban } from '#features/moderation/bans.server.ts'
import { addBlock } from '#features/moderation/blocks.server.ts'
import { freshDb } from '#tests/support/db.ts'
import { refusal } from '#tests/support/refusal.ts'
import { member, seed } from '#tests/support/seed.ts'

const link = suite<{ db: Db }>('unit/profiles/album-link')
link.before.each((t) => {
  t.db = freshDb()
})

link('its heading says how many breeds are missing, or that none is', () => {
  assert.is(missingText('Ana', 0), 'A Ana no le falta ninguna raza')
  assert.is(missingText('Ana', 1), 'A Ana le falta 1 raza')
  assert.is(missingText('Ana', 2), 'A Ana le faltan 2 razas')
})

link('a link leads to its member, and the database does not know its token', async ({ db }) => {
  const [ana, luis] = await seed(db, member({ alias: 'Ana', emoji: '🐢' }), member())
  const token = await createAlbumLink(db, ana, 7)
  assert.match(token, /^[\w-]{43}$/)
  for (const viewer of [null, ana.id, luis.id])
    for (const typed of [token, `${token}.`, ` ${token}`])
      assert.equal(await findLinkedMember(db, typed, viewer), { id: ana.id, alias: 'Ana', emoji: '🐢' })
  const [row] = await db.selectFrom('album_links').selectAll().execute()
  assert.not.ok(JSON.stringify(row).includes(token))
  assert.equal(await findAlbumLink(db, ana.id), { created_at: 7 })
})

link('a new link ends the earlier one', async ({ db }) => {
  const [ana] = await seed(db, member())
  const [first, second] = [await createAlbumLink(db, ana), await createAlbumLink(db, ana)]
  assert.is(await findLinkedMember(db, first, null), null)
  assert.is((await findLinkedMember(db, second, null))?.id, ana.id)
})

link('a withdrawn or unknown link leads nowhere', async ({ db }) => {
  const [ana, luis] = await seed(db, member(), member())
  const token = await createAlbumLink(db, ana)
  await withdrawAlbumLink(db, luis.id)
  assert.ok(await findLinkedMember(db, token, null), 'another member withdraws their own alone')
  await withdrawAlbumLink(db, ana.id)
  for (const each of [token, '', 'x', 'x'.repeat(43), `${token}=`])
    assert.is(await findLinkedMember(db, each, null), null)
  assert.is(await findAlbumLink(db, ana.id), null)
})

link('a block between the two holds, either way', async ({ db }) => {
  const [ana, luis, eva] = await seed(db, member(), member(), member())
  const token = await createAlbumLink(db, ana)
  await addBlock(db, ana, luis.id)
  await addBlock(db, eva, ana.id)
  assert.is(await findLinkedMember(db, token, luis.id), null)
  assert.is(await findLinkedMember(db, token, eva.id), null)
  assert.ok(await findLinkedMember(db, token, null))
})

link('a banned member makes none, and theirs rests while the ban lasts', async ({ db }) => {
  const [ana] = await seed(db, member())
  const token = await createAlbumLink(db, ana)
  await ban(db, ana.id, { until: null, reason: 'x' })
  assert.is((await refusal(createAlbumLink(db, ana)))[0], 403)
  assert.is(await findLinkedMember(db, token, null), null)
  await unban(db, ana.id)
  assert.ok(await findLinkedMember(db, token, null))
})

link('a hidden profile’s link leads nowhere, and an erased member’s is deleted', async ({ db }) => {
  const [ana] = await seed(db, member())
  const token = await createAlbumLink(db, ana)
  await db.deleteFrom('profiles_all').where('id', '=', ana.id).execute()
  assert.is(await findLinkedMember(db, token, null), null)
  await eraseRows(db, ana.id)
  assert.equal(await db.selectFrom('album_links').selectAll().execute(), [])
})

link('nobody makes one without a session', async ({ db }) => {
  assert.is((await refusal(createAlbumLink(db, null)))[0], 401)
})

link.run()
