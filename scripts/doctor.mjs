// npm run doctor                 checks DATA_DIR; also while the server runs. --repair repairs what can be repaired.
import { launch } from './lib/launch.mjs'

launch('scripts/doctor.ts')
