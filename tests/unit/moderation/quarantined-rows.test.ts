import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Trx as Db, Trx } from '#db/client.ts'
import { migrations } from '#db/migrations/index.ts'
import { exportJson } from '#features/account/export/export-json.server.ts'
import { addComment, deleteComment } from '#features/comments/comments.server.ts'
import { requestOwnership } from '#features/dogs/ownership/ownership.server.ts'
import { quarantineDog, restoreDog } from '#features/dogs/quarantine.server.ts'
import {
  type QuarantineOptions,
  restoreRowsOfDog,
  resumeRestores,
  withRowsInQuarantine,
} from '#features/dogs/quarantined-rows.server.ts'
import { like, unlike } from '#features/likes/likes.server.ts'
import { freshDb, onlyOnSqlite } from '#tests/support/db.ts'
import { listDriftedCounts } from '#tests/support/maintenance/count-drift.ts'
import { dog, member, seed } from '#tests/support/seed.ts'

const TABLES = [
  ['comments', 'held_comments'],
  ['dog_likes', 'held_likes'],
  ['ownership_requests', 'held_requests'],
] as const

interface World {
  db: Db
  luis: { id: string }
  eva: { id: string }
  /** Discovered by Ana; Luis and Eva like it, comment it and say that it is theirs. */
  toby: { id: string }
  luisComment: string
}

const rows = suite<World>('unit/moderation/quarantined-rows')
rows.before.each(async (t) => {
  t.db = freshDb()
  const [ana, luis, eva] = await seed(t.db, member(), member(), member())
  const [toby] = await seed(t.db, dog({ owner_id: null, discoverer_id: ana.id }))
  Object.assign(t, { luis, eva, toby })
  for (const user of [luis, eva]) {
    await like(t.db, user, toby.id)
    const { id } = await addComment(t.db, user, toby.id, 'Qué guapo')
    if (user === luis) t.luisComment = id
    await requestOwnership(t.db, user, toby.id)
  }
})
rows.after.each(({ db }) => db.destroy())

const count = async (db: Db, table: (typeof TABLES)[number][0 | 1]): Promise<number> =>
  (
    await db
      .selectFrom(table as 'comments')
      .selectAll()
      .execute()
  ).length

/** [public, quarantined] of comments, likes and requests. */
const counts = async (db: Db) => {
  const found: number[][] = []
  for (const [open, held] of TABLES) found.push([await count(db, open), await count(db, held)])
  return found
}

const hide = ({ db, toby }: World) =>
  withRowsInQuarantine(db, toby.id, (trx, options) => quarantineDog(trx, toby.id, 'admin', Date.now(), options))

async function restore({ db, toby }: World) {
  await db.transaction().execute((trx) => restoreDog(trx, toby.id))
  await restoreRowsOfDog(db, toby.id)
}

const ALL_PUBLIC = [
  [2, 0],
  [2, 0],
  [2, 0],
]
const ALL_QUARANTINED = [
  [0, 2],
  [0, 2],
  [0, 2],
]

rows('comments and likes are quarantined with their dog and restored with it', async (t) => {
  await hide(t)
  assert.equal(await counts(t.db), ALL_QUARANTINED)
  const { snapshot } = await t.db.selectFrom('held').select('snapshot').executeTakeFirstOrThrow()
  assert.not(snapshot.includes('Qué guapo') || snapshot.includes(t.luis.id))
  assert.is(JSON.parse(snapshot).dog.votes, 2)
  await restore(t)
  assert.equal(await counts(t.db), ALL_PUBLIC)
  assert.equal(await listDriftedCounts(t.db), [])
})

rows('stay where they are while the action may be refused', async (t) => {
  const seen: unknown[] = []
  const refuse = async (trx: Trx) => {
    seen.push(await counts(trx))
    throw new Error('refused')
  }
  assert.is(await withRowsInQuarantine(t.db, t.toby.id, refuse).catch(({ message }: Error) => message), 'refused')
  assert.equal(seen, [ALL_PUBLIC])
})

