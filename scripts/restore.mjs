// npm run restore -- <backup>    puts a backup in the place of DATA_DIR's data; the server must be stopped.
import { spawnSync } from 'node:child_process'
import { childEnv, install, node } from './lib/setup.mjs'

install()
const { status } = spawnSync(
  node,
  ['--disable-warning=ExperimentalWarning', 'scripts/restore.ts', ...process.argv.slice(2)],
  { stdio: 'inherit', env: childEnv() },
)
process.exit(status ?? 1)
