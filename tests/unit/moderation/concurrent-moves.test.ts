import { setTimeout as sleep } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Trx as Db, Trx } from '#db/client.ts'
import { addComment, deleteComment } from '#features/comments/comments.server.ts'
import { quarantineDog, restoreDog } from '#features/dogs/quarantine.server.ts'
import {
  type QuarantineOptions,
  restoreRowsOfDog,
  resumeRestores,
  withRowsInQuarantine,
} from '#features/dogs/quarantined-rows.server.ts'
import { like, unlike } from '#features/likes/likes.server.ts'
import { attachNotifications, detachNotifications } from '#features/notifications/detached-notifications.server.ts'
import { listNotifications } from '#features/notifications/notifications.server.ts'
import { freshDb } from '#tests/support/db.ts'
import { dog, member, seed } from '#tests/support/seed.ts'
import { refuseWrites } from '#tests/support/faults/refused-writes.ts'

// What happens to a dog while its rows move to quarantine or back, which takes many short transactions.

const COMMENT_COUNT = 60

interface World {
  db: Db
  ana: { id: string }
  luis: { id: string }
  /** Ana's, with COMMENT_COUNT comments of Luis, who likes it. */
  toby: { id: string }
  commentIds: string[]
}

const moves = suite<World>('unit/moderation/concurrent-moves')
moves.before.each(async (t) => {
  t.db = freshDb()
  const [ana, luis] = await seed(t.db, member({ alias: 'Ana' }), member({ alias: 'Luis' }))
  const [toby] = await seed(t.db, dog({ name: 'Toby', owner_id: ana.id }))
  Object.assign(t, { ana, luis, toby, commentIds: [] })
  await like(t.db, luis, toby.id)
  for (let i = 0; i < COMMENT_COUNT; i++)
    t.commentIds.push((await addComment(t.db, luis, toby.id, `Qué guapo, ${i}`)).id)
})
moves.after.each(({ db }) => db.destroy())

const quarantineToby =
  ({ toby }: World) =>
  async (trx: Trx, options: QuarantineOptions) =>
    void (await quarantineDog(trx, toby.id, 'admin', Date.now(), options))

const hide = (t: World) => withRowsInQuarantine(t.db, t.toby.id, quarantineToby(t))

/** An edit that moves all rows, is then refused, and so moves them back. */
const refusedEdit = (t: World) =>
  withRowsInQuarantine(t.db, t.toby.id, async (trx, options) => {
    await quarantineToby(t)(trx, options)
    if (!options.isDryRun) throw new Error('refused')
  }).catch(() => 'refused')

const countComments = async (db: Db, table: 'comments' | 'held_comments') =>
  (await db.selectFrom(table).select('id').execute()).length

/** Waits until some comments have moved to quarantine, and not all. */
async function untilMoving({ db }: World): Promise<void> {
  for (;;) {
    const held = await countComments(db, 'held_comments')
    if (held > 0 && held < COMMENT_COUNT) return
    await sleep(0)
  }
}

/** Whether it settles; an endless loop yields, so the timer fires. */
const settles = (work: Promise<unknown>): Promise<boolean> =>
  Promise.race([work.then(() => true), sleep(30_000, false, { ref: false })])

moves('a move back and a new move in do not run against each other', async (t) => {
  await hide(t)
  await t.db.transaction().execute((trx) => restoreDog(trx, t.toby.id))
  // On PostgreSQL the look below would open a connection, which may take longer than the whole move.
  await Promise.all([countComments(t.db, 'comments'), countComments(t.db, 'held_comments')])
  const both = Promise.all([restoreRowsOfDog(t.db, t.toby.id), untilMoving(t).then(() => hide(t))])
  assert.is(await settles(both), true)
  assert.equal([await countComments(t.db, 'comments'), await countComments(t.db, 'held_comments')], [0, COMMENT_COUNT])
})

moves('refused edits at the same time leave every row public', async (t) => {
  assert.is(await settles(Promise.all([refusedEdit(t), refusedEdit(t), refusedEdit(t)])), true)
  assert.equal([await countComments(t.db, 'comments'), await countComments(t.db, 'held_comments')], [COMMENT_COUNT, 0])
  assert.equal(await t.db.selectFrom('detached_lines').selectAll().execute(), [])
})

moves('what a member deletes while rows are away is gone from the history and from bells', async (t) => {
  const edit = refusedEdit(t)
  await untilMoving(t)
  const away = (await t.db.selectFrom('held_comments').select('id').executeTakeFirstOrThrow()).id
  await Promise.all([deleteComment(t.db, t.luis, away), unlike(t.db, t.luis, t.toby.id)])
  assert.is(await edit, 'refused')
  const told = await t.db.selectFrom('events').select('data').where('thing_id', '=', away).execute()
  assert.equal(
    told.map(({ data }) => JSON.parse(data).action),
    ['removed'],
  )
  const likes = await t.db.selectFrom('events').select('data').where('type', '=', 'like').execute()
  assert.not(likes.some(({ data }) => data.includes(t.luis.id) && JSON.parse(data).liked))
  const { notifications } = await listNotifications(t.db, t.ana.id)
  assert.not(notifications.some(({ type }) => type === 'like'))
  assert.is(await countComments(t.db, 'comments'), COMMENT_COUNT - 1)
})

moves('of several like notifications of one bell the newest returns', async (t) => {
  const { db, toby } = t
  const [eva, sol] = await seed(db, member({ alias: 'Eva' }), member({ alias: 'Sol' }))
  // Each like after the detachment of the last notification begins one of its own.
  for (const [i, one] of [eva, sol].entries()) {
    await db.transaction().execute((trx) => detachNotifications(trx, toby.id, 1000))
    await like(db, one, toby.id, Date.now() + i + 1)
  }
  await db.transaction().execute((trx) => detachNotifications(trx, toby.id, 1000))
  const ofLikes = () => db.selectFrom('notifications').select('content').where('type', '=', 'like').execute()
  assert.is((await ofLikes()).length, 3)
  const before = (await ofLikes()).at(-1)
  while ((await db.transaction().execute((trx) => attachNotifications(trx, toby.id, 2))) === 2);
  assert.equal(await ofLikes(), [before!])
  assert.equal(await db.selectFrom('detached_lines').selectAll().execute(), [])
})

moves('a dog that cannot be repaired at the start does not keep others from it', async (t) => {
  const [kira] = await seed(t.db, dog({ name: 'Kira', owner_id: t.ana.id }))
  await addComment(t.db, t.luis, kira.id, 'Hola')
  for (const { id } of [t.toby, kira]) {
    await withRowsInQuarantine(
      t.db,
      id,
      async (trx, options) => void (await quarantineDog(trx, id, 'admin', 1, options)),
    )
    await t.db.transaction().execute((trx) => restoreDog(trx, id))
  }
  // A row that the table refuses.
  await refuseWrites(t.db, {
    table: 'comments_all',
    event: 'INSERT',
    when: `new.dog_id = '${t.toby.id}'`,
    message: 'refused',
  })
  const logError = console.error
  const logged: unknown[][] = []
  console.error = (...args: unknown[]) => void logged.push(args)
  await resumeRestores(t.db).finally(() => (console.error = logError))
  assert.equal(
    logged.map(([, id]) => id),
    [t.toby.id],
  )
  assert.is((await t.db.selectFrom('comments').select('id').where('dog_id', '=', kira.id).execute()).length, 1)
})

moves.run()
