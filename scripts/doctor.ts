/**
 * Looks the data over, run by scripts/doctor.mjs; --repair mends first. Exit 0: nothing is wrong (warnings may be); 1:
 * something is; 2: words it does not know.
 */
import { setPriority } from 'node:os'
import { runChecks, runRepairs } from '#features/maintenance/doctor/doctor.server.ts'
import { worstLevel } from '#features/maintenance/doctor/finding.ts'
import { runOrExit, startCommand, exitWithError, print } from './lib/maintenance.ts'

const USAGE = `Uso: npm run doctor [-- --repair]

Revisa los datos de DATA_DIR y las copias de BACKUP_DIR, también con el sitio en marcha.

  --repair   antes arregla lo que se puede: recuentos, fotos sueltas o perdidas, restos`

const { has, words, env } = startCommand(USAGE, ['repair'])
if (words.length > 0) exitWithError(`no entiendo «${words.join(' ')}».\n\n${USAGE}`, 2)

// The site's own requests come first.
setPriority(10)
if (has('repair')) for (const deed of await runOrExit(runRepairs(env))) print(deed)
const findings = await runOrExit(runChecks(env))
const width = Math.max(...findings.map(({ what }) => what.length))
for (const { level, what, detail } of findings) console.log(`${level.padEnd(6)} ${what.padEnd(width)}  ${detail}`)
const level = worstLevel(findings)
if (level === 'ok') print('todo está bien')
else if (!has('repair') && findings.some(({ isRepairable }) => isRepairable))
  print('npm run doctor -- --repair arregla lo que puede')
process.exit(level === 'error' ? 1 : 0)
