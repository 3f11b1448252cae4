import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { call, formOf } from '#tests/support/api.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { signIn } from '#tests/support/seed.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { percentilesOf, peakMB } from '#tests/support/load/measure.ts'
import { collectDoctorErrors } from '#tests/soak/site-health.ts'

export interface FloodOptions {
  /** Seconds of each stretch, of which there are four. */
  seconds: number
  slow?: number
}

export interface FloodPhase {
  name: string
  visits: number
  median: number
  p99: number
  /** Beside the quiet stretch before it. */
  ratio: number
  sent: string
}

export interface FloodReport {
  phases: FloodPhase[]
  failures: string[]
  peak: number
}

/** Requests a second on an ordinary evening, and ten times as many. */
const USUAL_REQUESTS_PER_SECOND = 40
const FLOOD_REQUESTS_PER_SECOND = USUAL_REQUESTS_PER_SECOND * 10
/** A visit beside a flood takes at most so many times a quiet one. */
const MAX_SLOWDOWN = 3

/** A visit's pages, one after another: the list, a dog, its photo, and a member's own page, which is never kept. */
async function timeVisits(server: TestServer, pages: [string, string?][], seconds: number) {
  const times: number[] = []
  const wrong = new Set<string>()
  const until = Date.now() + seconds * 1000
  while (Date.now() < until) {
    const start = performance.now()
    for (const [path, cookie] of pages) {
      const { status } = await call(server, path, { cookie }).catch(() => ({ status: 0 }))
      if (status !== 200) wrong.add(`a visitor got ${status} for ${path}`)
    }
    times.push(performance.now() - start)
    await new Promise((done) => setTimeout(done, 40))
  }
  return { ...percentilesOf(times), visits: times.length, wrong: [...wrong] }
}

/** Its files and sockets; where /proc is not there, as many as one likes. */
function countOpenFiles(server: TestServer): number {
  try {
    return readdirSync(`/proc/${server.pid()}/fd`).length
  } catch {
    return Infinity
  }
}

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

async function startLoad(...args: string[]): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', 'tests/soak/floods/load-client.ts', ...args],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  )
  await once(child.stdout!, 'data')
  return child
}

/** Ends it and answers what it says it did. */
async function stopLoad(child: ChildProcess): Promise<Record<string, number>> {
  const said = once(child.stdout!, 'data')
  const gone = once(child, 'exit')
  child.stdin!.end()
  const [line] = await said
  await gone
  return JSON.parse(String(line))
}

/**
 * Times a visitor while nobody else is there, beside two thousand connections that dawdle, on an ordinary evening, and
 * beside ten times its requests. Client and server share the machine: what counts is each stretch beside the one before.
 */
export async function runFloods({ seconds, slow = 2000 }: FloodOptions): Promise<FloodReport> {
  const server = await startServer()
  const report: FloodReport = { phases: [], failures: [], peak: 0 }
  try {
    const { cookie } = await signIn(server, 'ana@ejemplo.es')
    const dogs = []
    for (let n = 0; n < 12; n++) {
      const form = formOf({
        name: 'Toby',
        breed: 'beagle',
        relationship: 'owner',
        images: [new Blob([await photo(n * 9)])],
      })
      dogs.push((await call(server, '/api/dogs', { method: 'POST', cookie, form })).body.dog)
    }
    const [toby] = dogs
    const pages: [string, string?][] = [['/perros'], [toby.path], [toby.photo_url], ['/perfil', cookie], ['/api/dogs']]
    const asked = ['/', '/perros', '/razas', '/comunidad', '/api/dogs', '/razas/beagle', ...dogs.map((dog) => dog.path)]

    const stretch = async (name: string, beside?: string, load?: string[]): Promise<void> => {
      const child = load && (await startLoad(...load))
      // Until they are all there.
      if (child) await pause(3000)
      const isSlow = load?.[0] === 'slow'
      const wanted = isSlow ? slow : 0
      for (let tries = 0; tries < 60 && countOpenFiles(server) < wanted; tries++) await pause(500)
      // The server cuts them in batches, and each is opened anew only then: what counts is how many stand most of the time.
      const counts: number[] = []
      const counting = setInterval(() => counts.push(countOpenFiles(server)), 500)
      const { wrong, ...timed } = await timeVisits(server, pages, seconds)
      clearInterval(counting)
      const open = counts.toSorted((a, b) => a - b)[counts.length >> 1] ?? 0
      const did = child ? await stopLoad(child) : {}
      if (isSlow && open < slow * 0.9) report.failures.push(`only ${open} connections stood open most of the time`)
      const quiet = report.phases.find((one) => one.name === beside)
      const ratio = quiet ? timed.median / quiet.median : 1
      const sent = Object.entries(did)
        .filter(([, count]) => count > 0)
        .map(([what, count]) => `${count} ${what}`)
        .join(', ')
      report.phases.push({ name, ...timed, ratio, sent })
      report.failures.push(...wrong.map((line) => `${name}: ${line}`))
      if (beside && name !== 'usual' && ratio > MAX_SLOWDOWN)
        report.failures.push(`${name}: ${ratio.toFixed(1)} times ${beside}`)
      if (did.failed) report.failures.push(`${name}: ${did.failed} requests failed`)
    }
    // The first visits fill what is kept.
    await timeVisits(server, pages, 2)
    await stretch('quiet')
    await stretch(`${slow} slow connections`, 'quiet', ['slow', server.url, String(slow)])
    await stretch('usual', 'quiet', ['flood', server.url, String(USUAL_REQUESTS_PER_SECOND), ...asked])
    await stretch('tenfold flood', 'usual', ['flood', server.url, String(FLOOD_REQUESTS_PER_SECOND), ...asked])
    report.peak = await peakMB(server.pid())
    // Only pages: the flood has used up what its address may add.
    report.failures.push(...(await timeVisits(server, pages, 1)).wrong.map((line) => `afterwards: ${line}`))
    await server.stop()
    report.failures.push(...(await collectDoctorErrors(server)))
    return report
  } finally {
    await server.dispose()
  }
}
