import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { examine, repair } from '#features/care/doctor/doctor.server.ts'
import type { Finding } from '#features/care/doctor/finding.ts'
import { photoFile } from '#features/photos/files.server.ts'
import { photoName } from '#features/photos/photos.ts'
import { isWholePicture } from '#features/photos/whole.ts'
import { call, formOf } from './api.ts'
import { KillLoad } from './kill-load.ts'
import { photo } from './photo.ts'
import { signIn, withDatabase } from './seed.ts'
import { startServer } from './server.ts'

export interface KillReport {
  cycles: number
  /** Writes acknowledged, by kind. */
  acknowledged: Record<string, number>
  /** Acknowledged and not there: must stay empty. */
  lost: string[]
  /** What the doctor called an error before it mended anything, and anything it still called after: must stay empty. */
  unwell: string[]
  /** Answers that nothing explains: must stay empty. */
  strange: string[]
  /** What kills left behind and the doctor took away. */
  mended: string[]
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
  least?: number
  seed?: number
  /** Told after each cycle. */
  onCycle?: (cycle: number, report: KillReport) => void
}

/** Numbers from 0 to 1, the same for the same seed. */
export function chances(seed: number): () => number {
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
export async function killCycles(options: KillOptions): Promise<KillReport> {
  const { cycles, kinds = [], until = Infinity, members: count = 6, least = 20, seed = Date.now(), onCycle } = options
  const chance = chances(seed)
  const report: KillReport = { cycles: 0, acknowledged: {}, lost: [], unwell: [], strange: [], mended: [] }
  const server = await startServer({ TRUST_PROXY: '1' })
  const backupDir = mkdtempSync(join(tmpdir(), 'perrario-kill-'))
  const care = { dataDir: server.dataDir, backupDir, backups: null }
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
    const load = new KillLoad(server, members, common, chance)
    const isMissing = () => kinds.some((kind) => !load.acknowledged[kind])
    for (let cycle = 1; cycle <= cycles * 4 && Date.now() < until; cycle++) {
      if (cycle > cycles && !isMissing()) break
      await load.start()
      await load.acknowledges(least)
      await new Promise((done) => setTimeout(done, chance() * 500))
      await server.kill()
      await load.stop()
      const note = (list: string[], lines: string[]) => list.push(...lines.map((line) => `${cycle}: ${line}`))
      note(report.unwell, linesOf(await examine(care), ['error']))
      note(report.mended, await repair(care))
      note(report.unwell, linesOf(await examine(care), ['error', 'aviso']))
      note(report.lost, await withDatabase(server, (db) => load.lost(db)))
      note(report.unwell, await brokenPhotos(server))
      await server.restart()
      report.cycles = cycle
      report.acknowledged = load.acknowledged
      report.strange = load.strange
      onCycle?.(cycle, report)
    }
    return report
  } finally {
    await server.dispose()
    rmSync(backupDir, { recursive: true, force: true })
  }
}

/** Free disk and backups are the machine's and the operator's. */
const OTHERS = ['disco', 'copias', 'última copia']
const linesOf = (findings: readonly Finding[], levels: readonly string[]) =>
  findings
    .filter(({ level, what }) => levels.includes(level) && !OTHERS.includes(what))
    .map(({ level, what, detail }) => `${level} ${what}: ${detail}`)

/** Photos that rows name and that are not pictures from beginning to end. */
export const brokenPhotos = (server: { dataDir: string }): Promise<string[]> =>
  withDatabase(server, async (db) => {
    const broken: string[] = []
    for (const { url } of await db.selectFrom('dog_images').select('url').execute()) {
      const bytes = await readFile(photoFile(server.dataDir, photoName(url)!)).catch(() => Buffer.alloc(0))
      if (!isWholePicture(bytes, 'jpeg')) broken.push(`broken photo ${url}`)
    }
    return broken
  })
