import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readMemberState } from '#app/member-pages/member-state.ts'
import type { Trx as Db } from '#db/client.ts'
import { createSession, endSession } from '#features/auth/sessions/sessions.server.ts'
import { sqliteDb } from '#tests/support/db.ts'
import { member, seed } from '#tests/support/seed.ts'

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

states.run()
