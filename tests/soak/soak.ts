/** Runs the scenarios one after another and prints the results (docs/soak.md). */
import { availableParallelism, cpus, totalmem } from 'node:os'
import { parseArgs } from 'node:util'
import { runKillCycles } from './kills/scenario.ts'
import { measureUploadsUnderAttack } from '#tests/support/load/uploads-under-attack.ts'
import { runFloods } from './floods/scenario.ts'
import { findUncovered, WHOLE } from './malformed/coverage.ts'
import { sendMalformedRequests } from './malformed/scenario.ts'
import { openSlowConnections } from './slow/scenario.ts'
import { injectFaults } from './faults/scenario.ts'
import { runPostgresTests } from './postgres/scenario.ts'

const { values, positionals } = parseArgs({
  options: { minutes: { type: 'string' }, seed: { type: 'string' } },
  allowPositionals: true,
})
const minutes = values.minutes === undefined ? null : Number(values.minutes)
const seed = values.seed === undefined ? Date.now() % 2 ** 31 : Number(values.seed)
if (minutes !== null && !(minutes > 0)) {
  console.error('npm run soak -- --minutes 10: minutos, más que cero')
  process.exit(1)
}

type Row = [what: string, much: string, came: string]
interface Result {
  rows: Row[]
  failures: string[]
}
/** @param until when its time is over; Infinity: its full figures */
type Scenario = (until: number) => Promise<Result>

const count = (n: number) => n.toLocaleString('en')
/** A line that is written over, where somebody looks on. */
const progress = (text: string) => void (process.stderr.isTTY && process.stderr.write(`\r${text}   `))

const malformed: Scenario = async (until) => {
  const requests = until === Infinity ? 50_000 : Infinity
  const report = await sendMalformedRequests({
    requests,
    until,
    seed,
    onProgress: (sent) => progress(`${count(sent)} malformed requests`),
  })
  const { 0: silent = 0, ...statuses } = report.statuses
  const answers = Object.entries(statuses).map(([status, n]) => `${status}: ${n}`)
  const errors = answers.filter((answer) => answer.startsWith('5'))
  // Cut short, chance alone may miss the rare ones.
  const missed = report.sent >= 2 * WHOLE ? findUncovered(report) : []
  return {
    failures: [...report.failures, ...missed],
    rows: [
      ['malformed requests', count(report.sent), `${errors.join(' · ') || 'no 5xx'}, seed ${report.seed}`],
      ['addresses with their methods', count(report.routes), `${count(report.reached)} of them answered below 400`],
      ['answers by status', count(report.sent - silent), answers.join(' · ')],
      ['endless requests', count(silent), 'no response expected, none received'],
      ['memory of the server at most', `${report.peak} MB`, ''],
    ],
  }
}

/** How many writes, and how many of each kind. */
const summarizeWrites = (kinds: Record<string, number>): [string, string] => [
  count(Object.values(kinds).reduce((sum, n) => sum + n, 0)),
  Object.entries(kinds)
    .map(([kind, n]) => `${kind} ${n}`)
    .join(' · '),
]

const killsUnderWrites: Scenario = (until) => killUnderWrites(until, 200, false)
const nodeKillsUnderWrites: Scenario = (until) => killUnderWrites(until, 50, true)

async function killUnderWrites(until: number, cycles: number, hasTwoNodes: boolean): Promise<Result> {
  const report = await runKillCycles({
    cycles: until === Infinity ? cycles : Infinity,
    until,
    seed,
    hasTwoNodes,
    onCycle: (cycle) => progress(`${cycle} kills`),
  })
  return {
    failures: [...report.lostWrites, ...report.doctorErrors, ...report.unexpectedAnswers],
    rows: [
      [
        hasTwoNodes ? 'kill -9 of one or both of two nodes' : 'kill -9',
        count(report.cycles),
        `${report.lostWrites.length} acknowledged writes lost, ${report.doctorErrors.length} errors of \`npm run doctor\``,
      ],
      ['writes acknowledged before them', ...summarizeWrites(report.acknowledged)],
      ['leftovers that `--repair` removed', count(report.repaired.length), 'writes under way at the kill'],
    ],
  }
}

const flood: Scenario = async (until) => {
  const seconds = until === Infinity ? 45 : Math.max(4, (until - Date.now()) / 1000 / 5)
  const report = await runFloods({ seconds })
  return {
    failures: report.failures,
    rows: report.phases.map(({ name, visits, median, p99, ratio, sent }) => [
      `a visit: ${name}`,
      `${median.toFixed(1)} ms`,
      [`median of ${visits}`, `p99 ${p99.toFixed(0)} ms`, ratio === 1 ? '' : `${ratio.toFixed(2)} x`, sent]
        .filter(Boolean)
        .join(' · '),
    ]),
  }
}

/**
 * An upload beside hostile pictures takes at most so many times a quiet one, as a visit beside a flood; the target is twice. And
 * the server takes at most so many bytes above rest.
 */
