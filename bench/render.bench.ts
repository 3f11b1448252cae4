/**
 * What a page costs that nobody has kept: milliseconds of processor for one render by Astro's handler, asked as the page cache
 * asks it (no sockets, no compression), and how many statements it runs. To reach (issue 6): an uncached dog's page at least
 * four times the rate of bench/peer, which `throughput` measures over sockets.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Handler } from '../src/server/cache/render.ts'
import { table } from './lib/measure.ts'
import { worldOf } from './lib/members.ts'

const WARM = 300
const ROUNDS = 5
const PAGES = 100

const dataDir = mkdtempSync(join(tmpdir(), 'perrario-bench-render-'))
Object.assign(process.env, { DATA_DIR: dataDir, NODE_ENV: 'production' })
const { dogs, cookies } = await worldOf(dataDir, 1000, 1)
const { startDatabase, stopDatabase } = await import('#server/db.ts')
const { renderPage } = await import('../src/server/cache/render.ts')
const { sqliteOf } = await import('#db/client.ts')
const { db } = await startDatabase()

/** Every statement that is run, whoever runs it. */
let statements = 0
const prototype = Object.getPrototypeOf(sqliteOf(db).prepare('SELECT 1')) as Record<
  string,
  (...given: never) => unknown
>
for (const name of ['all', 'get', 'run']) {
  const method = prototype[name]!
  prototype[name] = function (this: unknown, ...given: never) {
    statements++
    return method.apply(this, given)
  }
}

const { handler } = (await import(resolve(import.meta.dirname, '../dist/server/entry.mjs'))) as { handler: Handler }
const breed = dogs[0]!.path.split('/')[1]!
const TEMPLATES: Record<string, (n: number) => string> = {
  'a dog': (n) => dogs[n % 100]!.path,
  'a breed': () => `/razas/${breed}`,
  'list, `/perros`': () => '/perros',
  'community, `/comunidad`': () => '/comunidad',
  'album, `/razas`': () => '/razas',
}

async function cost(pathOf: (n: number) => string, cookie: string | undefined) {
  for (let n = 0; n < WARM; n++) await renderPage(handler, pathOf(n), cookie)
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage()
    for (let n = 0; n < PAGES; n++) await renderPage(handler, pathOf(n), cookie)
    const { user, system } = process.cpuUsage(before)
    times.push((user + system) / 1000 / PAGES)
  }
  statements = 0
  const { status, body } = await renderPage(handler, pathOf(0), cookie)
  if (status !== 200) throw new Error(`${status} ${pathOf(0)}`)
  return { ms: times.toSorted((a, b) => a - b)[ROUNDS >> 1]!, statements, bytes: body.length }
}

const rows: (string | number)[][] = []
for (const [name, pathOf] of Object.entries(TEMPLATES)) {
  const visitor = await cost(pathOf, undefined)
  const member = await cost(pathOf, cookies[0])
  const both = (key: 'ms' | 'statements') => [visitor, member].map((one) => one[key].toFixed(key === 'ms' ? 2 : 0))
  rows.push([name, ...both('ms'), ...both('statements'), (visitor.bytes / 1000).toFixed(1)])
}
table(['', 'visitor, ms', 'member, ms', 'statements, visitor', 'member', 'kB'], rows)
await stopDatabase()
rmSync(dataDir, { recursive: true, force: true })
process.exit()
