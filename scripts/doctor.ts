/**
 * Looks the data over, run by scripts/doctor.mjs; --repair mends first. Exit 0: nothing is wrong (warnings may be); 1:
 * something is; 2: words it does not know.
 */
import { setPriority } from 'node:os'
import { examine, repair } from '#features/care/doctor/doctor.server.ts'
import { worst } from '#features/care/doctor/finding.ts'
import { attempt, begin, refuse, say } from './lib/care.ts'

const USAGE = `Uso: npm run doctor [-- --repair]

Revisa los datos de DATA_DIR y las copias de BACKUP_DIR, también con el sitio en marcha.

  --repair   antes arregla lo que se puede: recuentos, fotos sueltas o perdidas, restos`

const { has, words, env } = begin(USAGE, ['repair'])
if (words.length > 0) refuse(`no entiendo «${words.join(' ')}».\n\n${USAGE}`, 2)

// The site's own requests come first.
setPriority(10)
if (has('repair')) for (const deed of await attempt(repair(env))) say(deed)
const findings = await attempt(examine(env))
const width = Math.max(...findings.map(({ what }) => what.length))
for (const { level, what, detail } of findings) console.log(`${level.padEnd(6)} ${what.padEnd(width)}  ${detail}`)
const level = worst(findings)
if (level === 'ok') say('todo está bien')
else if (!has('repair') && findings.some(({ mends }) => mends)) say('npm run doctor -- --repair arregla lo que puede')
process.exit(level === 'error' ? 1 : 0)
