import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import { sql } from 'kysely'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Trx as Db } from '#db/client.ts'
import { NodeCounters } from '#db/dialect/postgres/node-memory.ts'
import { openPostgres } from '#db/dialect/postgres/open.ts'
import { AppError } from '#lib/errors.ts'
import { createProofChallenge, verifyProof } from '#features/moderation/proof-of-work/challenges.server.ts'
import { recordOffence, suspicionLeft } from '#server/limits/network-conduct.ts'
import {
  limit,
  limitAmount,
  limitOnNode,
  limitSuccessful,
  setLimitStore,
  takePoints,
} from '#server/limits/rate-limit.ts'
import { createSharedLimits } from '#server/limits/shared-store.ts'
import { freshPostgresDb, postgresUrlOf } from '#tests/support/postgres/databases.ts'
import { freePort } from '#tests/support/server.ts'

// Two nodes: two pools on one PostgreSQL.

const shared = suite('unit/server/shared-limits')

const status = (promise: Promise<unknown>) => promise.then(() => 200).catch((error: AppError) => error.status)
const refusalOf = async (promise: Promise<unknown>) => (await promise.catch((error: unknown) => error)) as AppError
const fails = async () => {
  throw new AppError(422, 'La foto no se lee.')
}

/** Runs `test` on two nodes; `as` has the limits of this process count as one of them. */
async function withNodes(test: (as: (node: 0 | 1) => void, db: Db) => Promise<void>): Promise<void> {
  const first = freshPostgresDb()
  await sql`SELECT 1`.execute(first)
  const second = openPostgres(await postgresUrlOf(first), { maxConnections: 3 })
  const nodes = [createSharedLimits(first)!, createSharedLimits(second)!] as const
  try {
    await test((node) => setLimitStore(nodes[node].store), first)
  } finally {
    setLimitStore(undefined)
    for (const node of nodes) await node.close()
    await second.destroy()
    await first.destroy()
  }
}

shared('two nodes count together, and say when to retry', () =>
  withNodes(async (as) => {
    for (let i = 0; i < 4; i++) {
      as(i % 2 === 0 ? 0 : 1)
      assert.is(await status(limit('apart', 'ana', 4, 60)), 200)
    }
    for (const node of [0, 1] as const) {
      as(node)
      const refusal = await refusalOf(limit('apart', 'ana', 4, 60, 'Espera.'))
      assert.equal([refusal.status, refusal.message], [429, 'Espera.'])
      assert.ok(refusal.retryAfter! > 0 && refusal.retryAfter! <= 60, String(refusal.retryAfter))
      assert.is(await status(limit('apart', 'luis', 4, 60)), 200)
    }
  }),
)

shared('of calls at the same moment on two nodes exactly as many pass as there are points', () =>
  withNodes(async (as) => {
    const calls = Array.from({ length: 40 }, (_, i) => {
      as(i % 2 === 0 ? 0 : 1)
      return status(limitAmount('bytes', 'ana', 10, 130, 60))
    })
    const statuses = await Promise.all(calls)
    assert.equal(
      [200, 429].map((each) => statuses.filter((one) => one === each).length),
      [13, 27],
    )
  }),
)

shared('a limit of hundreds of points a minute is taken in portions, and nobody passes more calls than points', () =>
  withNodes(async (as, db) => {
    const passed = [0, 0]
    for (let n = 0; n < 320; n++) {
      const node = n % 3 === 0 ? 0 : 1
      as(node)
      if ((await status(limit('many', 'ana', 300, 60))) === 200) passed[node]!++
      if (n > 0) continue
      const { rows } = await sql`SELECT points FROM node_counters WHERE name = 'many'`.execute(db)
      assert.equal(rows, [{ points: 3 }])
    }
    const sum = passed[0]! + passed[1]!
    assert.ok(sum <= 300 && sum >= 300 - 3, String(sum))
  }),
)

shared('the networks of one IPv6 site share its points on all nodes, and a refused one takes none', () =>
  withNodes(async (as, db) => {
    const statuses: number[] = []
    for (let n = 0; n < 30; n++) {
      as(n % 2 === 0 ? 0 : 1)
      statuses.push(await status(limit('site', `2001:db8:1:${n.toString(16)}::/64`, 5, 60)))
    }
    assert.is(statuses.filter((each) => each === 200).length, 20)
    as(1)
    assert.is(await status(limit('site', '2001:db8:2:1::/64', 5, 60)), 200)
    const { rows } = await sql`SELECT sum(points) AS points FROM node_counters WHERE name = 'site'`.execute(db)
    assert.equal(rows, [{ points: 21 }])
  }),
)

