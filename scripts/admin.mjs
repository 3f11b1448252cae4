// npm run admin -- verify <alias>     what the operator does from the console, over DATA_DIR's database; also while the
// server runs. `npm run admin -- help` lists the commands.
import { launch } from './lib/launch.mjs'

launch('scripts/admin.ts')
