// npm test: from a fresh clone to one line. Installs what is missing (browsers included), builds, type-checks, lints,
// then runs guards, unit, API and browser tests and those in other engines, each file in its own process, some at a time.
// npm test -- unit            one folder;   npm test -- unit/likes/like-counts   the files whose path holds this
// The last line is always «N passed, N failed», where every check counts as one.
import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { basename, join } from 'node:path'
import { installBrowser, installEngine } from './lib/browser.mjs'
import { build, childEnv, install, node, root, say } from './lib/setup.mjs'

const FOLDERS = ['guards', 'unit', 'api', 'browser', 'engines']
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

/** Runs Node to its end. @returns {Promise<{status: number | null, output: string}>} */
function finish(args) {
  return new Promise((resolve) => {
    const child = spawn(node, args, {
      // Compiled once: 300 processes load the same modules.
      env: { ...childEnv(), FORCE_COLOR: '0', NODE_COMPILE_CACHE: join(root, '.cache/node') },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 10 * 60_000,
      killSignal: 'SIGKILL',
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
    child.on('close', (status) => resolve({ status, output }))
  })
}

/** They take longest: begun last, they would be waited for alone. */
const FIRST = [
  'webkit.test.ts',
  'firefox.test.ts',
  'slow-clients.test.ts',
  'templates.test.ts',
  'stored-xss.test.ts',
  'profile-edit.test.ts',
]

function* testFiles() {
  for (const folder of FOLDERS) {
    if (!existsSync(join('tests', folder))) continue
    const names = readdirSync(join('tests', folder), { recursive: true }).map(String)
    const place = (name) => `${FIRST.includes(basename(name)) ? 0 : 1} ${name}`
    const files = names.filter((n) => n.endsWith('.test.ts')).sort((a, b) => (place(a) < place(b) ? -1 : 1))
    for (const name of files) yield join('tests', folder, name)
  }
}

/**
 * Runs one uvu file; one that ends without uvu's summary counts as a failure, so that no crash passes silently.
 * @returns {Promise<{file: string, good: number, bad: number}>}
 */
async function runFile(file) {
  const from = Date.now()
  const { status, output } = await finish(['--disable-warning=ExperimentalWarning', file])
  const sum = (label) =>
    [...output.matchAll(new RegExp(`^\\s*${label}:\\s+(\\d+)`, 'gm'))].reduce((n, m) => n + Number(m[1]), 0)
  const [total, good] = [sum('Total'), sum('Passed')]
  const bad = status === 0 && total > 0 ? total - good : Math.max(1, total - good)
  console.log(`${bad ? 'FALLA' : 'bien '} ${file}  ${good}/${total}  ${((Date.now() - from) / 1000).toFixed(1)} s`)
  if (bad) console.log(output)
  // What a test could not do, as it says itself.
  else
    for (const [line] of output.matchAll(/^.*(perrario · .*)$/gm)) console.log(line.slice(line.indexOf('perrario · ')))
  return { file, good, bad }
}

/**
 * Runs the jobs, one more at a time than there are cores, since a third of a browser's test is waiting; four at most, for each
 * may hold a server and a browser.
 */
async function runAll(jobs) {
  const waiting = jobs.values()
  const results = []
  const worker = async () => {
    for (const job of waiting) results.push(await job())
  }
  await Promise.all(Array.from({ length: Math.min(4, availableParallelism() + 1) }, worker))
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
  checkOf('formato', ['node_modules/prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.']),
]
const results = await runAll([...(wanted.length === 0 ? checks : []), ...files.map((file) => () => runFile(file))])
// Files side by side take the machine from each other, and a browser's waits run out: such a file is asked once more,
// alone, and counts as it then ends. What failed before stays printed above, and is named here.
const again = results.filter(({ file, bad }) => bad && /tests.(browser|engines)/.test(file))
for (const first of again) {
  say(`${first.file}, otra vez y a solas…`)
  const second = await runFile(first.file)
  if (!second.bad) say(`${first.file}: INESTABLE (falló a la primera)`)
  results[results.indexOf(first)] = second
}
for (const { good, bad } of results) {
  passed += good
  failed += bad
}
say(`pruebas en ${Math.round((Date.now() - started) / 1000)} s`)
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed || passed === 0 ? 1 : 0)
