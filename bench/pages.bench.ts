/**
 * Pages and lists with 1,000 and 100,000 dogs: whole time of a request on loopback, one at a time, and the ratio
 * between the two communities. To reach (issue 1): within 2x; a dog's page under 10 ms; resident memory under 250 MB.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate, openDatabase } from '#db/client.ts'
import { startServer } from '#tests/support/server.ts'
import { fillCommunity } from './lib/fill.ts'
import { figures, residentMB, requestTimes, table } from './lib/measure.ts'

const SIZES = [1_000, 100_000]
const ROUNDS = 200

async function community(count: number) {
  const dataDir = mkdtempSync(join(tmpdir(), `perrario-bench-${count}-`))
  const db = openDatabase(join(dataDir, 'perrario.db'))
  await migrate(db)
  const start = performance.now()
  fillCommunity(db, count)
  console.log(`${count} perros escritos en ${((performance.now() - start) / 1000).toFixed(1)} s`)
  const busiest = await db
    .selectFrom('dog_tallies')
    .select('breed_slug')
    .orderBy('dogs', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  const dog = await db
    .selectFrom('dogs')
    .select(['path_breed', 'path_slug'])
    .orderBy('votes', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  await db.destroy()
  return { dataDir, breed: busiest.breed_slug, dog: `/${dog.path_breed}/${dog.path_slug}` }
}

const addresses = (breed: string, dog: string): Record<string, string> => ({
  'lista (página)': '/perros',
  'lista de una raza (página)': `/perros?breed=${breed}`,
  'un perro (página)': dog,
  'api nuevos': '/api/dogs',
  ...Object.fromEntries(
    ['votes-desc', 'votes-asc', 'weight-desc', 'weight-asc', 'age-desc', 'age-asc'].map((sort) => [
      `api ${sort}`,
      `/api/dogs?sort=${sort}`,
    ]),
  ),
  'api raza + talla + peso': `/api/dogs?breed=${breed}&size=mediano&sort=weight-desc`,
})

const measured: Record<string, { median: number; p99: number }>[] = []
for (const count of SIZES) {
  const { dataDir, breed, dog } = await community(count)
  const server = await startServer({ DATA_DIR: dataDir })
  const row: Record<string, { median: number; p99: number }> = {}
  for (const [name, path] of Object.entries(addresses(breed, dog)))
    row[name] = figures(await requestTimes(server.url + path, ROUNDS))
  measured.push(row)
  console.log(`${count} perros: memoria residente ${await residentMB(server.pid())} MB`)
  await server.dispose()
  rmSync(dataDir, { recursive: true, force: true })
}

const [small, large] = measured as [(typeof measured)[0], (typeof measured)[0]]
table(
  ['', '1.000: mediana ms', 'p99', '100.000: mediana ms', 'p99', 'razón de medianas'],
  Object.keys(small).map((name) => [
    name,
    small[name]!.median,
    small[name]!.p99,
    large[name]!.median,
    large[name]!.p99,
    (large[name]!.median / small[name]!.median).toFixed(2),
  ]),
)
