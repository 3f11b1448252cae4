// npm run bench: builds, then runs every measurement of tests/bench/ and prints figures and ratios. It asserts nothing.
// npm run bench -- pages     only the parts whose name contains «pages»
import { readdirSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { installBrowser } from './lib/browser.mjs'
import { runScript } from './lib/launch.mjs'
import { build, install } from './lib/setup.mjs'

install()
build()
installBrowser()
const requested = process.argv.slice(2)
const parts = readdirSync('tests/bench').filter(
  (file) => file.endsWith('.bench.ts') && (requested.length === 0 || requested.some((name) => file.includes(name))),
)
console.log(
  `${new Date().toISOString().slice(0, 10)} · ${cpus()[0]?.model ?? 'CPU'} · ${availableParallelism()} núcleos`,
)
let hasFailed = false
for (const part of parts.sort()) {
  console.log(`\n# ${part.replace('.bench.ts', '')}`)
  if (runScript(`tests/bench/${part}`, []) !== 0) hasFailed = true
}
process.exit(hasFailed ? 1 : 0)
