import { mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { call, formOf } from '#tests/support/api.ts'
import { allowWriting, canForbidWriting, forbidWriting } from '#tests/support/faults/test-disk.ts'
import { findBrokenPhotos, seededRandom } from '#tests/soak/kills/scenario.ts'
import { WriteLoad } from '#tests/soak/write-load.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { signIn } from '#tests/support/seed.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { collectDoctorErrors, checkNormalVisit } from '#tests/soak/site-health.ts'

export interface FaultOptions {
  rounds: number
  until?: number
  seed?: number
}

export interface FaultReport {
  /** How often each befell it. */
  injected: Record<string, number>
  /** Writes acknowledged, by kind. */
  acknowledged: Record<string, number>
  failures: string[]
}

const DAY_MS = 86_400_000
const CLOCK_JUMPS_MS = [DAY_MS, -DAY_MS, 3_600_000, -3_600_000, 40 * 60_000]
/** What is rightly said: while the disk takes nothing, neither data nor a mail; and of a code or a proof that
 * another day's clock finds too old. */
const EXPECTED_REFUSALS: Record<string, RegExp> = {
  'full disk': / (503|507) |^magic-link: 502 Error al enviar el enlace\. /,
  'clock set': /^code: 422 |^erase: 403 Para tu seguridad/,
}
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

/**
 * Members write on and on while the disk takes nothing, while kept renders are torn, and while the clock is set: every
 * page is answered meanwhile, nothing acknowledged is lost, and the doctor is content.
 */
export async function injectFaults({
  rounds,
  until = Infinity,
  seed = Date.now(),
}: FaultOptions): Promise<FaultReport> {
  const chance = seededRandom(seed)
  const folder = mkdtempSync(join(tmpdir(), 'perrario-clock-'))
  const clock = join(folder, 'clock')
  writeFileSync(clock, '0')
  const server = await startServer({
    TRUST_PROXY: '1',
    CLOCK_FILE: clock,
    NODE_OPTIONS: `--import=${resolve(import.meta.dirname, 'clock.ts')}`,
  })
  const report: FaultReport = { injected: {}, acknowledged: {}, failures: [] }
  const pid = server.pid()
  try {
    const members = []
    for (let n = 0; n < 4; n++) members.push(await signIn(server, `socia${n}@ejemplo.es`))
    const form = formOf({ name: 'Toby', breed: 'beagle', relationship: 'owner', images: [new Blob([await photo()])] })
    const { dog } = (await call(server, '/api/dogs', { method: 'POST', cookie: members[0]!.cookie, form })).body
    const load = new WriteLoad(server, members, [dog.id], chance)
    const faults: Record<string, () => Promise<void>> = {
      ...(canForbidWriting && {
        'full disk': async () => {
          forbidWriting(pid)
          try {
            await readPages(server, dog, report)
            await pause(1000)
            await readPages(server, dog, report)
          } finally {
            allowWriting(pid)
          }
        },
      }),
      'torn renders': async () => {
        truncateRenders(join(server.dataDir, 'cache', 'photos'), chance)
        await readPages(server, dog, report)
      },
      'clock set': async () => {
        writeFileSync(clock, String(CLOCK_JUMPS_MS[Math.floor(chance() * CLOCK_JUMPS_MS.length)]))
        await pause(700)
        await readPages(server, dog, report)
        writeFileSync(clock, '0')
        await pause(300)
      },
    }
    const names = Object.keys(faults)
    for (let round = 0; round < rounds && Date.now() < until; round++) {
      const name = names[round % names.length]!
      const answersBefore = load.unexpectedAnswers.length
      await load.start()
      await load.waitForWrites(8)
      await faults[name]!()
      await load.waitForWrites(8)
      await load.stop()
      report.injected[name] = (report.injected[name] ?? 0) + 1
      const strange = load.unexpectedAnswers.slice(answersBefore).filter((line) => !EXPECTED_REFUSALS[name]?.test(line))
      const lost = await load.findLostWrites(server.db)
      const broken = await findBrokenPhotos(server)
      report.failures.push(...[...strange, ...lost, ...broken].map((line) => `${name}: ${line}`))
    }
    report.acknowledged = load.acknowledged
    report.failures.push(...(await checkNormalVisit(server)))
    const cry = /.*(unhandled|uncaught).*/i.exec(server.output())
    if (cry) report.failures.push(`the server said: ${cry[0]}`)
    await server.stop()
    report.failures.push(...(await collectDoctorErrors(server)))
    return report
  } finally {
    await server.dispose()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What a visitor asks for meanwhile. */
async function readPages(server: TestServer, dog: { path: string; photo_url: string }, report: FaultReport) {
  for (const path of ['/', '/perros', dog.path, '/api/dogs', '/healthz', `/_ipx/q_80,s_100x100${dog.photo_url}`]) {
    const { status } = await call(server, path, { headers: { Accept: 'image/webp' } }).catch(() => ({ status: 0 }))
    if (status !== 200) report.failures.push(`a visitor got ${status} for ${path}`)
  }
}

/** Cuts some of what is kept short, as a power cut would. */
function truncateRenders(folder: string, chance: () => number): void {
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
