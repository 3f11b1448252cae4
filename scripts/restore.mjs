// npm run restore -- <backup>    replaces DATA_DIR's data with a backup; the server must be stopped.
import { launch } from './lib/launch.mjs'

launch('scripts/restore.ts')