rows('comments and likes are restored at once if the dog was not hidden after all', async (t) => {
  const hideInDryRun = async (trx: Trx, options: QuarantineOptions) => {
    if (!options.isDryRun) throw new Error('refused')
    await quarantineDog(trx, t.toby.id, 'admin', Date.now(), options)
  }
  assert.is(await withRowsInQuarantine(t.db, t.toby.id, hideInDryRun).catch(({ message }: Error) => message), 'refused')
  assert.equal(await counts(t.db), ALL_PUBLIC)
  assert.equal(await listDriftedCounts(t.db), [])
})

rows('comments and likes are restored at the next start after a crash in between', async (t) => {
  await hide(t)
  await t.db.transaction().execute((trx) => restoreDog(trx, t.toby.id))
  await resumeRestores(t.db)
  assert.equal(await counts(t.db), ALL_PUBLIC)
})

rows('comments and likes stay in quarantine at a start while their dog does', async (t) => {
  await hide(t)
  await resumeRestores(t.db)
  assert.equal(await counts(t.db), ALL_QUARANTINED)
})

rows('a like given again meanwhile is not restored twice', async (t) => {
  await hide(t)
  await t.db.transaction().execute((trx) => restoreDog(trx, t.toby.id))
  assert.is((await like(t.db, t.luis, t.toby.id)).likes, 1)
  await restoreRowsOfDog(t.db, t.toby.id)
  assert.equal((await counts(t.db))[1], [2, 0])
  assert.equal(await listDriftedCounts(t.db), [])
})

rows('a comment or like that its author deletes stays deleted after a restore', async (t) => {
  await hide(t)
  await deleteComment(t.db, t.luis, t.luisComment)
  assert.equal(await unlike(t.db, t.luis, t.toby.id), { liked: false, likes: 0 })
  // To everyone else the dog does not exist.
  const again = await unlike(t.db, t.luis, t.toby.id).catch(({ status }: { status: number }) => status)
  assert.is(again, 404)
  await restore(t)
  for (const table of ['comments', 'dog_likes'] as const)
    assert.equal(
      (await t.db.selectFrom(table).select('user_id').execute()).map(({ user_id }) => user_id),
      [t.eva.id],
    )
})

rows('another member’s comment cannot be deleted', async (t) => {
  await hide(t)
  const status = await deleteComment(t.db, t.eva, t.luisComment).catch((error: { status: number }) => error.status)
  assert.is(status, 404)
  assert.equal(await counts(t.db), ALL_QUARANTINED)
})

rows('comments and likes are in their author’s data export, without the dog’s name', async (t) => {
  await hide(t)
  const data = JSON.parse((await Array.fromAsync(exportJson(t.db, t.luis.id))).join(''))
  const strip = (entry: { created_at: string }) => ({ ...entry, created_at: undefined })
  const shared = { dog_id: t.toby.id, perro: null, perro_oculto: true, created_at: undefined }
  assert.equal(data.likes.map(strip), [shared])
  assert.equal(data.comentarios.map(strip), [{ id: t.luisComment, ...shared, content: 'Qué guapo' }])
})

onlyOnSqlite(rows)('the migration splits a snapshot that contains them', async (t) => {
  const read = async (table: 'comments' | 'dog_likes' | 'ownership_requests') =>
    t.db
      .selectFrom(table as 'comments')
      .selectAll()
      .execute()
  const [comments, likes, requests] = [
    await read('comments'),
    await read('dog_likes'),
    await read('ownership_requests'),
  ]
  await hide(t)
  const { snapshot } = await t.db.selectFrom('held').select('snapshot').executeTakeFirstOrThrow()
  const gone = { ...likes[0]!, user_id: 'a deleted member' }
  const earlier = JSON.stringify({ ...JSON.parse(snapshot), comments, likes: [...likes, gone], requests })
  await t.db.updateTable('held').set({ snapshot: earlier }).execute()
  for (const [, held] of TABLES) await t.db.schema.dropTable(held).execute()
  await migrations['2026-11-23-0510-quarantined-rows']!.up(t.db)
  assert.equal(await counts(t.db), ALL_QUARANTINED)
  assert.equal(
    await t.db.selectFrom('held_comments').selectAll().execute(),
    comments!.map(({ id, dog_id, user_id, content, created_at }) => ({ id, dog_id, user_id, content, created_at })),
  )
  assert.is((await t.db.selectFrom('held').select('snapshot').executeTakeFirstOrThrow()).snapshot, snapshot)
})

rows.run()
