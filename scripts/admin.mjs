// npm run admin -- verify <alias>     what the operator does from the console, over DATA_DIR's database; also while the
// server runs. `npm run admin -- help` lists the orders.
import { spawnSync } from 'node:child_process'
import { childEnv, install, node } from './lib/setup.mjs'

install()
const { status } = spawnSync(
  node,
  ['--disable-warning=ExperimentalWarning', 'scripts/admin.ts', ...process.argv.slice(2)],
  { stdio: 'inherit', env: childEnv() },
)
process.exit(status ?? 1)
