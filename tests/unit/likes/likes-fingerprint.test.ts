import { randomUUID } from 'node:crypto'
import { fingerprintLikes, LIKED_MAX, UNKNOWN_LIKES } from '#features/likes/likes.ts'
import { loadFrame } from '#layouts/member/load-frame.server.ts'
import { like, unlike } from '#features/likes/likes.server.ts'
import { sqliteDb } from '#tests/support/db.ts'
import { assert, dog, member, seed, suite } from '#tests/support/suites.ts'

const fingerprints = suite('unit/likes/likes-fingerprint')

const ids = Array.from({ length: 12 }, () => randomUUID())

fingerprints('the same dogs have one text in any order, others another', () => {
  const text = fingerprintLikes(new Set(ids))
  assert.is(fingerprintLikes(new Set(ids.toReversed())), text)
  const others = [new Set(ids.slice(1)), new Set([...ids, randomUUID()]), new Set([...ids.slice(1), randomUUID()])]
  for (const other of others) assert.is.not(fingerprintLikes(other), text)
  assert.is(fingerprintLikes(new Set()), '0.0.0')
})

fingerprints('as many dogs as an answer lists at most are not compared', () => {
  const many = Array.from({ length: LIKED_MAX }, () => randomUUID())
  assert.is(fingerprintLikes(new Set(many)), UNKNOWN_LIKES)
  assert.is.not(fingerprintLikes(new Set(many.slice(1))), UNKNOWN_LIKES)
})

fingerprints('the frame has the text of the dogs that the member likes now', async () => {
  await using db = sqliteDb()
  const [ana, toby, luna] = await seed(db, member(), dog(), dog())
  const fingerprint = async () => (await loadFrame({ db: db as App.Locals['db'], user: ana } as App.Locals))!.liked
  assert.is(await fingerprint(), '0.0.0')
  await like(db, ana, toby.id)
  await like(db, ana, luna.id)
  assert.is(await fingerprint(), fingerprintLikes(new Set([luna.id, toby.id])))
  await unlike(db, ana, toby.id)
  assert.is(await fingerprint(), fingerprintLikes(new Set([luna.id])))
})
