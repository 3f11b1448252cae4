/**
 * Checks the data, run by scripts/doctor.mjs; --repair repairs first. Exit 0: no errors (there may be warnings); 1: errors;
 * 2: unknown arguments.
 */
import { setPriority } from 'node:os'
import { runChecks, runRepairs } from '#features/maintenance/doctor/doctor.server.ts'
import { worstLevel } from '#features/maintenance/doctor/finding.ts'
import { openBucket } from '#features/storage/open-store.server.ts'
import { BUCKET_TIMEOUT_MS, exitWithError, print, runOrExit, startCommand } from './lib/command-line.ts'

const USAGE = `Uso: npm run doctor [-- --repair]

Revisa los datos de DATA_DIR y las copias de BACKUP_DIR, también con el sitio en marcha.

  --repair   antes arregla lo que se puede: recuentos, fotos sueltas o perdidas, restos`

const { hasFlag, words, env } = startCommand(USAGE, ['repair'])
if (words.length > 0) exitWithError(`no entiendo «${words.join(' ')}».\n\n${USAGE}`, 2)

await openBucket(env, { timeoutMs: BUCKET_TIMEOUT_MS })
// The site's own requests come first.
setPriority(10)
if (hasFlag('repair')) for (const repair of await runOrExit(runRepairs(env))) print(repair)
const findings = await runOrExit(runChecks({ ...env, storage: env }))
const width = Math.max(...findings.map(({ what }) => what.length))
for (const { level, what, detail } of findings) console.log(`${level.padEnd(6)} ${what.padEnd(width)}  ${detail}`)
const level = worstLevel(findings)
if (level === 'ok') print('todo está bien')
else if (!hasFlag('repair') && findings.some(({ isRepairable }) => isRepairable))
  print('npm run doctor -- --repair arregla lo que puede')
process.exit(level === 'error' ? 1 : 0)
