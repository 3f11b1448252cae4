/**
 * Copies the database to PostgreSQL or back, or the photos to the bucket of the settings or back. Run by scripts/move.mjs. Exit 0: both
 * sides are equal; 1: failed, and the source is as it was; 2: unknown arguments.
 */
import { formatBytes, formatPlural, MaintenanceError } from '#features/maintenance/maintenance.ts'
import { moveFromPostgres, moveToPostgres, withLockedMove } from '#features/maintenance/move/move-database.server.ts'
import { findLocalPhotos, movePhotos } from '#features/maintenance/move/move-photos.server.ts'
import { withUnservedPostgres } from '#features/maintenance/postgres.server.ts'
import { LocalPhotoStore } from '#features/storage/local-store.server.ts'
import { hidePassword, isPostgresUrl } from '#db/dialect/postgres/connect.ts'
import { expectedPostgresAddress } from '#lib/postgres-address.ts'
import { exitWithError, openCommandBucket, print, runOrExit, startCommand } from './lib/command-line.ts'
import { startProgress } from './lib/progress.ts'

const USAGE = `Uso: npm run move -- --to <DATABASE_URL>
     npm run move -- --from <DATABASE_URL>
     npm run move -- --to-bucket
     npm run move -- --from-bucket

Copia la base de datos de DATA_DIR a un PostgreSQL vacío (--to), o la de un PostgreSQL a DATA_DIR (--from), y compara cada tabla.
Sin dirección usa la de DATABASE_URL: así la contraseña no queda en el historial.
Copia las fotos de DATA_DIR al bucket de los valores S3_… (--to-bucket), o las del bucket a DATA_DIR (--from-bucket), y compara cada una.
El sitio tiene que estar parado. Lo copiado no se borra. Si se corta, la misma orden sigue donde estaba.`

const DIRECTIONS = ['to', 'from', 'to-bucket', 'from-bucket'] as const

const { hasFlag, valueOf, words, env } = startCommand(USAGE, ['to-bucket', 'from-bucket'], ['to', 'from'])
const [direction, ...others] = DIRECTIONS.filter(hasFlag)
if (!direction || others.length > 0 || words.length > 0) {
  console.error(USAGE)
  process.exit(2)
}
if (direction === 'to' || direction === 'from') await moveDatabase(direction)
else await moveAllPhotos(direction)

async function moveDatabase(to: 'to' | 'from'): Promise<void> {
  const url = valueOf(to) ?? env.databaseUrl
  if (!url) exitWithError(`falta la dirección de PostgreSQL.\n\n${USAGE}`, 2)
  if (!isPostgresUrl(url)) exitWithError(`la dirección tiene que ser ${expectedPostgresAddress(url)}.`, 2)
  const printProgress = startProgress()
  const move = to === 'to' ? moveToPostgres : moveFromPostgres
  const moved = await runOrExit(
    move({
      dataDir: env.dataDir,
      url,
      onResume: () => print('sigue una mudanza que se cortó'),
      onProgress: ({ step, table, allRows, allTotal }) => {
        const rows = `${allRows.toLocaleString('es-ES')} de ${formatPlural(allTotal, 'fila', 'filas')}`
        // Half of the way is the comparison.
        const done = step === 'copy' ? allRows : allTotal + allRows
        printProgress(done, 2 * allTotal, `${step === 'copy' ? 'copiadas' : 'comparadas'} ${rows} (${table})`)
      },
    }),
  )
  print(
    `${formatPlural(moved.rows, 'fila igual', 'filas iguales')} en las dos bases de datos (${formatPlural(moved.tables, 'tabla', 'tablas')}, ${moved.digest.slice(0, 16)})`,
  )
  print('no se mueven las cachés ni las miniaturas, que se rehacen, ni las fotos, que siguen donde están')
  if (to === 'to') {
    print(`arranca el sitio con DATABASE_URL=${hidePassword(url)}`)
    print(
      `${env.dataDir}/perrario.db se queda como estaba: bórrala cuando no la necesites, porque guarda datos de los miembros`,
    )
  } else {
    print(`quita DATABASE_URL y arranca el sitio: ya usa ${env.dataDir}/perrario.db`)
    print('el PostgreSQL se queda como estaba: bórralo cuando no lo necesites, porque guarda datos de los miembros')
  }
}

async function moveAllPhotos(to: 'to-bucket' | 'from-bucket'): Promise<void> {
  if (!env.bucket) exitWithError('faltan los valores S3_… del bucket.', 2)
  const moved = await runOrExit(copyPhotos(to === 'to-bucket'))
  print(
    `${formatPlural(moved.files, 'foto igual', 'fotos iguales')} en los dos lados (${formatBytes(moved.bytes)}, ${moved.digest.slice(0, 16)})`,
  )
  if (to === 'to-bucket') {
    print('arranca el sitio con los valores S3_…: ya usa el bucket')
    const { folders } = await runOrExit(findLocalPhotos(env.dataDir))
    if (folders.length > 0) printLeft(folders.join(' y '))
  } else {
    print('quita los cinco valores S3_… y arranca el sitio: ya usa DATA_DIR')
    if (moved.files > 0) printLeft('photos/ y lost/ del bucket')
  }
}

function copyPhotos(isToBucket: boolean) {
  return withLockedMove(env.dataDir, 'las fotos', async () => {
    if (env.databaseUrl) await withUnservedPostgres(env.databaseUrl, async () => {})
    const local = new LocalPhotoStore(env.dataDir)
    const bucket = await openCommandBucket(env)
    if (!bucket) throw new MaintenanceError('faltan los valores S3_… del bucket.')
    const printProgress = startProgress()
    const onProgress = ({ done, total }: { done: number; total: number }) =>
      printProgress(done, total, `${done.toLocaleString('es-ES')} de ${formatPlural(total, 'foto', 'fotos')}`)
    const [source, target] = isToBucket ? [local, bucket] : [bucket, local]
    return movePhotos(source, target, { localDir: env.dataDir, onProgress })
  })
}

function printLeft(place: string): void {
  print(
    `las fotos de ${place} se quedan como estaban: bórralas cuando no las necesites, porque ahí queda lo que los miembros borren desde ahora`,
  )
}
