import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { MemberStates } from '#app/member-pages/member-states.ts'
import { installMemberTriggers } from '#app/member-pages/member-triggers.ts'
import { type Db, sqliteOf } from '#db/client.ts'
import { countStatements } from '#db/statement-count.ts'
import { createSession, endSession, markRecentlyAuthenticated } from '#features/auth/sessions/sessions.server.ts'
import { addComment } from '#features/comments/comments.server.ts'
import type { Dog } from '#features/dogs/dogs.ts'
import { like, unlike } from '#features/likes/likes.server.ts'
import { addBlock, removeBlock } from '#features/moderation/blocks.server.ts'
import { markAllRead, notify } from '#features/notifications/notifications.server.ts'
import { requestOwnership } from '#features/dogs/ownership/ownership.server.ts'
import { updateProfile } from '#features/profiles/edit/profile-edit.server.ts'
import type { CurrentUser } from '#lib/auth/current-user.ts'
import { holdComment } from '#tests/support/moderation/held-comment.ts'
import { sqliteDb } from '#tests/support/db.ts'
import { dog, member, seed } from '#tests/support/seed.ts'

interface Context {
  db: Db
  states: MemberStates
  ana: CurrentUser
  bea: CurrentUser
  toby: Dog
  found: Dog
  token: string
}
const states = suite<Context>('unit/app/member-pages/member-states')

states.before.each(async (t) => {
  t.db = sqliteDb()
  t.states = new MemberStates(t.db, 'admin@ejemplo.es')
  installMemberTriggers(sqliteOf(t.db), {
    onState: (userId, part) => t.states.forgetPart(userId, part),
    onWrite: (userId) => t.states.noteWrite(userId),
    onSession: (id) => t.states.forgetSession(id),
  })
  ;[t.ana, t.bea, t.toby] = await seed(t.db, member(), member(), dog())
  ;[t.found] = await seed(t.db, dog({ discoverer_id: t.bea.id }))
  t.token = (await createSession(t.db, t.ana.id)).token
})

/** The member's state, and the same read anew: what is remembered must be what is there. */
async function readTwice({ db, states, token }: Context) {
  const remembered = await states.find(token)
  const fresh = await new MemberStates(db, 'admin@ejemplo.es').find(token)
  return [remembered, fresh]
}

/** Ends the name of a change that takes back another. */
const UNDONE = 'taken back'

const CHANGES: Record<string, (t: Context) => Promise<unknown>> = {
  'their alias': (t) => updateProfile(t.db, t.ana, { alias: 'Otra', emoji: '🐱' }),
  'their address': (t) =>
    t.db.updateTable('users').set({ email: 'otra@ejemplo.es' }).where('id', '=', t.ana.id).execute(),
  'a like of theirs': (t) => like(t.db, t.ana, t.toby.id),
  'a like taken back': async (t) => {
    await like(t.db, t.ana, t.toby.id)
    await t.states.find(t.token)
    await unlike(t.db, t.ana, t.toby.id)
  },
  'a dog of theirs': (t) => seed(t.db, dog({ owner_id: t.ana.id })),
  'a notification': (t) => notify(t.db, { userId: t.ana.id, type: 'other', title: 'Hola', content: 'Qué tal' }),
  'a notification that is read, and so taken back': async (t) => {
    await notify(t.db, { userId: t.ana.id, type: 'other', title: 'Hola', content: 'Qué tal' })
    await t.states.find(t.token)
    await markAllRead(t.db, t.ana)
  },
  'a block by them': (t) => addBlock(t.db, t.ana, t.bea.id),
  'a block by the other': (t) => addBlock(t.db, t.bea, t.ana.id),
  'a block taken back': async (t) => {
    await addBlock(t.db, t.bea, t.ana.id)
    await t.states.find(t.token)
    await removeBlock(t.db, t.bea, t.ana.id)
  },
  'a comment in quarantine': (t) => holdComment(t.db, t.ana, t.toby.id, 'Vendo cachorros, llama al 600 000 000'),
  'a request for ownership': (t) => requestOwnership(t.db, t.ana, t.found.id),
}

for (const [name, change] of Object.entries(CHANGES))
  states(`after ${name} the state is what is there`, async (t) => {
    const before = await t.states.find(t.token)
    assert.ok(before && before !== 'ended')
    assert.is(t.states.recall(t.token), before)
    await change(t)
    assert.is(t.states.recall(t.token), undefined)
    const [remembered, fresh] = await readTwice(t)
    assert.equal(remembered, fresh)
    if (!name.endsWith(UNDONE)) assert.not.equal(remembered, before)
  })

states('a session that has ended opens nothing, wherever it was ended', async (t) => {
  await t.states.find(t.token)
  await endSession(t.db, t.token)
  assert.is(t.states.recall(t.token), undefined)
  assert.is(await t.states.find(t.token), 'ended')
})

states('a session that is to be renewed is left to the middleware', async (t) => {
  await t.states.find(t.token)
  const soon = Math.floor(Date.now() / 1000) + 3600
  await t.db.updateTable('sessions').set({ expires_at: soon }).execute()
  assert.is(t.states.recall(t.token), undefined)
  assert.is(await t.states.find(t.token), null)
})

states('a change while a state is read keeps it from being remembered', async (t) => {
  await t.states.find(t.token)
  t.states.forgetPart(t.ana.id, 'unread')
  const reading = t.states.find(t.token)
  t.states.forgetPart(t.ana.id, 'unread')
  assert.ok(await reading)
  assert.is(t.states.recall(t.token), undefined)
  await t.states.find(t.token)
  assert.ok(t.states.recall(t.token))
  await markRecentlyAuthenticated(t.db, t.token)
  assert.is(t.states.recall(t.token), undefined)
})

states('after a like only the likes are read again, and the owner’s unread notifications', async (t) => {
  const [dogOfBea] = await seed(t.db, dog({ owner_id: t.bea.id }))
  const { token: tokenOfBea } = await createSession(t.db, t.bea.id)
  for (const token of [t.token, tokenOfBea]) await t.states.find(token)
  await like(t.db, t.ana, dogOfBea.id)
  for (const token of [t.token, tokenOfBea]) {
    const before = countStatements()
    const state = await t.states.find(token)
    assert.is(countStatements() - before, 1)
    assert.equal(state, await new MemberStates(t.db, 'admin@ejemplo.es').find(token))
  }
})

states('a like and a comment are remembered as writes, and nothing else', async (t) => {
  assert.is(t.states.lastWriteAt(t.ana.id), -Infinity)
  await updateProfile(t.db, t.ana, { alias: 'Otra', emoji: '🐱' })
  assert.is(t.states.lastWriteAt(t.ana.id), -Infinity)
  for (const write of [() => like(t.db, t.ana, t.toby.id), () => addComment(t.db, t.ana, t.toby.id, 'Qué guapo')]) {
    const before = performance.now()
    await write()
    assert.ok(t.states.lastWriteAt(t.ana.id) >= before)
  }
})

states('made-up tokens are not remembered', async (t) => {
  for (let n = 0; n < 100; n++) assert.is(await t.states.find(`${'x'.repeat(29)}${100 + n}`), 'ended')
  assert.is(await t.states.find('kurz'), 'ended')
})

states('the admin is known by address', async (t) => {
  await t.db.updateTable('users').set({ email: 'admin@ejemplo.es' }).where('id', '=', t.ana.id).execute()
  const state = await t.states.find(t.token)
  assert.ok(state && state !== 'ended' && state.isAdmin)
})

states.run()
