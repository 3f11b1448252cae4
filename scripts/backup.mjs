// npm run backup                 a backup of DATA_DIR in BACKUP_DIR; also while the server runs. --prune takes old ones away.
import { spawnSync } from 'node:child_process'
import { childEnv, install, node } from './lib/setup.mjs'

install()
const { status } = spawnSync(
  node,
  ['--disable-warning=ExperimentalWarning', 'scripts/backup.ts', ...process.argv.slice(2)],
  { stdio: 'inherit', env: childEnv() },
)
process.exit(status ?? 1)
