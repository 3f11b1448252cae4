// npm run doctor                 looks over DATA_DIR; also while the server runs. --repair mends what can be mended.
import { spawnSync } from 'node:child_process'
import { childEnv, install, node } from './lib/setup.mjs'

install()
const { status } = spawnSync(
  node,
  ['--disable-warning=ExperimentalWarning', 'scripts/doctor.ts', ...process.argv.slice(2)],
  { stdio: 'inherit', env: childEnv() },
)
process.exit(status ?? 1)
