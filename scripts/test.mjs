// npm test: from a fresh clone to one line. Installs what is missing (browsers included), builds, type-checks, lints,
// and runs browser, API and unit tests, guards and those in other engines, some files at a time (lib/test-files.mjs).
// npm test -- quick           guards, unit and API tests, without tests/slow-tests.txt
// npm test -- whole           also tests/long-tests.txt, and all cases where others run a sample (tests/support/sample.ts)
// TESTS_DATABASE=postgres npm test -- tests/unit tests/api    these on PostgreSQL: what `npm run soak -- postgres` does
// npm test -- unit            one folder;   npm test -- unit/likes/like-counts   the files whose path holds this
// The last line is always «N passed, N failed», where every check counts as one.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { basename, join } from 'node:path'
import { installBrowser, installEngine } from './lib/browser.mjs'
import { childEnv, install, node, say } from './lib/setup.mjs'
import { createTestRunner, runAlone, runNode } from './lib/test-files.mjs'
import { openTestFolder } from './lib/test-folder.mjs'

/** In the order in which they run: the folders with the longest files first, so that short files fill the end. */
const FOLDERS = ['engines', 'browser', 'api', 'unit', 'guards']
const args = process.argv.slice(2)
/** `quick`, `whole` or `default`; with other words the files whose path holds one of them. */
const size = ['quick', 'whole'].find((word) => args.includes(word)) ?? 'default'
const filters = args.filter((word) => word !== size)
if (size === 'whole') process.env.TESTS = 'whole'
const started = Date.now()
let passed = 0
let failed = 0

/** A whole-project check that counts as one test. */
const checkOf = (name, args) => async () => {
  const from = Date.now()
  const { status, output } = await runNode(args)
  console.log(`${status === 0 ? 'bien ' : 'FALLA'} ${name}  ${((Date.now() - from) / 1000).toFixed(1)} s`)
  if (status !== 0) console.log(output)
  return { file: name, good: status === 0 ? 1 : 0, bad: status === 0 ? 0 : 1 }
}

/** Seconds that each file took in its last run here. The longest of a folder start first: at the end nothing would run beside them. */
const DURATIONS_FILE = '.cache/test-seconds.json'
const seconds = existsSync(DURATIONS_FILE) ? JSON.parse(readFileSync(DURATIONS_FILE, 'utf8')) : {}
/** Unit and API tests that a quick run leaves out. */
const SLOW_FILES = readFileSync('tests/slow-tests.txt', 'utf8').split('\n')
/** The longest files, for a machine on which they never ran. */
const LONGEST_FILES = [
  'templates-visitor.test.ts',
  'templates-member.test.ts',
  'templates-desktop.test.ts',
  'stored-xss.test.ts',
]
const expectedSeconds = (file) =>
  seconds[file] ?? (LONGEST_FILES.includes(basename(file)) ? 60 : SLOW_FILES.includes(file) ? 30 : 0)

/** Runs a file's `freshDb` and its servers on PostgreSQL (tests/support/db.ts, tests/support/server.ts). */
const ON_POSTGRES = { TESTS_DATABASE: 'postgres' }
/** Unit and API tests that run on PostgreSQL as well, but not in a quick run, nor where a filter selects files. */
const POSTGRES_SAMPLE = readFileSync('tests/postgres-sample.txt', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('tests'))
// The process with whose end the tests' PostgreSQL ends (tests/support/postgres/server.ts).
process.env.TESTS_PID = String(process.pid)

/** What only a whole run, or a filter that names it, runs. */
const LONG_FILES = readFileSync('tests/long-tests.txt', 'utf8').split('\n')
const QUICK_FOLDERS = ['guards', 'unit', 'api']

function isSelected(file) {
  if (filters.length > 0) return filters.some((part) => file.includes(part))
  if (size === 'quick' && (!QUICK_FOLDERS.includes(file.split('/')[1]) || SLOW_FILES.includes(file))) return false
  return size === 'whole' || !LONG_FILES.includes(file)
}

const isEngineFile = (file) => /tests.engines/.test(file)

function* testFiles() {
  for (const folder of FOLDERS) {
    if (!existsSync(join('tests', folder))) continue
    const names = readdirSync(join('tests', folder), { recursive: true }).map(String).sort()
    const files = names.filter((name) => name.endsWith('.test.ts')).map((name) => join('tests', folder, name))
    yield* files.sort((a, b) => expectedSeconds(b) - expectedSeconds(a))
  }
}

/** Tests of sources and modules, which need no build. */
const needsBuild = (file) => !/tests.(unit|guards)/.test(file)

/** Builds changed sources in another process. Ends the run where that fails. */
const build = () =>
  new Promise((resolve) => {
    const args = ['scripts/lib/build.mjs']
    const child = spawn(node, args, { stdio: 'inherit', env: childEnv() })
    child.on('close', (status) => (status === 0 ? resolve() : process.exit(status ?? 1)))
  })

