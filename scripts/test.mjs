// npm test: from a fresh clone to one line. Installs what is missing (browsers included), builds, type-checks, lints,
// then runs browser, API and unit tests, guards and those in other engines, some files at a time (lib/test-files.mjs).
// npm test -- unit            one folder;   npm test -- unit/likes/like-counts   the files whose path holds this
// The last line is always «N passed, N failed», where every check counts as one.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { basename, join } from 'node:path'
import { installBrowser, installEngine } from './lib/browser.mjs'
import { build, install, say } from './lib/setup.mjs'
import { finish, openLane, runAlone } from './lib/test-files.mjs'

/** The longest files are in the first ones; the short ones fill what is left at the end. */
const FOLDERS = ['engines', 'browser', 'api', 'unit', 'guards']
const wanted = process.argv.slice(2)
const started = Date.now()
let passed = 0
let failed = 0

/** A whole-project check that counts as one test. */
const checkOf = (name, args) => async () => {
  const from = Date.now()
  const { status, output } = await finish(args)
  console.log(`${status === 0 ? 'bien ' : 'FALLA'} ${name}  ${((Date.now() - from) / 1000).toFixed(1)} s`)
  if (status !== 0) console.log(output)
  return { file: name, good: status === 0 ? 1 : 0, bad: status === 0 ? 0 : 1 }
}

/** How long each file took when it last ran here: the longest of a folder begin first, or they would be waited for alone. */
const TIMES = '.cache/test-seconds.json'
const seconds = existsSync(TIMES) ? JSON.parse(readFileSync(TIMES, 'utf8')) : {}
/** Where they never ran. */
const LONG = [
  'slow-clients.test.ts',
  'templates-visitor.test.ts',
  'templates-member.test.ts',
  'templates-desktop.test.ts',
  'stored-xss.test.ts',
  'profile-edit.test.ts',
]
const expectedSeconds = (file) => seconds[file] ?? (LONG.includes(basename(file)) ? 60 : 0)

function* testFiles() {
  for (const folder of FOLDERS) {
    if (!existsSync(join('tests', folder))) continue
    const names = readdirSync(join('tests', folder), { recursive: true }).map(String).sort()
    const files = names.filter((name) => name.endsWith('.test.ts')).map((name) => join('tests', folder, name))
    yield* files.sort((a, b) => expectedSeconds(b) - expectedSeconds(a))
  }
}

/**
 * Runs the checks, then the files, one more at a time than there are cores, since a third of a browser's test is waiting; four
 * at most, for each may hold a server and a browser.
 */
async function runAll(checks, files) {
  const [check, file] = [checks.values(), files.values()]
  const results = []
  const run = async () => {
    for (const one of check) results.push(await one())
    const lane = openLane()
    for (const one of file) results.push(...(await lane.run(one)))
    results.push(...(await lane.close()))
  }
  await Promise.all(Array.from({ length: Math.min(4, availableParallelism() + 1) }, run))
  return results
}

install()
const asked = [...testFiles()].filter((f) => wanted.length === 0 || wanted.some((w) => f.includes(w)))
const files = asked.filter((f) => !/tests.engines/.test(f) || installEngine(basename(f, '.test.ts')))
if (files.some((f) => /tests.(api|browser|engines)/.test(f))) build()
if (files.some((f) => /tests.browser/.test(f))) installBrowser()
const checks = [
  checkOf('tipos', ['node_modules/astro/bin/astro.mjs', 'check', '--minimumSeverity', 'warning']),
  checkOf('estilo', ['node_modules/oxlint/bin/oxlint', '--deny-warnings']),
  checkOf('formato', [
    'node_modules/prettier/bin/prettier.cjs',
    '--check',
    '--cache',
    '--cache-strategy',
    'content',
    '--log-level',
    'warn',
    '.',
  ]),
]
const results = await runAll(wanted.length === 0 ? checks : [], files)
// Files side by side take the machine from each other, and waits run out: a file that fails runs once more, alone, and counts as
// it then ends. The first failure stays printed above, and the file is named here. Guards wait for nothing.
const again = results.filter(({ file, bad }) => bad && /tests.(browser|engines|api|unit).*\.test\.ts$/.test(file))
for (const first of again) {
  say(`${first.file}, otra vez y a solas…`)
  const second = await runAlone(first.file)
  if (!second.bad) say(`${first.file}: INESTABLE (falló a la primera)`)
  results[results.indexOf(first)] = second
}
for (const { file, good, bad, seconds: took } of results) {
  passed += good
  failed += bad
  if (took && !bad) seconds[file] = Math.round(took)
}
mkdirSync('.cache', { recursive: true })
writeFileSync(TIMES, JSON.stringify(seconds))
say(`pruebas en ${Math.round((Date.now() - started) / 1000)} s`)
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed || passed === 0 ? 1 : 0)
