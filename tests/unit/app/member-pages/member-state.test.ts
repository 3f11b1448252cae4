import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readMemberState } from '#app/member-pages/member-state.ts'
import { MemberWrites } from '#app/member-pages/member-writes.ts'
import { type Trx as Db, sqliteOf } from '#db/client.ts'
import { createSession, endSession } from '#features/auth/sessions/sessions.server.ts'
import { addComment } from '#features/comments/comments.server.ts'
import { like } from '#features/likes/likes.server.ts'
import { updateProfile } from '#features/profiles/edit/profile-edit.server.ts'
import { sqliteDb } from '#tests/support/db.ts'
import { dog, member, seed } from '#tests/support/seed.ts'

const ADMIN = 'admin@ejemplo.es'
const states = suite<{ db: Db; ana: Awaited<ReturnType<typeof seedMember>>; token: string }>(
  'unit/app/member-pages/member-state',
)
const seedMember = async (db: Db) => (await seed(db, member()))[0]

states.before.each(async (t) => {
  t.db = sqliteDb()
  t.ana = await seedMember(t.db)
  t.token = (await createSession(t.db, t.ana.id)).token
})

states('a session that has ended opens nothing, nor does a made-up token', async (t) => {
  await endSession(t.db, t.token)
  for (const token of [t.token, 'kurz', `${'x'.repeat(29)}100`])
    assert.is(await readMemberState(t.db, token, ADMIN), 'ended')
})

states('a session that is to be renewed is left to the middleware', async (t) => {
  const soon = Math.floor(Date.now() / 1000) + 3600
  await t.db.updateTable('sessions').set({ expires_at: soon }).execute()
  assert.is(await readMemberState(t.db, t.token, ADMIN), null)
})

states('the admin is known by address', async (t) => {
  await t.db.updateTable('users').set({ email: ADMIN }).where('id', '=', t.ana.id).execute()
  const state = await readMemberState(t.db, t.token, ADMIN)
  assert.ok(state && state !== 'ended' && state.isAdmin)
})

states('a like and a comment are remembered as writes, and nothing else', async (t) => {
  const writes = new MemberWrites()
  writes.watch(sqliteOf(t.db))
  const [toby] = await seed(t.db, dog())
  await updateProfile(t.db, t.ana, { alias: 'Otra', emoji: '🐱' })
  assert.is(writes.lastOf(t.ana.id), -Infinity)
  for (const write of [() => like(t.db, t.ana, toby.id), () => addComment(t.db, t.ana, toby.id, 'Qué guapo')]) {
    const before = performance.now()
    await write()
    assert.ok(writes.lastOf(t.ana.id) >= before)
  }
})

states.run()
