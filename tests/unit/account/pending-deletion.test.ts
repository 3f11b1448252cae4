import { VIEWS } from '#db/content.ts'
import { runDueDeletions } from '#features/account/deletion/due-deletions.server.ts'
import { inspectDeletionLink } from '#features/account/deletion/deletion-state.server.ts'
import { restoreByLink, restoreBySession } from '#features/account/deletion/restore-account.server.ts'
import { deleteAccount, eraseLeavingAccount } from '#features/account/erase.server.ts'
import { createSession, findSessionHolder, readSession, toSessionId } from '#features/auth/sessions/sessions.server.ts'
import { findLeavingAccount } from '#features/auth/sessions/sessions.server.ts'
import { ensureUser } from '#features/auth/users.server.ts'
import { addComment } from '#features/comments/comments.server.ts'
import { deleteDog } from '#features/dogs/write/edit.server.ts'
import type { DogsChoice } from '#features/dogs/member-roles.server.ts'
import { ban, findActiveBan } from '#features/moderation/bans.server.ts'
import { findHidden } from '#features/moderation/content.server.ts'
import { isAliasTaken } from '#features/profiles/alias-holders.server.ts'
import { DAY_MS } from '#lib/time.ts'
import { toProblem } from '#server/problem.ts'
import {
  copyLeaving,
  decide,
  disposeOriginal,
  DOG_WORDS,
  findWords,
  type Leaving,
  PERSONAL_WORDS,
} from '#tests/support/account/leaving-member.ts'
import {
  aliasOf,
  copyInSight,
  dispose,
  leave,
  PUBLIC_TABLES,
  readPublic,
  readTables,
  toComparable,
} from '#tests/support/account/pending-deletion.ts'
import { listBrokenReferences } from '#tests/support/rows.ts'
import { withRecentSignIn } from '#tests/support/seed.ts'
import { assert, assertNone, listDriftedCounts, suite } from '#tests/support/suites.ts'

// An account that waits for its deletion is for all readers as if it were erased, and comes back whole.

const CHOICES: readonly DogsChoice[] = ['delete', 'keep']

const stateOf = async ({ db, ana }: Leaving) =>
  (await db.selectFrom('account_deletions').select('state').where('user_id', '=', ana.id).executeTakeFirst())?.state

async function assertRefused(status: number, text: RegExp | string, action: () => Promise<unknown>): Promise<void> {
  try {
    await action()
  } catch (error) {
    const problem = toProblem(error)
    assert.is(problem.status, status)
    assert.match(String((await problem.json()).detail), text)
    return
  }
  assert.unreachable('refused')
}

const pending = suite('unit/account/pending-deletion')
pending.after(disposeOriginal)

for (const dogs of CHOICES)
  for (const [whose, copy] of [
    ['in sight', copyInSight],
    ['hidden by the admin', copyLeaving],
  ] as const)
    pending(`what others read is as after the erasure, row by row: ${dogs}, profile ${whose}`, async () => {
      const [erased, waiting] = [await copy(), await copy()]
      const alias = await aliasOf(erased.db, erased.ana.id)
      await deleteAccount(erased.db, erased.dataDir, withRecentSignIn(erased.ana), { dogs, alias })
      await leave(waiting, dogs)
      assert.is(await stateOf(waiting), 'waiting')
      assert.equal(await readPublic(waiting.db), await readPublic(erased.db))
      const bells = async ({ db, ana }: Leaving) =>
        toComparable(await db.selectFrom('notifications').selectAll().where('user_id', '!=', ana.id).execute())
      // What the admin is told of open cases stays until they are erased.
      const ofOthers = (await bells(waiting)).filter((row) => !row.includes(waiting.admin.id))
      assert.equal(
        ofOthers,
        (await bells(erased)).filter((row) => !row.includes(waiting.admin.id)),
      )
      const events = await waiting.db.selectFrom('events').selectAll().execute()
      assertNone(events, (event) => JSON.stringify(event).includes(waiting.ana.id))
      assert.equal(await listDriftedCounts(waiting.db), [])
      assert.equal(listBrokenReferences(waiting.db), [])
      await dispose(erased)
      await dispose(waiting)
    })

