// npm test: from a fresh clone to one line. Installs what is missing (Chromium included), builds, type-checks, lints,
// then runs guards, unit, API and browser tests, each file in its own process.
// npm test -- unit            one folder;   npm test -- unit/likes   the files whose path holds this
// The last line is always «N passed, N failed», where every check counts as one.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { installBrowser } from './lib/browser.mjs'
import { build, childEnv, install, node, say } from './lib/setup.mjs'

const FOLDERS = ['guards', 'unit', 'api', 'browser']
const wanted = process.argv.slice(2)
const started = Date.now()
let passed = 0
let failed = 0

function check(name, args) {
  say(`${name}…`)
  const { status } = spawnSync(node, args, { stdio: 'inherit', env: childEnv() })
  if (status === 0) passed++
  else {
    failed++
    say(`${name}: FALLA`)
  }
}

function* testFiles() {
  for (const folder of FOLDERS) {
    if (!existsSync(join('tests', folder))) continue
    const names = readdirSync(join('tests', folder), { recursive: true }).map(String)
    for (const name of names.filter((n) => n.endsWith('.test.ts')).sort()) yield join('tests', folder, name)
  }
}

/** Runs one uvu file; a file that ends without uvu's summary counts as one failure, so that no crash passes silently. */
function runFile(file) {
  const { status, stdout, stderr } = spawnSync(node, ['--disable-warning=ExperimentalWarning', file], {
    env: { ...childEnv(), FORCE_COLOR: '0' },
    encoding: 'utf8',
    timeout: 10 * 60_000,
    killSignal: 'SIGKILL',
  })
  const total = [...stdout.matchAll(/^\s*Total:\s+(\d+)/gm)].reduce((n, m) => n + Number(m[1]), 0)
  const good = [...stdout.matchAll(/^\s*Passed:\s+(\d+)/gm)].reduce((n, m) => n + Number(m[1]), 0)
  const bad = status === 0 && total > 0 ? total - good : Math.max(1, total - good)
  passed += good
  failed += bad
  console.log(`${bad ? 'FALLA' : 'bien '} ${file}  ${good}/${total}`)
  if (bad) console.log(stdout, stderr)
}

install()
const files = [...testFiles()].filter((f) => wanted.length === 0 || wanted.some((w) => f.includes(w)))
if (files.some((f) => /tests.(api|browser)/.test(f))) build()
if (files.some((f) => /tests.browser/.test(f))) installBrowser()
if (wanted.length === 0) {
  check('tipos', ['node_modules/astro/bin/astro.mjs', 'check', '--minimumSeverity', 'warning'])
  check('estilo', ['node_modules/oxlint/bin/oxlint', '--deny-warnings'])
  check('formato', ['node_modules/prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.'])
}
for (const file of files) runFile(file)
say(`pruebas en ${Math.round((Date.now() - started) / 1000)} s`)
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed || passed === 0 ? 1 : 0)
