import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { listDogs } from '#features/dogs/list/list.server.ts'
import { selectNotificationViews, toNotificationView } from '#features/live/notification-view.server.ts'
import { fillDemo } from '#app/demo/fill.ts'
import { assert, dataSuite, type Db } from '#tests/support/suites.ts'

const demo = dataSuite('unit/app/demo-data')

const readEverything = async (db: Db) => ({
  profiles: await db.selectFrom('profiles').selectAll().orderBy('id').execute(),
  dogs: await db.selectFrom('dogs').selectAll().orderBy('id').execute(),
  likes: await db.selectFrom('dog_likes').selectAll().orderBy('id').execute(),
  comments: await db.selectFrom('comments').selectAll().orderBy('id').execute(),
})

demo('fills an empty community, and a second run changes nothing', async ({ db, dir }) => {
  const said: string[] = []
  await fillDemo(db, dir, (text) => said.push(text), { members: 6, dogs: 12 })
  const first = await readEverything(db)
  assert.is(first.profiles.length, 6)
  assert.is(first.dogs.length, 12)
  assert.ok(first.likes.length > 0 && first.comments.length > 0)
  const images = await db.selectFrom('dog_images').select('url').execute()
  assert.equal(
    readdirSync(join(dir, 'photos')).toSorted(),
    images.map((i) => i.url.slice('/photos/'.length)).toSorted(),
  )
  await fillDemo(db, dir, (text) => said.push(text), { members: 6, dogs: 12 })
  assert.equal(await readEverything(db), first)
  assert.is(said.at(-1), 'la comunidad de muestra ya está')
})

demo('its dogs are in the list with photos and addresses', async ({ db, dir }) => {
  await fillDemo(db, dir, () => {}, { members: 6, dogs: 12 })
  const { dogs, stats } = await listDogs(db, {})
  assert.is(dogs.length, 12)
  assert.is(stats.dogs, 12)
  assert.ok(dogs.every((dog) => dog.images.length > 0 && dog.path.split('/').length === 3))
})

demo('its members have notifications of every type, read and unread, that match the actions', async ({ db, dir }) => {
  await fillDemo(db, dir, () => {}, { members: 12, dogs: 30 })
  const lines = await db
    .selectFrom('notifications as n')
    .innerJoin('dogs as d', 'd.id', 'n.dog_id')
    .selectAll('n')
    .select(['d.owner_id', 'd.discoverer_id'])
    .execute()
  const kinds = new Set(lines.map((line) => `${line.type} ${line.is_read}`))
  assert.equal([...kinds].toSorted(), ['comment 0', 'comment 1', 'like 0', 'like 1', 'other 0', 'other 1'])
  const likes = await db.selectFrom('dog_likes').selectAll().execute()
  const comments = await db.selectFrom('comments').selectAll().execute()
  const aliases = new Map(
    (await db.selectFrom('profiles').select(['id', 'alias']).execute()).map((p) => [p.id, p.alias]),
  )
  const shown = (await selectNotificationViews(db).execute()).map(toNotificationView)
  const contents = new Map(shown.map(({ id, content }) => [id, content]))
  for (const stored of lines) {
    const line = { ...stored, content: contents.get(stored.id)! }
    assert.ok([line.owner_id, line.discoverer_id].includes(line.user_id) && line.actor_id !== line.user_id)
    const isAction = (action: { user_id: string | null; dog_id: string; created_at: number }) =>
      action.user_id === line.actor_id && action.dog_id === line.dog_id && action.created_at === line.created_at
    if (line.type === 'comment') {
      assert.ok(comments.some((c) => isAction(c) && line.content.endsWith(`«${c.content}»`)))
      assert.ok(line.content.startsWith(`${aliases.get(line.actor_id!)} ha comentado en `))
    }
    if (line.type === 'like') {
      assert.ok(likes.some(isAction))
      const counted = likes.filter(
        (l) => l.dog_id === line.dog_id && l.user_id !== line.user_id && l.created_at >= line.likes_since,
      ).length
      const more = counted > 1 ? ` y ${counted - 1} más les gusta ` : ' le gusta '
      assert.ok(line.content.startsWith(`A ${aliases.get(line.actor_id!)}${more}`), line.content)
      assert.is(line.title, counted > 1 ? 'Nuevos likes' : 'Nuevo like')
    }
    if (line.type === 'other') assert.is(line.title, '¡Nueva raza en tu álbum!')
    assert.ok(line.created_at <= Date.now())
  }
  // Nobody's page was open meanwhile: the stream has nothing of years ago to replay, and no device waits for a push.
  for (const table of ['events', 'push_queue'] as const)
    assert.equal(await db.selectFrom(table).selectAll().execute(), [], table)
})
