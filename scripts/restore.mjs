// npm run restore -- <backup>    replaces DATA_DIR's data with a backup; the server must not be running.
import { launch } from './lib/launch.mjs'

launch('scripts/restore.ts')
