// npm run move -- --to <url>     copies the database to PostgreSQL; --from <url> brings it back. --to-bucket and --from-bucket do the same
// with the photos. The server must not be running.
import { launch } from './lib/launch.mjs'

launch('scripts/move.ts')
