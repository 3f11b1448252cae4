/**
 * Checks the data, run by scripts/doctor.mjs; --repair repairs first. Exit 0: no errors (there may be warnings); 1: errors;
 * 2: unknown arguments.
 */
import { setPriority } from 'node:os'
import { runChecks, runRepairs } from '#features/maintenance/doctor/doctor.server.ts'
import { type Finding, worstLevel } from '#features/maintenance/doctor/finding.ts'
import { readOperatorWarnings } from '#server/operator-warnings.ts'
import { exitWithError, openCommandBucket, print, runOrExit, startCommand } from './lib/command-line.ts'

const USAGE = `Uso: npm run doctor [-- --repair]

Revisa los datos de DATA_DIR y las copias de BACKUP_DIR, también con el sitio en marcha.

  --repair   antes arregla lo que se puede: recuentos, fotos sueltas o perdidas, restos`

const { hasFlag, words, env } = startCommand(USAGE, ['repair'])
if (words.length > 0) exitWithError(`no entiendo «${words.join(' ')}».\n\n${USAGE}`, 2)

/** The longest name of a check: findings are printed before all names are known. */
const NAME_WIDTH = 'base de datos anterior'.length

const printFinding = ({ level, what, detail }: Finding) =>
  console.log(`${level.padEnd(6)} ${what.padEnd(NAME_WIDTH)}  ${detail}`)

await openCommandBucket(env)
// The site's own requests come first.
setPriority(10)
if (hasFlag('repair')) for (const repair of await runOrExit(runRepairs(env))) print(repair)
const findings = await runOrExit(
  runChecks({ ...env, storage: env, warnings: readOperatorWarnings(env.dataDir), onFinding: printFinding }),
)
const level = worstLevel(findings)
if (level === 'ok') print('todo está bien')
else if (!hasFlag('repair') && findings.some(({ isRepairable }) => isRepairable))
  print('npm run doctor -- --repair arregla lo que puede')
process.exit(level === 'error' ? 1 : 0)
