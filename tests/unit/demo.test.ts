import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Db } from '#db/client.ts'
import { listDogs } from '#features/dogs/list.server.ts'
import { freshDb } from '#tests/support/db.ts'
import { fillDemo } from '../../scripts/demo/fill.ts'

const demo = suite<{ db: Db; dir: string }>('demo')

demo.before.each((t) => {
  t.db = freshDb()
  t.dir = mkdtempSync(join(tmpdir(), 'perrario-demo-'))
})
demo.after.each((t) => rmSync(t.dir, { recursive: true, force: true }))

const everything = async (db: Db) => ({
  profiles: await db.selectFrom('profiles').selectAll().orderBy('id').execute(),
  dogs: await db.selectFrom('dogs').selectAll().orderBy('id').execute(),
  likes: await db.selectFrom('dog_likes').selectAll().orderBy('id').execute(),
  comments: await db.selectFrom('comments').selectAll().orderBy('id').execute(),
})

demo('fills an empty community, and the same again changes nothing', async ({ db, dir }) => {
  const said: string[] = []
  await fillDemo(db, dir, (text) => said.push(text), { members: 6, dogs: 12 })
  const first = await everything(db)
  assert.is(first.profiles.length, 6)
  assert.is(first.dogs.length, 12)
  assert.ok(first.likes.length > 0 && first.comments.length > 0)
  const images = await db.selectFrom('dog_images').select('url').execute()
  assert.equal(
    readdirSync(join(dir, 'photos')).toSorted(),
    images.map((i) => i.url.slice('/photos/'.length)).toSorted(),
  )
  await fillDemo(db, dir, (text) => said.push(text), { members: 6, dogs: 12 })
  assert.equal(await everything(db), first)
  assert.is(said.at(-1), 'la comunidad de muestra ya está')
})

demo('its dogs stand on the list with photos and addresses', async ({ db, dir }) => {
  await fillDemo(db, dir, () => {}, { members: 6, dogs: 12 })
  const { dogs, stats } = await listDogs(db, {})
  assert.is(dogs.length, 12)
  assert.is(stats.dogs, 12)
  assert.ok(dogs.every((dog) => dog.images.length > 0 && dog.path.split('/').length === 3))
})

demo.run()
