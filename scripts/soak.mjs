// npm run soak: builds, then puts the server under load and faults (tests/soak/) and prints a table. Exit 1 where anything failed.
// npm run soak -- --minutes 10      the scenarios share this time; without it, each runs in full
// npm run soak -- kills floods      only these of: malformed slow kills nodes floods pictures faults postgres
// npm run soak -- --seed 7          the same malformed requests again
import { launch } from './lib/launch.mjs'
import { build, requireInstalled } from './lib/setup.mjs'

requireInstalled()
build()
launch('tests/soak/soak.ts')
