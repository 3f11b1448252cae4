import { mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { call, formOf } from '#tests/support/api.ts'
import { allowWriting, canForbidWriting, forbidWriting } from '#tests/support/disk.ts'
import { brokenPhotos, chances } from '#tests/support/kill.ts'
import { KillLoad } from '#tests/support/kill-load.ts'
import { photo } from '#tests/support/photo.ts'
import { signIn, withDatabase } from '#tests/support/seed.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { doctorFinds, visit } from '../lib/health.ts'

export interface TroubleOptions {
  rounds: number
  until?: number
  seed?: number
}

export interface TroubleReport {
  /** How often each befell it. */
  befell: Record<string, number>
  /** Writes acknowledged, by kind. */
  acknowledged: Record<string, number>
  failures: string[]
}

const DAY = 86_400_000
const JUMPS = [DAY, -DAY, 3_600_000, -3_600_000, 40 * 60_000]
/** What is rightly said: while the disk takes nothing, neither data nor a mail; and of a code or a proof that
 * another day's clock finds too old. */
const EXPECTED: Record<string, RegExp> = {
  'full disk': / (503|507) |^magic-link: 502 Error al enviar el enlace\. /,
  'clock set': /^code: 422 |^erase: 403 Para tu seguridad/,
}
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

/**
 * Members write on and on while the disk takes nothing, while kept renders are torn, and while the clock is set: every
 * page is answered meanwhile, nothing acknowledged is lost, and the doctor is content.
 */
export async function trouble({ rounds, until = Infinity, seed = Date.now() }: TroubleOptions): Promise<TroubleReport> {
  const chance = chances(seed)
  const folder = mkdtempSync(join(tmpdir(), 'perrario-clock-'))
  const clock = join(folder, 'clock')
  writeFileSync(clock, '0')
  const server = await startServer({
    TRUST_PROXY: '1',
    CLOCK_FILE: clock,
    NODE_OPTIONS: `--import=${resolve(import.meta.dirname, 'clock.ts')}`,
  })
  const report: TroubleReport = { befell: {}, acknowledged: {}, failures: [] }
  const pid = server.pid()
  try {
    const members = []
    for (let n = 0; n < 4; n++) members.push(await signIn(server, `socia${n}@ejemplo.es`))
    const form = formOf({ name: 'Toby', breed: 'beagle', relationship: 'owner', images: [new Blob([await photo()])] })
    const { dog } = (await call(server, '/api/dogs', { method: 'POST', cookie: members[0]!.cookie, form })).body
    const load = new KillLoad(server, members, [dog.id], chance)
    const troubles: Record<string, () => Promise<void>> = {
      ...(canForbidWriting && {
        'full disk': async () => {
          forbidWriting(pid)
          try {
            await readOn(server, dog, report)
            await pause(1000)
            await readOn(server, dog, report)
          } finally {
            allowWriting(pid)
          }
        },
      }),
      'torn renders': async () => {
        tear(join(server.dataDir, 'cache', 'photos'), chance)
        await readOn(server, dog, report)
      },
      'clock set': async () => {
        writeFileSync(clock, String(JUMPS[Math.floor(chance() * JUMPS.length)]))
        await pause(700)
        await readOn(server, dog, report)
        writeFileSync(clock, '0')
        await pause(300)
      },
    }
    const names = Object.keys(troubles)
    for (let round = 0; round < rounds && Date.now() < until; round++) {
      const name = names[round % names.length]!
      const told = load.strange.length
      await load.start()
      await load.acknowledges(8)
      await troubles[name]!()
      await load.acknowledges(8)
      await load.stop()
      report.befell[name] = (report.befell[name] ?? 0) + 1
      const strange = load.strange.slice(told).filter((line) => !EXPECTED[name]?.test(line))
      const lost = await withDatabase(server, (db) => load.lost(db))
      const broken = await brokenPhotos(server)
      report.failures.push(...[...strange, ...lost, ...broken].map((line) => `${name}: ${line}`))
    }
    report.acknowledged = load.acknowledged
    report.failures.push(...(await visit(server)))
    const cry = /.*(unhandled|uncaught).*/i.exec(server.output())
    if (cry) report.failures.push(`the server said: ${cry[0]}`)
    await server.stop()
    report.failures.push(...(await doctorFinds(server.dataDir)))
    return report
  } finally {
    await server.dispose()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What a visitor asks for meanwhile. */
async function readOn(server: TestServer, dog: { path: string; photo_url: string }, report: TroubleReport) {
  for (const path of ['/', '/perros', dog.path, '/api/dogs', '/healthz', `/_ipx/q_80,s_100x100${dog.photo_url}`]) {
    const { status } = await call(server, path, { headers: { Accept: 'image/webp' } }).catch(() => ({ status: 0 }))
    if (status !== 200) report.failures.push(`a visitor got ${status} for ${path}`)
  }
}

/** Cuts some of what is kept short, as a power cut would. */
function tear(folder: string, chance: () => number): void {
  let names: string[] = []
  try {
    names = readdirSync(folder, { recursive: true }).map(String)
  } catch {
    // Nothing is kept yet.
  }
  for (const name of names) {
    const file = join(folder, name)
    const info = statSync(file, { throwIfNoEntry: false })
    if (info?.isFile() && chance() < 0.5) truncateSync(file, Math.floor(chance() * info.size))
  }
}
