// npm run soak: builds, then tries the server's patience (tests/soak/) and prints a table. Ends with 1 where anything failed.
// npm run soak -- --minutes 10      the scenarios share so much time; without, each runs to its full figures
// npm run soak -- kills floods      only these of: malformed kills floods pictures trouble
// npm run soak -- --seed 7          the same malformed requests again
import { spawnSync } from 'node:child_process'
import { build, childEnv, install, node } from './lib/setup.mjs'

install()
build()
const { status } = spawnSync(
  node,
  ['--disable-warning=ExperimentalWarning', 'tests/soak/soak.ts', ...process.argv.slice(2)],
  {
    stdio: 'inherit',
    env: childEnv(),
  },
)
process.exit(status ?? 1)