/**
 * Builds where a file needs it, and beside that runs what does not, the shortest files first. Then runs the engines, the other checks
 * and files. One more than there are cores run at a time, since browser tests wait for a third of their time; at most four, since each
 * may have a server and a browser open. Beside two others WebKit, which draws without a graphics card, is too slow for the time limits of
 * its steps: until the engines have ended no more run than there are cores.
 */
async function runAll({ sourceChecks, typeChecks, files, postgresFiles }) {
  const engineFiles = files.filter(isEngineFile)
  const otherFiles = files.filter((file) => !isEngineFile(file))
  const results = []
  const state = { isBuilt: !files.some(needsBuild) }
  const built = state.isBuilt || build().then(() => (state.isBuilt = true))
  let openEngines = engineFiles.length
  let endEngines = () => {}
  const enginesEnded = openEngines > 0 && new Promise((resolve) => (endEngines = resolve))
  const run = async (_, index) => {
    const runner = createTestRunner()
    // The first one's core is the build's.
    if (index === 0 || index >= availableParallelism()) await built
    while (!state.isBuilt) {
      if (sourceChecks.length > 0) results.push(await sourceChecks.shift()())
      else if (!needsBuild(otherFiles.at(-1))) results.push(...(await runner.run(otherFiles.pop())))
      else await built
    }
    results.push(...(await runner.close()))
    if (index >= availableParallelism()) await enginesEnded
    while (engineFiles.length > 0) {
      results.push(...(await runner.run(engineFiles.shift())))
      if (--openEngines === 0) endEngines()
    }
    for (const checks of [sourceChecks, typeChecks]) while (checks.length > 0) results.push(await checks.shift()())
    while (otherFiles.length > 0) results.push(...(await runner.run(otherFiles.shift())))
    results.push(...(await runner.close()))
    const postgresRunner = createTestRunner({ env: ON_POSTGRES })
    while (postgresFiles.length > 0)
      results.push(
        ...(await postgresRunner.run(postgresFiles.shift())).map((result) => ({ ...result, env: ON_POSTGRES })),
      )
    results.push(...(await postgresRunner.close()))
  }
  await Promise.all(Array.from({ length: Math.min(4, availableParallelism() + 1) }, run))
  return results
}

install()
const selected = [...testFiles()].filter(isSelected)
const files = selected.filter((f) => !isEngineFile(f) || installEngine(basename(f, '.test.ts')))
if (files.some((f) => /tests.browser/.test(f))) installBrowser()
const isOfAll = filters.length === 0 && size !== 'quick'
const sourceChecks = [
  checkOf('formato de las páginas', [
    'node_modules/prettier/bin/prettier.cjs',
    '--check',
    '--log-level',
    'warn',
    '**/*.astro',
  ]),
  checkOf('estilo', ['node_modules/oxlint/bin/oxlint', '--deny-warnings']),
  checkOf('formato', ['node_modules/oxfmt/bin/oxfmt', '--check']),
]
// These read what the build writes into .astro.
const typeChecks = [
  // TypeScript 7 for all sources; Astro's checker, which needs the API of TypeScript 6, for what it alone can read.
  checkOf('tipos', ['node_modules/typescript-7/bin/tsc', '--noEmit', '-p', '.']),
  checkOf('tipos de las páginas', [
    'node_modules/astro/bin/astro.mjs',
    'check',
    '--minimumSeverity',
    'warning',
    '--tsconfig',
    'tsconfig.astro.json',
  ]),
]
const testFolder = openTestFolder()
Object.assign(process.env, testFolder.env)
process.on('exit', testFolder.remove)
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
const results = await runAll({
  sourceChecks: isOfAll ? sourceChecks : [],
  typeChecks: isOfAll ? typeChecks : [],
  files,
  postgresFiles: isOfAll && !process.env.TESTS_DATABASE ? POSTGRES_SAMPLE : [],
})
// Files that run at the same time slow each other down, and timeouts expire. A file that fails runs once more, alone, and its second
// result counts. The first failure stays printed above, and the file is named here. Guards have no timeouts.
const retries = results.filter(({ file, bad }) => bad && /tests.(browser|engines|api|unit).*\.test\.ts$/.test(file))
for (const first of retries) {
  say(`${first.file}, otra vez y a solas…`)
  const second = await runAlone(first.file, first.env)
  if (!second.bad) say(`${first.file}: INESTABLE (falló a la primera)`)
  results[results.indexOf(first)] = second
}
for (const { file, good, bad, seconds: took, env } of results) {
  passed += good
  failed += bad
  if (took && !bad && !env) seconds[file] = Math.round(took)
}
mkdirSync('.cache', { recursive: true })
writeFileSync(DURATIONS_FILE, JSON.stringify(seconds))
say(`pruebas en ${Math.round((Date.now() - started) / 1000)} s`)
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed || passed === 0 ? 1 : 0)
