// npm run portraits              contact sheets of the drawn breeds in .cache/portraits, and the pairs that look most alike.
// npm run portraits -- near      only the pairs; scripts/portrait-sheets.ts lists the other sheets.
import { launch } from './lib/launch.mjs'

launch('scripts/portrait-sheets.ts')