for (const dogs of CHOICES)
  for (const by of ['link', 'session'] as const)
    pending(`undone by ${by}, everything is back as it was: ${dogs}`, async () => {
      const leaving = await copyInSight()
      const { db, ana } = leaving
      const tables = [
        ...PUBLIC_TABLES,
        ...Object.keys(VIEWS).map((view) => `${view}_all`),
        'users',
        'passkeys',
        'notice_settings',
        'digests',
        'blocks',
        'opinion_requests',
      ]
      const others = ['cases', 'decisions', 'decision_people', 'reports']
      const before = await readTables(db, [...tables, ...others])
      const { token } = await leave(leaving, dogs)
      if (by === 'link') await restoreByLink(db, token)
      else await restoreBySession(db, ana)
      const after = await readTables(db, [...tables, ...others])
      // What others ask of her is theirs to ask again, and who likes their dogs is named anew.
      const isHers = (row: string) => row.includes(JSON.stringify(['user_id', ana.id]))
      for (const each of [before, after]) {
        for (const table of ['ownership_requests', 'ownership_requests_all']) each[table] = each[table]!.filter(isHers)
        const isNoLike = (row: string) => !row.includes(JSON.stringify(['type', 'like']))
        each.notifications_all = each.notifications_all!.filter((row) => isHers(row) || isNoLike(row))
        assert.ok(each.notifications_all.some((row) => !isHers(row) && row.includes(ana.id)))
      }
      assert.equal(after, before)
      assert.is(await stateOf(leaving), undefined)
      assert.equal(await db.selectFrom('left_roles').selectAll().execute(), [])
      assert.equal(await listDriftedCounts(db), [])
      await dispose(leaving)
    })

for (const dogs of CHOICES)
  pending(`once it is due, nothing is left, as after an erasure at once: ${dogs}`, async () => {
    const leaving = await copyInSight()
    const { db, dataDir } = leaving
    const now = Date.now()
    await leave(leaving, dogs, now)
    await runDueDeletions(db, dataDir, { now: now + 7 * DAY_MS - 1 })
    assert.is(await stateOf(leaving), 'waiting')
    await runDueDeletions(db, dataDir, { now: now + 7 * DAY_MS })
    const words = dogs === 'delete' ? [...PERSONAL_WORDS, ...DOG_WORDS] : PERSONAL_WORDS
    assert.equal(await findWords(db, words), [])
    assert.equal(await listDriftedCounts(db), [])
    assert.equal(listBrokenReferences(db), [])
    await dispose(leaving)
  })

pending('nothing of the account works while it waits, and its alias and address stay taken', async () => {
  const leaving = await copyInSight()
  const { db, ana, luna } = leaving
  const alias = await aliasOf(db, ana.id)
  const before = await createSession(db, ana.id)
  await leave(leaving, 'keep')
  assert.is(await findLeavingAccount(db, toSessionId(before.token)), null, 'sessions ended')
  const { token } = await createSession(db, (await ensureUser(db, ana.email!)).id)
  assert.is(await readSession(db, token), null)
  assert.is(await findSessionHolder(db, token), null)
  assert.is((await findLeavingAccount(db, toSessionId(token)))?.id, ana.id)
  assert.ok(await isAliasTaken(db, alias))
  await assertRefused(401, 'Tu sesión ha terminado', () => addComment(db, ana, luna, 'Hola'))
  await assertRefused(401, 'Tu sesión ha terminado', () => leave(leaving, 'delete'))
  assert.is((await db.selectFrom('account_deletions').selectAll().execute()).length, 1)
  await dispose(leaving)
})

pending('what the admin decides meanwhile holds after the return, and nothing of hers can be published', async () => {
  const leaving = await copyInSight()
  const { db, ana, toby, paco, comment, heldComment } = leaving
  const { token } = await leave(leaving, 'delete')
  const waits = 'Su cuenta está pendiente de borrarse'
  await assertRefused(409, waits, () => decide(leaving, 'dog', paco, 'restore'))
  await assertRefused(409, waits, () => decide(leaving, 'dog', toby, 'restore'))
  await assertRefused(409, waits, () => decide(leaving, 'comment', heldComment, 'restore'))
  await decide(leaving, 'dog', toby, 'hide', 'Porque sí.')
  await decide(leaving, 'comment', comment, 'hide', 'Porque sí.')
  await decide(leaving, 'profile', ana.id, 'hide', 'Porque sí.')
  await db.transaction().execute((trx) => ban(trx, ana.id, { until: null, reason: 'Porque sí.' }))
  await restoreByLink(db, token)
  for (const [kind, id] of [
    ['dog', toby],
    ['comment', comment],
    ['profile', ana.id],
  ] as const)
    assert.is((await findHidden(db, kind, id))?.cause, 'admin', kind)
  assert.ok(await findActiveBan(db, ana.id))
  await decide(leaving, 'dog', toby, 'restore')
  await dispose(leaving)
})

