import { recordPosition } from '#db/positions.ts'
import { listWrites, namesIn } from '#db/statement-tables.ts'
import {
  compareReads,
  findLastChange,
  followSchema,
  noteChange,
  noteRead,
  noteUnknownChanges,
  recordReads,
  type Reads,
  memoizeReads,
} from '#db/table-changes.ts'
import { transact } from '#db/transact.ts'
import { addComment } from '#features/comments/comments.server.ts'
import { like, unlike } from '#features/likes/likes.server.ts'
import { assert, dbSuite, dog, member, seed } from '#tests/support/suites.ts'

const changes = dbSuite('unit/db/table-changes', {}, async ({ db }) => {
  await followSchema(db)
  const readOf: (...tables: string[]) => Promise<Reads> = async (...tables) => {
    const { reads } = await recordReads(async () => {
      for (const table of tables)
        await db
          .selectFrom(table as 'dogs')
          .selectAll()
          .limit(1)
          .execute()
    })
    return reads
  }
  return { readOf }
})

changes('a statement’s text says what it writes', () => {
  const texts = {
    'insert into "dogs" ("id") values (?) on conflict ("id") do update set "name" = ?': ['i dogs', 'u dogs'],
    'insert or replace into totals values (1)': ['i totals', 'd totals'],
    'WITH gone AS (DELETE FROM "comments" RETURNING id) INSERT INTO held_comments SELECT * FROM gone': [
      'd comments',
      'i held_comments',
    ],
    [`update "profiles" set "alias" = 'delete from dogs'`]: ['u profiles'],
    'select "name" from "dogs" where "id" = ? order by "updated_at"': [],
  }
  for (const [text, writes] of Object.entries(texts)) assert.equal(listWrites(text), writes, text)
})

changes('a statement’s text names its tables, wherever they stand', () => {
  const names = namesIn(`SELECT d.name FROM dogs d, "profiles" WHERE EXISTS (SELECT 1 FROM lost_cases) AND x = 'bans'`)
  for (const table of ['dogs', 'profiles', 'lost_cases']) assert.ok(names.includes(table), table)
  assert.not.ok(names.includes('bans'))
})

changes('a page is current until a table that it has read is written', async ({ db, readOf }) => {
  const [dogs, breeds] = [await readOf('dogs'), await readOf('breed_overrides')]
  assert.is(compareReads(dogs), 'current')
  await transact(db, (trx) => trx.updateTable('dogs_all').set({ name: 'Lobo' }).execute())
  assert.is(compareReads(dogs), 'changed')
  assert.is(compareReads(breeds), 'current')
  noteUnknownChanges()
  assert.is(compareReads(breeds), 'changed')
})

changes('likes, and counts that triggers write, only count', async ({ db, readOf }) => {
  const [ana, toby] = await seed(db, member(), dog())
  const [likes, dogs, profiles, comments, requests] = [
    await readOf('dog_likes'),
    await readOf('dogs'),
    await readOf('profiles'),
    await readOf('comments'),
    await readOf('breed_overrides'),
  ]
  await like(db, ana, toby.id)
  await unlike(db, ana, toby.id)
  for (const reads of [likes, dogs, profiles, comments]) assert.is(compareReads(reads), 'counted')
  await addComment(db, ana, toby.id, 'Qué guapo')
  assert.is(compareReads(comments), 'changed')
  assert.is(compareReads(dogs), 'counted')
  assert.is(compareReads(requests), 'current')
})

changes('what a foreign key deletes is changed with its parent', async ({ db, readOf }) => {
  const [ana, toby] = await seed(db, member(), dog())
  await addComment(db, ana, toby.id, 'Qué guapo')
  const comments = await readOf('comments')
  await transact(db, (trx) => trx.deleteFrom('dogs_all').where('id', '=', toby.id).execute())
  assert.is(compareReads(comments), 'changed')
})

changes('what is rolled back has changed nothing, and neither has a private table', async ({ db, readOf }) => {
  const [ana, toby] = await seed(db, member(), dog())
  const reads = await readOf('dogs', 'dog_likes')
  const before = findLastChange()
  await transact(db, async (trx) => {
    await trx.updateTable('dogs_all').set({ name: 'Lobo' }).where('id', '=', toby.id).execute()
    throw new Error('back')
  }).catch(() => {})
  const row = { id: 's', user_id: ana.id, expires_at: 1, created_at: 1, public_id: 'p' }
  await transact(db, (trx) => trx.insertInto('sessions').values(row).execute())
  assert.is(findLastChange(), before)
  assert.is(compareReads(reads), 'current')
})

changes('a page for several readers cannot read a private table', async ({ db }) => {
  const read = () => db.selectFrom('sessions').select('id').execute()
  await read()
  const failure = await recordReads(read, true).catch((error: Error) => error.message)
  assert.match(String(failure), 'sessions')
  const inner = await recordReads(() => recordReads(read), true).catch((error: Error) => error.message)
  assert.match(String(inner), 'sessions')
})

changes('what is memoized is read again after a write, and pages with it depend on it', async ({ db }) => {
  let loads = 0
  const countDogs = memoizeReads(async (from) => {
    loads++
    return (await from.selectFrom('dogs').select('id').execute()).length
  })
  assert.is(await countDogs(db), 0)
  const { reads } = await recordReads(() => countDogs(db))
  assert.is(loads, 1)
  await seed(db, member(), dog())
  assert.is(compareReads(reads), 'changed')
  assert.is(await countDogs(db), 1)
  assert.is(loads, 2)
  const inside = await transact(db, async (trx) => {
    await trx.deleteFrom('dogs_all').execute()
    return countDogs(trx)
  })
  assert.is(inside, 0)
})

changes('a load that fails is not memoized', async ({ db }) => {
  let fails = true
  const load = memoizeReads(async () => {
    if (fails) throw new Error('roto')
    return 1
  })
  assert.is(await load(db).catch(() => 'failed'), 'failed')
  fails = false
  assert.is(await load(db), 1)
})

changes('what no statement names is noted by its name', async () => {
  const { reads } = await recordReads(async () => noteRead('a folder'))
  assert.is(compareReads(reads), 'current')
  noteChange('a folder')
  assert.is(compareReads(reads), 'changed')
})

changes('who writes learns the position of their last change, and who only reads gets none', async ({ db }) => {
  const [, toby] = await seed(db, member(), dog())
  const rename = (name: string) =>
    transact(db, (trx) => trx.updateTable('dogs_all').set({ name }).where('id', '=', toby.id).execute())
  const first = await recordPosition(() => rename('Uno'))
  const second = await recordPosition(() => rename('Dos'))
  assert.ok(first.position > 0 && second.position > first.position)
  assert.is((await recordPosition(() => db.selectFrom('dogs').select('id').execute())).position, 0)
})
