import { COUNT_CHANGE_PREFIX } from '#server/cache-tags.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Trx as Db, sqliteOf } from '#db/client.ts'
import { like, unlike } from '#features/likes/likes.server.ts'
import { addComment } from '#features/comments/comments.server.ts'
import { UNTRACKED_TABLES, trackedTables } from '#app/page-cache/invalidation.ts'
import { installInvalidationTriggers } from '#app/page-cache/sqlite-triggers.ts'
import { sqliteDb } from '#tests/support/db.ts'
import { dog, member, seed } from '#tests/support/seed.ts'
import { addLostCase } from '#tests/support/sightings/lost-case.ts'

const changes = suite<{ db: Db; changedTags: () => string[] }>('unit/app/page-cache/invalidation')

changes.before.each((t) => {
  t.db = sqliteDb()
  const heard = new Set<string>()
  installInvalidationTriggers(sqliteOf(t.db), (tag) => heard.add(tag.replace(COUNT_CHANGE_PREFIX, '')), {
    likes: 1,
    rank: 2,
  })
  t.changedTags = () => {
    const tags = [...heard].sort()
    heard.clear()
    return tags
  }
})
changes.after.each(({ db }) => db.destroy())

changes('every table is watched, or listed with those that no cached page reads', ({ db }) => {
  const tables = sqliteOf(db)
    .prepare(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'kysely%'`,
    )
    .pluck()
    .all() as string[]
  assert.equal([...trackedTables(), ...UNTRACKED_TABLES].sort(), tables.sort())
})

changes(
  'a like invalidates its dog, its giver and pages with like counts, never the album',
  async ({ db, changedTags }) => {
    const [ana, bea, toby] = await seed(db, member(), member(), dog())
    for (const other of await seed(db, dog(), dog(), dog(), dog()))
      for (const each of [ana, bea]) await like(db, each, other.id)
    changedTags()
    for (const act of [like, unlike]) {
      await act(db, ana, toby.id)
      const tags = changedTags()
      for (const tag of [`dog:${toby.id}`, `member:${ana.id}`, 'ranking', 'votes']) assert.ok(tags.includes(tag), tag)
      assert.not.ok(tags.includes('breeds') || tags.includes('breed:beagle'), tags.join())
    }
  },
)

changes(
  'a like of one of a breed’s four most liked dogs, whose photos its page shows, invalidates the breed',
  async ({ db, changedTags }) => {
    const [ana, , toby] = await seed(db, member(), member(), dog())
    changedTags()
    await like(db, ana, toby.id)
    assert.ok(changedTags().includes('breed:beagle'))
  },
)

changes('a dog that joins or leaves the most liked is invalidated too', async ({ db, changedTags }) => {
  const [ana, bea, one, two, three] = await seed(db, member(), member(), dog(), dog(), dog())
  const low = [one, two].toSorted((a, b) => (a.id < b.id ? -1 : 1))[0]!
  for (const each of [one, two]) await like(db, ana, each.id)
  changedTags()
  await like(db, ana, three.id)
  await like(db, bea, three.id)
  assert.ok(changedTags().includes(`dog:${low.id}`), 'three is first now, and of the other two one is left')
  await db.deleteFrom('dogs').where('id', '=', three.id).execute()
  assert.ok(changedTags().includes(`dog:${low.id}`))
})

changes(
  'the dog that becomes the first of its breed, or no longer is, is invalidated too',
  async ({ db, changedTags }) => {
    const [, first, second] = await seed(db, member(), dog({ created_at: 1000 }), dog({ created_at: 2000 }))
    changedTags()
    await db.updateTable('dogs').set({ breed: 'Galgo', breed_slug: 'galgo' }).where('id', '=', first.id).execute()
    assert.ok(changedTags().includes(`dog:${second.id}`))
    await db.updateTable('dogs').set({ breed: 'Beagle', breed_slug: 'beagle' }).where('id', '=', first.id).execute()
    assert.ok(changedTags().includes(`dog:${second.id}`))
  },
)

changes('a comment invalidates only its dog', async ({ db, changedTags }) => {
  const [ana, toby] = await seed(db, member(), dog())
  changedTags()
  await addComment(db, ana, toby.id, 'Qué guapo')
  assert.equal(changedTags(), [`dog:${toby.id}`])
})

changes(
  'a new dog, one that moves to another breed and one that goes touch the lists, both breeds and its people',
  async ({ db, changedTags }) => {
    const [ana] = await seed(db, member())
    changedTags()
    const [, toby] = await seed(db, member(), dog({ owner_id: ana.id, breed: 'Beagle' }))
    const added = changedTags()
    for (const tag of ['dogs', `dog:${toby.id}`, 'breed:beagle', `member:${ana.id}`, 'ranking', 'members'])
      assert.ok(added.includes(tag), tag)
    await db.updateTable('dogs').set({ breed: 'Galgo', breed_slug: 'galgo' }).where('id', '=', toby.id).execute()
    const moved = changedTags()
    for (const tag of ['dogs', `dog:${toby.id}`, 'breed:beagle', 'breed:galgo', `member:${ana.id}`])
      assert.ok(moved.includes(tag), tag)
    await db.deleteFrom('dogs').where('id', '=', toby.id).execute()
    const gone = changedTags()
    for (const tag of ['dogs', `dog:${toby.id}`, 'breed:galgo', `member:${ana.id}`]) assert.ok(gone.includes(tag), tag)
  },
)

changes(
  'a member who calls themselves otherwise touches every page, a change of their figures does not',
  async ({ db, changedTags }) => {
    const [ana] = await seed(db, member())
    changedTags()
    await db.updateTable('profiles').set({ alias: 'Ana', alias_key: 'ana' }).where('id', '=', ana.id).execute()
    assert.equal(changedTags(), [`member:${ana.id}`, 'members', 'ranking'].sort())
    await db.updateTable('profiles').set({ likes_count: 3 }).where('id', '=', ana.id).execute()
    assert.equal(changedTags(), [`member:${ana.id}`, 'ranking'])
  },
)

changes('sign-in tokens and events invalidate no page', async ({ db, changedTags }) => {
  const [ana] = await seed(db, member())
  changedTags()
  await db.insertInto('events').values({ type: 'like', user_id: null, data: '{}', created_at: 1 }).execute()
  await db
    .insertInto('sign_in_tokens')
    .values({
      id: 'x',
      email: ana.email!,
      token_hash: 'a',
      code_hash: 'b',
      expires_at: 1,
      used_at: null,
      created_at: 1,
    })
    .execute()
  assert.equal(changedTags(), [])
})

changes('writes of another process are noticed by polling', async ({ db }) => {
  const { mkdtempSync, rmSync } = await import('node:fs')
  const { tmpdir } = await import('node:os')
  const { join } = await import('node:path')
  const { openDatabase } = await import('#db/client.ts')
  const { openMigratedDatabase } = await import('#tests/support/migrated-snapshot.ts')
  const folder = mkdtempSync(join(tmpdir(), 'perrario-changes-'))
  const [own, other] = [await openMigratedDatabase(join(folder, 'a.db')), openDatabase(join(folder, 'a.db'))]
  const isWrittenElsewhere = installInvalidationTriggers(sqliteOf(own), () => {}, { likes: 1, rank: 2 })
  assert.not.ok(isWrittenElsewhere())
  await seed(own, member())
  assert.not.ok(isWrittenElsewhere(), 'what this process writes is told as it happens')
  await seed(other, member())
  assert.ok(isWrittenElsewhere())
  assert.not.ok(isWrittenElsewhere())
  for (const each of [own, other]) await each.destroy()
  rmSync(folder, { recursive: true })
  assert.ok(db)
})

changes(
  'a lost dog’s pages are invalidated by what they show of the case, and by nothing else',
  async ({ db, changedTags }) => {
    const [ana, toby] = await seed(db, member(), dog())
    await addLostCase(db, { dogId: toby.id, ownerId: ana.id })
    changedTags()
    const updateCase = () => db.updateTable('lost_cases').where('dog_id', '=', toby.id)
    const updateHistory = () => db.updateTable('lost_history').where('dog_id', '=', toby.id)
    await updateCase().set({ asked_at: 1, due_at: 2, questions: 1, alerts: 'all' }).execute()
    await updateHistory().set({ told_day: 1, told_count: 1, alerted_at: 1, offset_east_m: 1 }).execute()
    assert.equal(changedTags(), [])
    const shown = { since: 1, zone: 'Jaca', province: '22', shown_lat: 1, shown_lon: 1, help: 'Pan', chip: 1 } as const
    for (const [column, value] of Object.entries({ ...shown, code: 'otro', opened_at: 1, updated_at: 1 })) {
      await updateCase()
        .set({ [column]: value })
        .execute()
      assert.equal(changedTags(), [`dog:${toby.id}`, 'lost'], column)
    }
    for (const column of ['ended_at', 'thanked_at']) {
      await updateHistory()
        .set({ [column]: 1 })
        .execute()
      assert.equal(changedTags(), [`dog:${toby.id}`], column)
    }
  },
)

changes(
  'a member who leaves, or stays after all, changes how many sightings a dog’s page counts',
  async ({ db, changedTags }) => {
    const [ana, bea, toby] = await seed(db, member(), member(), dog())
    const caseId = await addLostCase(db, { dogId: toby.id, ownerId: ana.id })
    await db
      .insertInto('sightings')
      .values({
        id: 's',
        case_id: caseId,
        member_id: bea.id,
        at: 1,
        zone: 'Jaca',
        words: '',
        state: 'delivered',
        created_at: 1,
      })
      .execute()
    changedTags()
    await db
      .insertInto('account_deletions')
      .values({ user_id: bea.id, dogs: 'keep', state: 'hiding', undo_hash: 'x', requested_at: 1, due_at: 2 })
      .execute()
    assert.equal(changedTags(), [`dog:${toby.id}`])
    await db.deleteFrom('account_deletions').execute()
    assert.equal(changedTags(), [`dog:${toby.id}`])
  },
)

changes.run()
