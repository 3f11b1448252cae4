import { tryExclusively } from '#db/dialect/exclusive.ts'
import { openPostgres } from '#db/dialect/postgres/open.ts'
import { resumeErasures } from '#features/account/erase.server.ts'
import { freshPostgresDb, postgresUrlOf } from '#tests/support/postgres/databases.ts'
import { assert, folderSuite, member, seed } from '#tests/support/suites.ts'

const erasures = folderSuite('unit/account/resumed-erasures')

erasures(
  'an erasure that is under way on one node is left to it, and resumed once that node has ended',
  async ({ dir }) => {
    const first = freshPostgresDb()
    const members = await seed(first, member(), member())
    const second = openPostgres(await postgresUrlOf(first), { maxConnections: 3 })
    for (const { id } of members)
      await first.insertInto('account_erasures').values({ user_id: id, dogs: 'delete', created_at: 0 }).execute()
    const listUsers = async () => (await first.selectFrom('users').select('id').execute()).map(({ id }) => id)
    await tryExclusively(first, `erasure of ${members[0].id}`, async () => {
      await resumeErasures(second, dir)
      assert.equal(await listUsers(), [members[0].id])
    })
    await resumeErasures(second, dir)
    assert.equal(await listUsers(), [])
    await second.destroy()
    await first.destroy()
  },
)