shared('an action that fails gives its point back to both nodes', () =>
  withNodes(async (as) => {
    as(0)
    assert.is(await status(limitSuccessful('done', 'ana', 1, 60)(fails)), 422)
    as(1)
    assert.is(await status(limitSuccessful('done', 'ana', 1, 60)(async () => {})), 200)
    assert.is(await status(limitSuccessful('done', 'ana', 1, 60)(async () => {})), 429)
    as(0)
    assert.is(await status(limitSuccessful('done', 'ana', 1, 60)(async () => {})), 429)
  }),
)

shared('a network that offends at two nodes is suspect to both, and no other is', () =>
  withNodes(async (as) => {
    const suspicions = async (network: string) => {
      const found: boolean[] = []
      for (const node of [0, 1] as const) {
        as(node)
        found.push((await suspicionLeft(network)) > 0)
      }
      return found
    }
    for (let n = 0; n < 6; n++) {
      assert.equal(await suspicions('192.0.2.1'), [false, false], String(n))
      as(n % 2 === 0 ? 0 : 1)
      await recordOffence('192.0.2.1')
    }
    assert.equal(await suspicions('192.0.2.1'), [true, true])
    assert.equal(await suspicions('192.0.2.2'), [false, false])
  }),
)

shared('a challenge of one node is good at the other, and used at one it is used at both', () =>
  withNodes(async (as, db) => {
    const scope = { network: '192.0.2.1', action: 'dog' as const }
    as(0)
    const challenge = await createProofChallenge(db, scope)
    const { counter, derivedKey } = (await solveChallenge({ challenge, deriveKey }))!
    const proof = Buffer.from(JSON.stringify({ challenge, solution: { counter, derivedKey } })).toString('base64')
    as(1)
    const name = await verifyProof(db, scope, proof)
    assert.is(name, challenge.parameters.nonce)
    const use = () => takePoints({ name: 'proof-of-work', caller: name!, cost: 1, points: 1, seconds: 60 })
    assert.is(await use(), true)
    as(0)
    assert.is(await use(), false)
  }),
)

shared('a caller that was refused passes as soon as points are given back', () =>
  withNodes(async (as) => {
    as(0)
    const admit = limitSuccessful('running', 'ana', 1, 60)
    const during = status(
      admit(async () => {
        assert.is(await status(admit(async () => {})), 429)
        return fails()
      }),
    )
    assert.is(await during, 422)
    assert.is(await status(admit(async () => {})), 200)
  }),
)

shared('transactions that take points end, also where they have every connection of the node', () =>
  withNodes(async (as, db) => {
    as(0)
    const statuses = await Promise.all(
      Array.from({ length: 12 }, () =>
        db.transaction().execute(async (trx) => {
          await sql`SELECT pg_sleep(0.02)`.execute(trx)
          return status(limit('inside', 'ana', 10, 60))
        }),
      ),
    )
    assert.equal(
      [200, 429].map((each) => statuses.filter((one) => one === each).length),
      [10, 2],
    )
  }),
)

shared('a window ends by the clock of the database, whatever the nodes’ say', () =>
  withNodes(async (as, db) => {
    as(0)
    assert.is(await status(limit('clock', 'ana', 1, 60)), 200)
    const { now } = Date
    try {
      Date.now = () => now() + 3_600_000
      as(1)
      assert.is(await status(limit('clock', 'ana', 1, 60)), 429)
    } finally {
      Date.now = now
    }
    await sql`UPDATE node_counters SET expires_at = now()`.execute(db)
    as(0)
    assert.is(await status(limit('clock', 'ana', 1, 60)), 200)
  }),
)

shared('a limit of one node counts in its memory', () =>
  withNodes(async (as, db) => {
    as(0)
    assert.is(await status(limitOnNode('render', 'ana', 1, 60)), 200)
    assert.is(await status(limitOnNode('render', 'ana', 1, 60)), 429)
    const { rows } = await sql`SELECT name FROM node_counters WHERE name = 'render'`.execute(db)
    assert.equal(rows, [])
  }),
)

