import { join } from 'node:path'
import { openDatabase, sqliteOf } from '#db/client.ts'
import { CHECKPOINT_PAGES, withShortCheckpoints } from '#db/dialect/short-checkpoints.ts'
import { assert, folderSuite } from '#tests/support/suites.ts'

const checkpoints = folderSuite('unit/db/short-checkpoints')

checkpoints(
  'checkpoints are short while any such work runs, and as before after the last one, also where it fails',
  async ({ dir }) => {
    const db = openDatabase(join(dir, 'perrario.db'))
    const pages = () => Number(sqliteOf(db).pragma('wal_autocheckpoint', { simple: true }))
    const first = Promise.withResolvers<void>()
    const seen: number[] = []
    assert.is(pages(), CHECKPOINT_PAGES)
    const long = withShortCheckpoints(db, () => first.promise)
    await new Promise((done) => setImmediate(done))
    await withShortCheckpoints(db, async () => void seen.push(pages()))
    seen.push(pages())
    first.reject(new Error('no'))
    await long.then(
      () => assert.unreachable(),
      (error: Error) => assert.is(error.message, 'no'),
    )
    for (const short of seen) assert.ok(short <= CHECKPOINT_PAGES / 2, `${short}`)
    assert.is(seen.length, 2)
    assert.is(pages(), CHECKPOINT_PAGES)
    await db.destroy()
  },
)
