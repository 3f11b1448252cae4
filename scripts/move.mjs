// npm run move -- --to-bucket    copies the photos to a bucket; --from-bucket brings them back. The server must not be running.
import { launch } from './lib/launch.mjs'

launch('scripts/move.ts')
