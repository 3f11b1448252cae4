/**
 * The ranking with 1,000 and 100,000 members: its first page, a page in the middle, a member's own place (the first, the
 * middle one, the last) and the whole page on loopback. To reach (issue 3): an index is read, not the tables, so that both
 * communities take about as long. Beside it what counting the index entries ahead would have cost, and what a like costs.
 */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Trx as Db, migrate, openDatabase, sqliteOf } from '#db/client.ts'
import { findOwnRank, loadRanking } from '#features/community/community.server.ts'
import { encodeCursor } from '#lib/cursor.ts'
import { signIn } from '#tests/support/seed.ts'
import { explainQueries } from '#tests/support/query-plans.ts'
import { createRandom as makeDice } from '#app/demo/random.ts'
import { percentilesOf, measureRequestTimes, printTable } from '#tests/support/load/measure.ts'
import { startMeasuredServer } from '#tests/support/load/measured-server.ts'

const COMMUNITY_SIZES = [1_000, 100_000]
const ROUNDS = 300

/** Half have no dog, as in any community; some have hundreds. Only the counts matter, so they are written as they are. */
function fillMembers(db: Db, count: number): void {
  const sqlite = sqliteOf(db)
  const dice = makeDice(count)
  const user = sqlite.prepare('INSERT INTO users (id, email, created_at) VALUES (?, ?, 0)')
  const profile = sqlite.prepare(
    'INSERT INTO profiles_all (id, alias, alias_key, emoji, created_at) VALUES (?, ?, ?, ?, 0)',
  )
  const counts = sqlite.prepare('UPDATE profiles_all SET dogs_count = ?, likes_count = ? WHERE id = ?')
  sqlite.transaction(() => {
    for (let i = 0; i < count; i++) {
      const id = randomUUID()
      user.run(id, `m${i}@ejemplo.es`)
      profile.run(id, `Miembro ${i}`, `miembro ${i}`, '🐶')
      const dogs = dice.next() < 0.5 ? 0 : Math.floor(dice.next() ** 6 * 400) + 1
      counts.run(dogs, Math.floor(dice.next() ** 4 * 3000), id)
    }
  })()
  sqlite.exec('ANALYZE')
}

async function measurePercentiles(rounds: number, use: () => Promise<unknown> | unknown) {
  const all: number[] = []
  for (let i = -20; i < rounds; i++) {
    const start = performance.now()
    await use()
    if (i >= 0) all.push(performance.now() - start)
  }
  return percentilesOf(all)
}

const measured: Record<string, { median: number; p99: number }>[] = []
for (const count of COMMUNITY_SIZES) {
  const dataDir = mkdtempSync(join(tmpdir(), 'perrario-bench-ranking-'))
  const db = openDatabase(join(dataDir, 'perrario.db'))
  await migrate(db)
  fillMembers(db, count)
  const sqlite = sqliteOf(db)
  const at = (offset: number) =>
    sqlite
      .prepare('SELECT * FROM profiles ORDER BY dogs_count DESC, likes_count DESC, id DESC LIMIT 1 OFFSET ?')
      .get(offset) as { id: string; dogs_count: number; likes_count: number }
  const [first, middle, last] = [at(0), at(Math.floor(count / 2)), at(count - 1)]
  const cursor = encodeCursor({ order: 'ranking', value: middle.dogs_count, id: `${middle.likes_count} ${middle.id}` })
  const ahead = sqlite.prepare(
    'SELECT count(*) FROM profiles_all INDEXED BY profiles_ranking WHERE hidden = 0 AND (dogs_count, likes_count, id) > (?, ?, ?)',
  )
  const row: (typeof measured)[0] = {
    'first page': await measurePercentiles(ROUNDS, () => loadRanking(db)),
    'a page in the middle': await measurePercentiles(ROUNDS, () => loadRanking(db, cursor)),
    'own place: first': await measurePercentiles(ROUNDS, () => findOwnRank(db, first.id)),
    'own place: middle': await measurePercentiles(ROUNDS, () => findOwnRank(db, middle.id)),
    'own place: last': await measurePercentiles(ROUNDS, () => findOwnRank(db, last.id)),
    '(counting the index ahead: last)': await measurePercentiles(30, () =>
      ahead.get(last.dogs_count, last.likes_count, last.id),
    ),
    'a like counted': await measurePercentiles(ROUNDS, () =>
      sqlite.prepare('UPDATE profiles_all SET likes_count = likes_count + 1 WHERE id = ?').run(middle.id),
    ),
  }
  const rows = sqlite.prepare(
    'SELECT (SELECT count(*) FROM ranking_dogs), (SELECT count(*) FROM ranking_likes WHERE dogs = 0)',
  )
  const [dogs, likes] = rows.raw().get() as [number, number]
  console.log(`${count} miembros: ${dogs} filas por perros, como mucho ${likes} por likes`)
  if (count === COMMUNITY_SIZES.at(-1))
    for (const { steps } of [
      ...(await explainQueries(db, (listening) => loadRanking(listening, cursor))),
      ...(await explainQueries(db, (listening) => findOwnRank(listening, last.id))),
    ])
      console.log(`  ${steps.join('; ')}`)
  await db.destroy()

  const server = await startMeasuredServer({ DATA_DIR: dataDir })
  const ana = await signIn(server, 'ana@ejemplo.es')
  const page = `${server.url}/comunidad`
  row['whole page, visitor'] = percentilesOf(await measureRequestTimes(page, 100))
  row['whole page, member at the end'] = percentilesOf(await measureRequestTimes(page, 100, { Cookie: ana.cookie }))
  await server.dispose()
  rmSync(dataDir, { recursive: true, force: true })
  measured.push(row)
}

const [small, large] = measured as [(typeof measured)[0], (typeof measured)[0]]
printTable(
  ['', '1.000: mediana ms', 'p99', '100.000: mediana ms', 'p99', 'razón de medianas'],
  Object.keys(small).map((name) => [
    name,
    ...[small[name]!, large[name]!].flatMap(({ median, p99 }) => [median.toFixed(3), p99.toFixed(3)]),
    (large[name]!.median / small[name]!.median).toFixed(2),
  ]),
)
