import { randomUUID } from 'node:crypto'
import { MemberPage } from '#app/page-cache/cached-pages.ts'
import { findReader, isSharedWith, type PageReader } from '#app/page-cache/reader.ts'
import { createSession, endSession } from '#features/auth/sessions/sessions.server.ts'
import { blockMember } from '#features/reports/blocks/block-member.server.ts'
import { assert, type Db, dbSuite, dog, member, seed } from '#tests/support/suites.ts'

const ADMIN = 'admin@ejemplo.es'
const states = dbSuite('unit/app/page-cache/reader', { ana: member() }, async ({ db, ana }) => ({
  token: (await createSession(db, ana.id)).token,
}))

states('a session that has ended opens nothing, nor does a made-up token', async (t) => {
  await endSession(t.db, t.token)
  for (const token of [t.token, 'kurz', `${'x'.repeat(29)}100`])
    assert.is(await findReader(t.db, token, ADMIN), 'ended')
})

states('a session that is to be renewed is left to the middleware', async (t) => {
  const soon = Math.floor(Date.now() / 1000) + 3600
  await t.db.updateTable('sessions').set({ expires_at: soon }).execute()
  assert.is(await findReader(t.db, t.token, ADMIN), null)
})

states('the admin is known by address', async (t) => {
  await t.db.updateTable('users').set({ email: ADMIN }).where('id', '=', t.ana.id).execute()
  const state = await findReader(t.db, t.token, ADMIN)
  assert.ok(state && state !== 'ended' && state.isAdmin)
})

const ID = '3f0a7a52-9d53-4a8e-8c39-8a1f7a0c2b11'
const shares = async ({ db, ana }: { db: Db; ana: { id: string } }, html: string, isOfDog = false) => {
  const rendered = { status: 200, headers: [], body: Buffer.from(html), reads: null, expires: Infinity }
  const reader = { userId: ana.id, isAdmin: false, texts: {} as PageReader['texts'], fingerprint: '', liked: null }
  return isSharedWith(db, reader, new MemberPage('/perros', rendered), isOfDog)
}

states('a page is not shared with whose dog it shows, nor across a block with anybody whom it names', async (t) => {
  const named = [`<a href="/usuario/${ID}">Eva</a>`, `<p data-liker="${ID}">`, `<article data-owner="${ID}">`]
  for (const html of named) assert.ok(await shares(t, html), html)
  for (const name of ['owner', 'discoverer'])
    assert.not.ok(await shares(t, `<article data-${name}="${t.ana.id}">`), name)
  assert.ok(await shares(t, `<a href="/usuario/${t.ana.id}">Ana</a>`), 'who is only named shares it')
  await seed(t.db, member({ id: ID }))
  await blockMember(t.db, t.ana, ID)
  for (const html of [...named, `<article data-discoverer="${ID}">`]) assert.not.ok(await shares(t, html), html)
  assert.ok(await shares(t, '<p>Nadie</p>'))
})

states('a dog’s page is not shared with who sees there what nobody else does', async (t) => {
  const [toby] = await seed(t.db, dog())
  const comment = { id: randomUUID(), dog_id: toby.id, user_id: t.ana.id, content: '¡Guapo!', hidden: 1, created_at: 1 }
  assert.ok(await shares(t, '<p>Nadie</p>', true))
  await t.db.insertInto('comments_all').values(comment).execute()
  assert.not.ok(await shares(t, '<p>Nadie</p>', true))
  assert.ok(await shares(t, '<p>Nadie</p>'))
})