const UPLOAD_RATIO_MAX = 3
const PICTURES_BYTES_MAX = 400 * 2 ** 20

const hostilePictures: Scenario = async (until) => {
  const { uploads, hostile, peak, failures } = await measureUploadsUnderAttack({
    until,
    rounds: until === Infinity ? 8 : 50,
  })
  const slow = uploads.filter(({ ratio }) => ratio > UPLOAD_RATIO_MAX)
  const sent = Object.entries(hostile)
  return {
    failures: [
      ...failures,
      ...slow.map(({ name, ratio }) => `an upload ${name} took ${ratio.toFixed(2)} times a quiet one`),
      ...(peak > PICTURES_BYTES_MAX ? [`${Math.round(peak / 2 ** 20)} MB above rest`] : []),
    ],
    rows: [
      [
        'hostile pictures',
        count(sent.reduce((sum, [, n]) => sum + n, 0)),
        sent.map(([status, n]) => `${status}: ${n}`).join(' · '),
      ],
      ['memory above rest at most', `${Math.round(peak / 2 ** 20)} MB`, 'all processes of the server'],
      ...uploads.map(({ name, alone, beside, ratio }): Row => [
        `another upload ${name}`,
        `${beside.median.toFixed(0)} ms`,
        `alone ${alone.median.toFixed(0)} ms · ${ratio.toFixed(2)} x · p99 ${beside.p99.toFixed(0)} ms`,
      ]),
    ],
  }
}

const faults: Scenario = async (until) => {
  const report = await injectFaults({ rounds: until === Infinity ? 60 : Infinity, until, seed })
  return {
    failures: report.failures,
    rows: [
      ...Object.entries(report.injected).map(([name, times]): Row => [`${name} under writes`, count(times), '']),
      ['writes acknowledged meanwhile', ...summarizeWrites(report.acknowledged)],
    ],
  }
}

/** As many with headers that never end, and as many with bodies. */
const SLOW_PAIRS = 500

const slow: Scenario = async () => {
  const { connections, seconds, openFiles, failures } = await openSlowConnections(SLOW_PAIRS)
  return {
    failures,
    rows: [
      ['slow connections', count(connections), `all cut after ${seconds.toFixed(1)} s`],
      ['open files afterwards', count(openFiles), 'of the server'],
    ],
  }
}

const postgresTests: Scenario = async (until) => {
  const report = await runPostgresTests({ until, seed, onFile: (done) => progress(`${done} files on PostgreSQL`) })
  return {
    failures: report.failures,
    rows: [
      [
        'test files on PostgreSQL',
        `${count(report.files)} of ${count(report.total)}`,
        `${count(report.passed)} tests passed, seed ${seed}`,
      ],
    ],
  }
}

/** Each with its share of the time. */
const SCENARIOS: Record<string, [share: number, run: Scenario]> = {
  malformed: [0.33, malformed],
  slow: [0.02, slow],
  kills: [0.25, killsUnderWrites],
  nodes: [0.1, nodeKillsUnderWrites],
  floods: [0.15, flood],
  pictures: [0.05, hostilePictures],
  faults: [0.1, faults],
  postgres: [0.2, postgresTests],
}
const unknown = positionals.filter((name) => !(name in SCENARIOS))
if (unknown.length > 0) {
  console.error(`npm run soak: no conozco ${unknown.join(', ')} (hay ${Object.keys(SCENARIOS).join(', ')})`)
  process.exit(1)
}

const chosen = Object.entries(SCENARIOS).filter(([name]) => positionals.length === 0 || positionals.includes(name))
const shares = chosen.reduce((sum, [, [share]]) => sum + share, 0)
const rows: string[][] = []
const failures: string[] = []
for (const [name, [share, run]] of chosen) {
  const start = Date.now()
  const until = minutes === null ? Infinity : start + (minutes * 60_000 * share) / shares
  const result = await run(until).catch((error: Error): Result => ({
    rows: [],
    failures: [error.stack ?? error.message],
  }))
  const took = `${((Date.now() - start) / 60_000).toFixed(1)} min`
  rows.push(
    ...result.rows.map((row, at) => [...row, at === 0 ? String(result.failures.length) : '', at === 0 ? took : '']),
  )
  if (result.rows.length === 0) rows.push([name, '', 'broke off', String(result.failures.length), took])
  failures.push(...result.failures.map((line) => `- ${name}: ${line}`))
  progress('')
  console.error(`${name}: ${took}, ${result.failures.length} failures`)
}

const processor = `${cpus()[0]?.model ?? 'CPU'}, ${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GB`
console.log(`\n${new Date().toISOString().slice(0, 10)} · ${processor} · Node ${process.versions.node}\n`)
console.log('| measurement | how much | result | failures | time |\n| --- | ---: | --- | ---: | ---: |')
for (const row of rows) console.log(`| ${row.join(' | ')} |`)
console.log(failures.length > 0 ? `\n${failures.length} failures:\n\n${failures.join('\n')}` : '\nNo failures.')
process.exit(failures.length > 0 ? 1 : 0)
