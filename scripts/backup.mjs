// npm run backup                 makes a backup of DATA_DIR in BACKUP_DIR; also while the server runs. --prune deletes expired ones.
import { launch } from './lib/launch.mjs'

launch('scripts/backup.ts')
