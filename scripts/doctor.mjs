// npm run doctor                 checks DATA_DIR; also while the server runs. --repair repairs what it can.
import { launch } from './lib/launch.mjs'

launch('scripts/doctor.ts')