shared('no row holds a caller, keys change with the day, and nothing outlives it', () =>
  withNodes(async (as, db) => {
    const network = '203.0.113.77'
    as(0)
    await limit('privacy', network, 5, 86_400)
    const { rows } = await sql<{ row: string; isToday: boolean }>`
      SELECT c::text AS row, expires_at <= ((now() AT TIME ZONE 'Europe/Madrid')::date + 1)::timestamp AT TIME ZONE
        'Europe/Madrid' AS "isToday" FROM node_counters AS c`.execute(db)
    assert.is(rows.length, 1)
    assert.not.match(rows[0]!.row, /203\.0\.113/)
    assert.not.match(rows[0]!.row, new RegExp(Buffer.from(network).toString('hex')))
    assert.ok(rows[0]!.isToday)
    const before = await sql<{ secret: Buffer }>`SELECT secret FROM node_secrets`.execute(db)
    // Yesterday's secret: both nodes leave it behind.
    await sql`UPDATE node_secrets SET day = day - 1`.execute(db)
    for (const node of [0, 1] as const) {
      as(node)
      await limit('privacy', network, 5, 86_400)
    }
    const after = await sql<{ secret: Buffer }>`SELECT secret FROM node_secrets`.execute(db)
    assert.is(after.rows.length, 1)
    assert.not.equal(after.rows[0]!.secret, before.rows[0]!.secret)
    const counted = await sql<{ points: number }>`SELECT points FROM node_counters ORDER BY points`.execute(db)
    assert.equal(counted.rows, [{ points: 1 }, { points: 2 }])
    await sql`UPDATE node_counters SET expires_at = now()`.execute(db)
    await sql`UPDATE node_secrets SET day = day - 1`.execute(db)
    await new NodeCounters(db).sweep()
    for (const table of ['node_counters', 'node_secrets'])
      assert.equal((await sql`SELECT 1 FROM ${sql.table(table)}`.execute(db)).rows, [])
  }),
)

shared('a flood of new callers shares buckets, and those from before keep their counts', async () => {
  const db = freshPostgresDb()
  const counters = new NodeCounters(db, { maxCallers: 20, buckets: 2 })
  const take = (caller: string) => counters.take({ name: 'flood', caller, cost: 1, points: 2, seconds: 60 })
  assert.ok((await take('ana')).key)
  for (let i = 0; i < 40; i++) await take(`caller ${i}`)
  // Both buckets are used up, and those before them are not.
  assert.is((await take('luis')).key, null)
  assert.ok((await take('ana')).key)
  assert.is((await take('ana')).key, null)
  await counters.sweep()
  assert.is(counters.countCallers('flood'), 22)
  await db.destroy()
})

shared('a caller that was just refused costs no statement', () =>
  withNodes(async (as, db) => {
    as(0)
    assert.is(await status(limit('cheap', 'ana', 1, 60)), 200)
    assert.is(await status(limit('cheap', 'ana', 1, 60)), 429)
    await sql`ALTER TABLE node_counters RENAME TO node_counters_away`.execute(db)
    const refusal = await refusalOf(limit('cheap', 'ana', 1, 60))
    assert.is(refusal.status, 429)
    assert.ok(refusal.retryAfter! > 50 && refusal.retryAfter! <= 60, String(refusal.retryAfter))
    assert.is(await status(limit('cheap', 'luis', 1, 60)), 503)
    await sql`ALTER TABLE node_counters_away RENAME TO node_counters`.execute(db)
    assert.is(await status(limit('cheap', 'luis', 1, 60)), 200)
  }),
)

shared('while PostgreSQL is unavailable a call is refused with 503 and Retry-After, and no action runs', async () => {
  const unreachable = openPostgres(`postgres://ana:secreta@127.0.0.1:${await freePort()}/perros`)
  const limits = createSharedLimits(unreachable)!
  setLimitStore(limits.store)
  try {
    const refusal = await refusalOf(limit('unreachable', 'ana', 5, 60))
    assert.equal([refusal.status, refusal.retryAfter], [503, 5])
    let wasRun = false
    assert.is(await status(limitSuccessful('unreachable', 'ana', 5, 60)(async () => void (wasRun = true))), 503)
    assert.is(wasRun, false)
  } finally {
    setLimitStore(undefined)
    await limits.close()
    await unreachable.destroy()
  }
})

shared.run()
