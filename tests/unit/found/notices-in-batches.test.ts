import { sqliteOf } from '#db/client.ts'
import { deleteAccount, resumeErasures } from '#features/account/erase.server.ts'
import { deleteExpiredNotices } from '#features/found/retention.server.ts'
import { sqliteDb } from '#tests/support/db.ts'
import { openFailingDb } from '#tests/support/faults/failing-statement.ts'
import { longestDeletion } from '#tests/support/longest-deletion.ts'
import { addNotice } from '#tests/support/found/notice-row.ts'
import { insert, readAllRows } from '#tests/support/rows.ts'
import { type CurrentUser, member, seed, withRecentSignIn } from '#tests/support/seed.ts'
import { assert, type Db, suite } from '#tests/support/suites.ts'

interface World {
  db: Db
  ana: CurrentUser
}
const NOTICES = 35
/** What photos and words of notices hold, to be looked for afterwards. */
const CANARY = 'CanarioDeUnAviso'

const notices = suite<World>('unit/found/notices-in-batches')
notices.before.each(async (t) => {
  t.db = sqliteDb()
  ;[t.ana] = await seed(t.db, member({ alias: 'Ana' }))
  const texts = { zone: 'Getafe', coat: CANARY, collar: CANARY, words: CANARY, question: CANARY, province: '28' }
  const rest = { member_id: t.ana.id, secret_hash: null, expires_at: 2 }
  for (let n = 0; n < NOTICES; n++) {
    const notice_id = await addNotice(t.db, { ...texts, ...rest })
    await insert(t.db, 'found_photos', { notice_id, data: CANARY.repeat(500), width: 8, height: 6 })
  }
})
notices.after.each(({ db }) => db.destroy())

/** Whether any row of any table has it. */
const isLeft = async (db: Db) => JSON.stringify(await readAllRows(db)).includes(CANARY)

const eraseAccount = ({ db, ana }: World) =>
  deleteAccount(db, '/nowhere', withRecentSignIn(ana), { dogs: 'keep', alias: 'Ana' })

const WAYS: Record<string, (t: World) => Promise<unknown>> = {
  'deleting the account of who found them': eraseAccount,
  'the end of their time': ({ db }) => deleteExpiredNotices(db, 2),
}

for (const [way, act] of Object.entries(WAYS))
  notices(`${way} takes the photos of ten notices at a time, and leaves nothing of them`, async (t) => {
    assert.ok((await longestDeletion(t.db, 'found_photos', act(t))) <= 10)
    assert.not.ok(await isLeft(t.db))
  })

notices('an erasure that is interrupted anywhere leaves nothing once it is resumed', async ({ db, ana }) => {
  const bytes = sqliteOf(db).serialize()
  const whole = openFailingDb(bytes)
  whole.arm(0)
  await eraseAccount({ db: whole.db, ana })
  const statements = whole.count()
  await whole.db.destroy()
  let failures = 0
  for (let n = 1; n <= statements; n += 7) {
    const failing = openFailingDb(bytes)
    failing.arm(n)
    const hasFailed = await eraseAccount({ db: failing.db, ana }).then(
      () => false,
      () => true,
    )
    if (hasFailed) failures++
    // As the next start finds it.
    const next = sqliteDb(sqliteOf(failing.db).serialize())
    const count = async (table: 'users' | 'account_erasures') =>
      (await next.selectFrom(table).selectAll().execute()).length
    const hasBegun = (await count('account_erasures')) > 0 || (await count('users')) === 0
    await resumeErasures(next, '/nowhere')
    assert.is(await isLeft(next), !hasBegun, `statement ${n}`)
    await next.destroy()
    await failing.db.destroy()
  }
  assert.ok(failures > NOTICES / 10)
})
