import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { type Db, openDatabase } from '#db/client.ts'
import { photoName } from '#features/photos/photos.ts'
import { call } from '#tests/support/api.ts'
import { matrixWorld } from '#tests/support/matrix.ts'
import { photo } from '#tests/support/photo.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { peakMB } from '../../bench/lib/measure.ts'
import { exchange } from '../lib/exchange.ts'
import { doctorFinds, visit } from '../lib/health.ts'
import { cases } from './case.ts'
import { wrongWith } from './oracle.ts'
import { ROUTES } from './routes.ts'
import { curlOf, type Names, wireOf } from './wire.ts'

export interface MalformedOptions {
  /** Requests; all the same, it ends when `until` says so. */
  requests: number
  until?: number
  seed?: number
  /** How many at once. */
  lanes?: number
  onProgress?: (sent: number) => void
}

export interface MalformedReport {
  seed: number
  sent: number
  /** Answers by status; 0: none was owed, and none came. */
  statuses: Record<number, number>
  /** Addresses with their methods that were asked. */
  routes: number
  /** Each with the curl line of its smallest case: must stay empty. */
  failures: string[]
  /** The most memory the server ever held, MB. */
  peak: number
}

const ADMIN = 'admin@ejemplo.es'
/** An answer takes milliseconds; this says that none will come. */
const PATIENCE = 20_000
/** What is cut short is not waited for. */
const SHORT = 600
/** Requests of each lane between two new communities: some delete what the others are about. */
const ROUND = 60
/** Kinds of failure after which the rest would be the same. */
const ENOUGH = 12
/** The heap is bounded at 384 MB (scripts/lib/runtime.json); pictures are decoded outside of it. */
export const MEMORY_MOST = 900

/** A small community whose photos are there. */
async function namesOf(server: TestServer, db: Db, jpeg: Buffer): Promise<Names> {
  const world = await matrixWorld(db, server.dataDir, ADMIN)
  mkdirSync(join(server.dataDir, 'photos'), { recursive: true })
  for (const { images } of [world.dog, world.found, world.stray])
    for (const { url } of images) writeFileSync(join(server.dataDir, 'photos', photoName(url)!), jpeg)
  const { nextCursor } = (await call(server, '/api/dogs?limit=1')).body
  return {
    ids: {
      dog: world.dog.id,
      found: world.found.id,
      stray: world.stray.id,
      unclaimed: world.unclaimed.id,
      token: world.unclaimed.token,
      comment: world.comment,
      notification: world.notification,
      session: world.session,
      owner: world.owner.id,
      other: world.other.id,
      photo: world.dog.photo_url ?? '',
      cursor: nextCursor ?? '',
    },
    cookies: world.cookies,
    jpeg,
  }
}

/**
 * Sends requests with something wrong in them, each drawn from every address and every field, and looks at every answer.
 * A case that fails is shrunk to its smallest and told as a curl line; the same seed draws the same cases.
 */
export async function malformedRequests(options: MalformedOptions): Promise<MalformedReport> {
  const { requests, until = Infinity, seed = Date.now() % 2 ** 31, lanes = 3, onProgress } = options
  const server = await startServer({ TRUST_PROXY: '1', ADMIN_EMAIL: ADMIN, METRICS_TOKEN: 'x'.repeat(16) })
  const db = openDatabase(join(server.dataDir, 'perrario.db'))
  const port = Number(new URL(server.url).port)
  const report: MalformedReport = { seed, sent: 0, statuses: {}, routes: 0, failures: [], peak: 0 }
  const asked = new Set<number>()
  const kinds = new Set<string>()
  const jpeg = await photo(80)
  let rounds = 0

  /** Draws and sends some cases, one after another, and shrinks what fails. */
  async function lane(names: Names, runs: number): Promise<void> {
    let last = ''
    const property = fc.asyncProperty(cases, async (one) => {
      const count = report.sent++
      const wire = wireOf(one, names, `10.${(count >> 16) & 255}.${(count >> 8) & 255}.${count & 255}`)
      asked.add(one.route)
      const reply = await exchange(port, wire.bytes, wire.isFramed ? PATIENCE : SHORT, wire.method === 'HEAD')
      report.statuses[reply.status] = (report.statuses[reply.status] ?? 0) + 1
      const wrong = wrongWith(wire, reply)
      if (wrong) last = `${wrong}\n    ${curlOf(wire, server.url)}`
      return wrong === null
    })
    const own = (seed + rounds++ * 7919) | 0
    const checked = await fc.check(property, { seed: own, numRuns: runs, interruptAfterTimeLimit: 120_000 })
    if (!checked.failed || last === '') return
    const { route, faults } = checked.counterexample![0]
    const where = `${ROUTES[route]!.method} ${ROUTES[route]!.path}`
    const kind = `${where} ${last.slice(0, 40)}`
    const replay = `seed ${own} path ${checked.counterexamplePath}`
    if (!kinds.has(kind))
      report.failures.push(`${replay}: ${where}: ${last}\n    ${JSON.stringify(faults).slice(0, 500)}`)
    kinds.add(kind)
  }

  /** Rounds, each in a community of its own: made while nobody sends, since it is written past the server. */
  async function send(): Promise<void> {
    while (report.sent < requests && Date.now() < until && kinds.size < ENOUGH && isAlive(server.pid())) {
      const names = await namesOf(server, db, jpeg)
      const runs = Math.min(ROUND, Math.ceil((requests - report.sent) / lanes))
      await Promise.all(Array.from({ length: lanes }, () => lane(names, runs)))
      onProgress?.(report.sent)
    }
  }

  try {
    await send()
    const isDown = !isAlive(server.pid())
    report.routes = asked.size
    report.peak = await peakMB(server.pid())
    if (isDown) report.failures.push(`the server ended:\n${server.output().slice(-3000)}`)
    else report.failures.push(...(await visit(server)))
    const cry = /.*(unhandled|uncaught).*/i.exec(server.output())
    if (cry) report.failures.push(`the server said: ${cry[0]}`)
    if (report.peak > MEMORY_MOST) report.failures.push(`the server held ${report.peak} MB`)
    await db.destroy()
    await server.stop()
    report.failures.push(...(await doctorFinds(server.dataDir)))
    return report
  } finally {
    await server.dispose()
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
