/**
 * Copies the photos to the bucket of the settings or back, run by scripts/move.mjs. Exit 0: both sides are equal; 1: failed, and the source
 * is as it was; 2: unknown arguments.
 */
import { lockDataExclusive } from '#features/maintenance/lock.server.ts'
import { formatBytes, formatPlural, MaintenanceError } from '#features/maintenance/maintenance.ts'
import { type MovedPhotos, movePhotos } from '#features/maintenance/move/move-photos.server.ts'
import { LocalPhotoStore } from '#features/storage/local-store.server.ts'
import { openBucket } from '#features/storage/open-store.server.ts'
import { BUCKET_TIMEOUT_MS, exitWithError, print, runOrExit, startCommand } from './lib/command-line.ts'

const USAGE = `Uso: npm run move -- --to-bucket
     npm run move -- --from-bucket

Copia las fotos de DATA_DIR al bucket de los valores S3_… (--to-bucket), o las del bucket a DATA_DIR (--from-bucket), y compara cada una.
El sitio tiene que estar parado. Lo copiado no se borra. Si se corta, la misma orden sigue donde estaba.`

const { hasFlag, words, env } = startCommand(USAGE, ['to-bucket', 'from-bucket'])
const isToBucket = hasFlag('to-bucket')
if (words.length > 0 || isToBucket === hasFlag('from-bucket')) {
  console.error(USAGE)
  process.exit(2)
}
if (!env.bucket) exitWithError('faltan los valores S3_… del bucket.', 2)

const moved = await runOrExit(move())
print(
  `${formatPlural(moved.files, 'foto igual', 'fotos iguales')} en los dos lados (${formatBytes(moved.bytes)}, ${moved.digest.slice(0, 16)})`,
)
print(
  isToBucket
    ? 'arranca el sitio con los valores S3_…: ya usa el bucket'
    : 'quita los cinco valores S3_… y arranca el sitio: ya usa DATA_DIR',
)

async function move(): Promise<MovedPhotos> {
  const release = lockDataExclusive(env.dataDir)
  if (!release)
    throw new MaintenanceError('el sitio está en marcha sobre estos datos: páralo antes de mover las fotos.')
  const local = new LocalPhotoStore(env.dataDir)
  const bucket = await openBucket(env, { timeoutMs: BUCKET_TIMEOUT_MS })
  if (!bucket) throw new MaintenanceError('faltan los valores S3_… del bucket.')
  const result = await (isToBucket
    ? movePhotos(local, bucket, printProgress)
    : movePhotos(bucket, local, printProgress))
  release()
  return result
}

/** On a terminal a line that is written again, otherwise one for each tenth. */
function printProgress({ done, total }: { done: number; total: number }): void {
  const text = `${done.toLocaleString('es-ES')} de ${formatPlural(total, 'foto', 'fotos')}`
  if (process.stdout.isTTY) process.stdout.write(`\r${text.padEnd(40)}${done === total ? '\n' : ''}`)
  else if (done === total || done % Math.ceil(total / 10) === 0) console.log(text)
}
