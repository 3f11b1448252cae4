/**
 * The album and breed pages with 1,000 and 100,000 dogs: time of a request without the page cache, one visitor at a time, and of
 * their queries alone. To reach (issue 2): a breed page under 5 ms with 100,000 dogs.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Trx as Db, migrate, openDatabase } from '#db/client.ts'
import { readAlbum } from '#features/album/album.server.ts'
import { readAlbumQuery } from '#features/album/album.ts'
import { loadBreedPage } from '#features/album/breed/breed-page.server.ts'
import { fillCommunity } from '#tests/support/community/fill-community.ts'
import { measureRequestTimes, percentilesOf, printTable } from '#tests/support/load/measure.ts'
import { startMeasuredServer } from '#tests/support/load/measured-server.ts'

const COMMUNITY_SIZES = [1_000, 100_000]
const ROUNDS = 300

async function queryTimes(work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let i = -30; i < ROUNDS; i++) {
    const start = performance.now()
    await work()
    if (i >= 0) times.push(performance.now() - start)
  }
  return times
}

const album = (text: string) => readAlbumQuery(new URLSearchParams(text))

async function measure(db: Db, url: string, breed: string, member: string) {
  const none = new Map()
  return {
    'raza (página)': await measureRequestTimes(`${url}/razas/${breed}`, ROUNDS),
    'álbum (página)': await measureRequestTimes(`${url}/razas`, ROUNDS),
    'lista por estado (página)': await measureRequestTimes(`${url}/razas?vista=lista&orden=estado`, ROUNDS),
    'raza (consultas)': await queryTimes(() => loadBreedPage(db, breed, null, none)),
    'álbum (consultas)': await queryTimes(() => readAlbum(db, album(''), 'everyone')),
    'álbum propio (consultas)': await queryTimes(() => readAlbum(db, album('modo=mias'), { userId: member })),
  }
}

const rows: Record<string, number[]>[] = []
for (const count of COMMUNITY_SIZES) {
  const dataDir = mkdtempSync(join(tmpdir(), `perrario-bench-${count}-`))
  const db = openDatabase(join(dataDir, 'perrario.db'))
  await migrate(db)
  fillCommunity(db, count)
  const busiest = await db
    .selectFrom('dog_tallies')
    .select('breed_slug')
    .orderBy('dogs', 'desc')
    .executeTakeFirstOrThrow()
  const member = await db.selectFrom('profiles').select('id').orderBy('dogs_count', 'desc').executeTakeFirstOrThrow()
  const server = await startMeasuredServer({ DATA_DIR: dataDir, PAGE_CACHE: 'off' })
  rows.push(await measure(db, server.url, busiest.breed_slug, member.id))
  await server.dispose()
  await db.destroy()
  rmSync(dataDir, { recursive: true, force: true })
}
const [small, large] = rows.map((row) =>
  Object.fromEntries(Object.entries(row).map(([name, times]) => [name, percentilesOf(times)])),
)
printTable(
  ['', '1.000: mediana ms', 'p99', '100.000: mediana ms', 'p99', 'razón'],
  Object.keys(small!).map((name) => {
    const [a, b] = [small![name]!, large![name]!]
    return [name, a.median, a.p99, b.median, b.p99, (b.median / a.median).toFixed(2)]
  }),
)
