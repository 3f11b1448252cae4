import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runChecks, runRepairs } from '#features/maintenance/doctor/doctor.server.ts'
import type { Finding } from '#features/maintenance/doctor/finding.ts'
import { photoKey } from '#features/photos/files.server.ts'
import { photoName } from '#features/photos/photos.ts'
import { isIntactImage } from '#features/photos/render/image-integrity.ts'
import { call, formOf } from '#tests/support/api.ts'
import { WriteLoad } from '#tests/soak/write-load.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { signIn } from '#tests/support/seed.ts'
import { openServerDatabase, type ServerData } from '#tests/support/server-database.ts'
import { startSingleSite, startTwoNodeSite } from './killed-site.ts'

export interface KillReport {
  cycles: number
  /** Writes acknowledged, by kind. */
  acknowledged: Record<string, number>
  /** Acknowledged and not there: must stay empty. */
  lostWrites: string[]
  /** What the doctor called an error before it mended anything, and anything it still called after: must stay empty. */
  doctorErrors: string[]
  /** Answers that nothing explains: must stay empty. */
  unexpectedAnswers: string[]
  /** What kills left behind and the doctor took away. */
  repaired: string[]
}

export interface KillOptions {
  cycles: number
  /** As many cycles more, up to four times as many in all, as it takes for each of these writes to be acknowledged once. */
  kinds?: readonly string[]
  /** No cycle begins after this. */
  until?: number
  /** Members who write at once. */
  members?: number
  /** Writes acknowledged before each kill, so that there is something to lose; then it comes at any moment of half a second. */
  minWrites?: number
  seed?: number
  /** Two nodes over a PostgreSQL instead of one process. */
  hasTwoNodes?: boolean
  /** Told after each cycle. */
  onCycle?: (cycle: number, report: KillReport) => void
}

/** Numbers from 0 to 1, the same for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

/**
 * Kills a real server under mixed writes, again and again over the same data, and looks after each kill whether everything
 * acknowledged is there and the doctor leaves the data clean. `npm test` runs a few cycles, a soak hundreds.
 */
export async function runKillCycles(options: KillOptions): Promise<KillReport> {
  const {
    cycles,
    kinds = [],
    until = Infinity,
    members: count = 6,
    minWrites = 20,
    seed = Date.now(),
    onCycle,
  } = options
  const chance = seededRandom(seed)
  const report: KillReport = {
    cycles: 0,
    acknowledged: {},
    lostWrites: [],
    doctorErrors: [],
    unexpectedAnswers: [],
    repaired: [],
  }
  const env = { TRUST_PROXY: '1' }
  const site = options.hasTwoNodes ? await startTwoNodeSite(env, chance) : await startSingleSite(env)
  const server = site.front
  const backupDir = mkdtempSync(join(tmpdir(), 'perrario-kill-'))
  const care = { dataDir: server.dataDir, databaseUrl: server.databaseUrl, backupDir, backups: null }
  try {
    const members = []
    for (let i = 0; i < count; i++) members.push(await signIn(server, `socia${i}@ejemplo.es`))
    const common: string[] = []
    for (const { cookie } of members) {
      const form = formOf({
        name: 'Toby',
        breed: 'beagle',
        relationship: 'owner',
        images: [new Blob([await photo(60)])],
      })
      common.push((await call(server, '/api/dogs', { method: 'POST', cookie, form })).body.dog.id)
    }
    const load = new WriteLoad(server, members, common, chance)
    const missingKinds = () => kinds.filter((kind) => !load.acknowledged[kind])
    for (let cycle = 1; cycle <= cycles * 4 && Date.now() < until; cycle++) {
      if (cycle > cycles && missingKinds().length === 0) break
      // In the last cycle asked for, and after it: what chance has not brought yet.
      const missing = cycle >= cycles ? missingKinds() : []
      await load.start(missing)
      await load.waitForWrites(minWrites, missing)
      await new Promise((done) => setTimeout(done, chance() * 500))
      await site.kill()
      await load.stop()
      const note = (list: string[], lines: string[]) => list.push(...lines.map((line) => `${cycle}: ${line}`))
      note(report.doctorErrors, formatFindings(await runChecks(care), ['error']))
      note(report.repaired, await runRepairs(care))
      note(report.doctorErrors, formatFindings(await runChecks(care), ['error', 'aviso']))
      await using db = openServerDatabase(server)
      note(report.lostWrites, await load.findLostWrites(db))
      note(report.doctorErrors, await findBrokenPhotos(server))
      await site.restart()
      report.cycles = cycle
      report.acknowledged = load.acknowledged
      report.unexpectedAnswers = load.unexpectedAnswers
      onCycle?.(cycle, report)
    }
    return report
  } finally {
    await site.dispose()
    rmSync(backupDir, { recursive: true, force: true })
  }
}

/** Free disk and backups are the machine's and the operator's. */
const IGNORED_CHECKS = ['disco', 'copias', 'última copia']
const formatFindings = (findings: readonly Finding[], levels: readonly string[]) =>
  findings
    .filter(({ level, what }) => levels.includes(level) && !IGNORED_CHECKS.includes(what))
    .map(({ level, what, detail }) => `${level} ${what}: ${detail}`)

/** Photos that rows name and that are not pictures from beginning to end. */
export async function findBrokenPhotos(server: ServerData): Promise<string[]> {
  await using db = openServerDatabase(server)
  const broken: string[] = []
  for (const { url } of await db.selectFrom('dog_images').select('url').execute()) {
    const bytes = await readFile(join(server.dataDir, photoKey(photoName(url)!))).catch(() => Buffer.alloc(0))
    if (!isIntactImage(bytes, 'jpeg')) broken.push(`broken photo ${url}`)
  }
  return broken
}
