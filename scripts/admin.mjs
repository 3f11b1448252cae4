// npm run admin -- verify <alias>     the operator's commands on DATA_DIR's database; also while the server runs.
// `npm run admin -- help` lists them.
import { launch } from './lib/launch.mjs'

launch('scripts/admin.ts')
