// npm run bench: builds, then runs every measurement of tests/bench/ and prints figures and ratios. Asserts nothing.
// npm run bench -- pages     only the parts whose name holds this
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { installBrowser } from './lib/browser.mjs'
import { build, childEnv, install, node } from './lib/setup.mjs'

install()
build()
installBrowser()
const wanted = process.argv.slice(2)
const parts = readdirSync('tests/bench').filter(
  (f) => f.endsWith('.bench.ts') && (wanted.length === 0 || wanted.some((w) => f.includes(w))),
)
console.log(
  `${new Date().toISOString().slice(0, 10)} · ${cpus()[0]?.model ?? 'CPU'} · ${availableParallelism()} núcleos`,
)
let failed = false
for (const part of parts.sort()) {
  console.log(`\n# ${part.replace('.bench.ts', '')}`)
  const { status } = spawnSync(node, ['--disable-warning=ExperimentalWarning', `tests/bench/${part}`], {
    stdio: 'inherit',
    env: childEnv(),
  })
  failed ||= status !== 0
}
process.exit(failed ? 1 : 0)
