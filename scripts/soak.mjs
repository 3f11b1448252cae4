// npm run soak: builds, then puts the server under load and faults (tests/soak/) and prints a table. Ends with 1 where anything failed.
// npm run soak -- --minutes 10      the scenarios share so much time; without, each runs to its full figures
// npm run soak -- kills floods      only these of: malformed kills floods pictures trouble
// npm run soak -- --seed 7          the same malformed requests again
import { launch } from './lib/launch.mjs'
import { build, install } from './lib/setup.mjs'

install()
build()
launch('tests/soak/soak.ts')
