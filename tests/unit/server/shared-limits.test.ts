import { createSecretKey } from 'node:crypto'
import { sql } from 'kysely'
import { openPostgres } from '#db/dialect/postgres/open.ts'
import { transact } from '#db/transact.ts'
import { AppError } from '#lib/errors.ts'
import { limit, limitSuccessful, setSharedStore } from '#server/limits/rate-limit.ts'
import { shareLimits } from '#server/limits/shared-store.ts'
import { freshPostgresDb, postgresUrlOf } from '#tests/support/postgres/databases.ts'
import { assert, suite } from '#tests/support/suites.ts'

const shared = suite('unit/server/shared-limits')

const KEY = createSecretKey(Buffer.alloc(32, 1))
const refusalOf = (promise: Promise<unknown>) => promise.then(() => null).catch((error: unknown) => error as AppError)

shared('mails and accounts count on two nodes together, and other limits on each', async () => {
  const first = freshPostgresDb()
  await sql`SELECT 1`.execute(first)
  const second = openPostgres(await postgresUrlOf(first), { maxConnections: 3 })
  try {
    const calls = Array.from({ length: 20 }, (_, i) => {
      shareLimits(i % 2 === 0 ? first : second, KEY)
      return refusalOf(limit('sign-in-mail', '2001:db8:1:1::/64', 7, 60, 'Espera.'))
    })
    const refusals = (await Promise.all(calls)).filter((refusal) => refusal !== null)
    assert.is(refusals.length, 13)
    const { status, message, retryAfter = 0 } = refusals[0]!
    assert.equal([status, message], [429, 'Espera.'])
    assert.ok(retryAfter > 0 && retryAfter <= 60, String(retryAfter))
    const create = (action: () => Promise<void>) =>
      refusalOf(limitSuccessful('account-create', '192.0.2.1', 1, 60)(action))
    const fails = async () => {
      throw new AppError(422, 'No vale.')
    }
    assert.is((await create(fails))?.status, 422)
    shareLimits(first, KEY)
    assert.is(await create(async () => {}), null)
    assert.is((await create(async () => {}))?.status, 429)
    const { rows } = await sql<{ row: string }>`SELECT c::text AS row FROM node_counters AS c`.execute(first)
    assert.is(rows.length, 3)
    assert.not.match(JSON.stringify(rows), /192\.0|2001/)
    await sql`UPDATE node_counters SET expires_at = now()`.execute(first)
    assert.is(await create(async () => {}), null)
    assert.is((await sql`SELECT 1 FROM node_counters`.execute(first)).rows.length, 1)
    // Accounts are counted within the transaction that opens them.
    assert.is(await refusalOf(transact(first, () => limit('account-create-total', 'all', 9, 60))), null)
    await limit('like', 'ana', 1, 60)
    assert.is((await sql`SELECT 1 FROM node_counters`.execute(first)).rows.length, 2)
    await second.destroy()
  } finally {
    setSharedStore(undefined)
    await first.destroy()
  }
})