pending('a ban of before or of these days bars the address once the account is erased', async () => {
  const leaving = await copyInSight()
  const { db, dataDir, ana } = leaving
  await leave(leaving, 'keep')
  await db.transaction().execute((trx) => ban(trx, ana.id, { until: null, reason: 'Porque sí.' }))
  await runDueDeletions(db, dataDir, { now: Date.now() + 7 * DAY_MS })
  await assertRefused(403, '', () => ensureUser(db, ana.email!))
  await dispose(leaving)
})

pending('what others deleted or took meanwhile stays so', async () => {
  const leaving = await copyInSight()
  const { db, dataDir, luis, luna, found, shared } = leaving
  const { token } = await leave(leaving, 'keep')
  await deleteDog(db, dataDir, luis, luna)
  await db.updateTable('dogs_all').set({ discoverer_id: luis.id }).where('id', '=', found).execute()
  await restoreByLink(db, token)
  const dog = (id: string) =>
    db.selectFrom('dogs').select('discoverer_id').where('id', '=', id).executeTakeFirstOrThrow()
  assert.is((await dog(found)).discoverer_id, luis.id)
  assert.is((await dog(shared)).discoverer_id, leaving.ana.id)
  for (const table of ['comments_all', 'dog_likes_all'] as const)
    assert.equal(await db.selectFrom(table).select('id').where('dog_id', '=', luna).execute(), [])
  assert.equal(await listDriftedCounts(db), [])
  assert.equal(listBrokenReferences(db), [])
  await dispose(leaving)
})

for (const first of ['ana', 'luis'] as const)
  pending(`of a dog whose two members leave with it, each gets their part back: ${first} first`, async () => {
    const leaving = await copyInSight()
    const { db, shared } = leaving
    const tokens = {
      ana: (await leave(leaving, 'delete')).token,
      luis: (await leave({ ...leaving, ana: leaving.luis }, 'delete')).token,
    }
    const roles = () =>
      db.selectFrom('dogs').select(['owner_id', 'discoverer_id']).where('id', '=', shared).executeTakeFirst()
    assert.is(await roles(), undefined)
    await restoreByLink(db, tokens[first])
    const half = await roles()
    assert.equal(
      half,
      first === 'ana'
        ? { owner_id: null, discoverer_id: leaving.ana.id }
        : { owner_id: leaving.luis.id, discoverer_id: null },
    )
    await restoreByLink(db, tokens[first === 'ana' ? 'luis' : 'ana'])
    assert.equal(await roles(), { owner_id: leaving.luis.id, discoverer_id: leaving.ana.id })
    assert.equal(await listDriftedCounts(db), [])
    await dispose(leaving)
  })

pending('a link works once and for seven days; a wrong one changes nothing', async () => {
  const leaving = await copyInSight()
  const { db, ana } = leaving
  const now = Date.now()
  const { token, dueAt, addresses } = await leave(leaving, 'keep', now)
  assert.equal(addresses, [ana.email])
  assert.equal(await inspectDeletionLink(db, token), { state: 'open', dueAt, dogs: 'keep' })
  assert.equal(await inspectDeletionLink(db, token, dueAt), { state: 'late' })
  assert.equal(await inspectDeletionLink(db, 'otro'), { state: 'unknown' })
  await assertRefused(410, 'Han pasado los 7 días', () => restoreByLink(db, token, dueAt))
  await assertRefused(410, 'Han pasado los 7 días', () => restoreBySession(db, ana, dueAt))
  await assertRefused(404, 'Este enlace ya no sirve', () => restoreByLink(db, 'otro'))
  assert.is(await stateOf(leaving), 'waiting')
  const both = await Promise.allSettled([restoreByLink(db, token), restoreBySession(db, ana)])
  assert.ok(both.some(({ status }) => status === 'fulfilled'))
  await assertRefused(404, 'Este enlace ya no sirve', () => restoreByLink(db, token))
  await assertRefused(404, 'no está pendiente de borrarse', () => restoreBySession(db, ana))
  assert.equal(await inspectDeletionLink(db, token), { state: 'unknown' })
  await dispose(leaving)
})

pending('who signed in erases it at once with a fresh proof alone', async () => {
  const leaving = await copyInSight()
  const { db, dataDir, ana } = leaving
  await assertRefused(404, 'no está pendiente', () => eraseLeavingAccount(db, dataDir, withRecentSignIn(ana)))
  await leave(leaving, 'delete')
  await assertRefused(403, 'Para tu seguridad', () =>
    eraseLeavingAccount(db, dataDir, { id: ana.id, authenticatedAt: 0 }),
  )
  assert.is(await stateOf(leaving), 'waiting')
  await eraseLeavingAccount(db, dataDir, withRecentSignIn(ana))
  assert.equal(await findWords(db, [...PERSONAL_WORDS, ...DOG_WORDS]), [])
  await dispose(leaving)
})
