import { accessSync, constants, mkdirSync, statfsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Db } from '#db/client.ts'
import type { DatabaseLocation } from '#db/location.ts'
import { countStrandedMembers } from '#features/auth/ways/ways.server.ts'
import { findRelyingParty } from '#features/auth/passkeys/relying-party.ts'
import { explainError, findWriteFault } from '#features/maintenance/files.server.ts'
import { isHalfRestored, lockDataShared } from '#features/maintenance/lock.server.ts'
import type { PictureDecoder } from '#features/photos/decode/decoder.server.ts'
import { markSharpMissing } from '#features/photos/render/sharp.server.ts'
import { findStorageFailure } from '#lib/storage-failure.ts'
import type { Operator } from '#lib/operator.ts'
import { isMoveUnfinished } from '#features/maintenance/move/move-rows.server.ts'
import { DATABASE_FILE, NewerDatabaseError, PostgresUnusableError, startDatabase } from '#server/db.ts'
import { type Env, EnvError, getEnv } from '#server/env.ts'
import { log } from '#server/log/log.ts'
import { warnOperator } from '#server/operator-warnings.ts'
import { errorCode } from '#lib/error-code.ts'

/** Free space that opening and migrating a database takes at least, bytes. */
const MIN_FREE_BYTES = 1024 * 1024

// Failures before the program serves, each reported in one line.

/** Logs one line and ends the process with exit code 1. A log that is off is passed by: the operator must learn why. */
export function exitWithError(text: string): never {
  if (log().isSilent) process.stderr.write(`perrario · ${text}\n`)
  else log().write('error', text)
  process.exit(1)
}

export function readEnvOrExit(): Env {
  try {
    return getEnv()
  } catch (error) {
    if (error instanceof EnvError) exitWithError(error.message)
    throw error
  }
}

export function assertDataDirWritable(dir: string): void {
  if (!isWritable(dir, () => mkdirSync(dir, { recursive: true })))
    exitWithError(`no se puede escribir en DATA_DIR (${resolve(dir)}): crea la carpeta o dale permiso.`)
}

/**
 * Locks the data against restores and moves until this process ends. Other servers share the lock. Exits where a restore is under way
 * or was interrupted.
 */
export function lockDataDir(dir: string): void {
  const interrupted = 'una restauración de los datos se quedó a medias: repite npm run restore.'
  if (isHalfRestored(dir)) exitWithError(interrupted)
  if (!lockDataShared(dir)) exitWithError('se está restaurando una copia: espera a que acabe.')
  if (isHalfRestored(dir)) exitWithError(interrupted)
}

/** Opens and migrates the database. */
export async function openDatabaseOrExit(location: DatabaseLocation, logInfo: (text: string) => void): Promise<Db> {
  const { dataDir, databaseUrl } = location
  const { db, migrated } = await startDatabase(location).catch((error: Error) => {
    if (databaseUrl !== undefined) exitWithError(explainPostgresError(error))
    const where = `la base de datos de ${resolve(dataDir)}`
    if (error instanceof NewerDatabaseError) exitWithError(error.message)
    if (isDiskFull(dataDir, error))
      exitWithError(`no queda sitio en el disco para abrir ${where}: haz sitio y arranca otra vez.`)
    if (/^SQLITE_(NOTADB|CORRUPT)/.test(errorCode(error)))
      exitWithError(`no se puede abrir ${where}: ${explainError(error)}. Restaura la última copia con npm run restore.`)
    if (findStorageFailure(error) === 'refused')
      exitWithError(`no se puede escribir en ${where}: mira sus permisos y si el disco es de solo lectura.`)
    exitWithError(`no se puede abrir ${where}: ${explainError(error)}`)
  })
  logInfo(migrated.length ? `base de datos al día (${migrated.length} migraciones)` : 'base de datos al día')
  if (databaseUrl !== undefined) {
    if (await isMoveUnfinished(db))
      exitWithError('una mudanza a PostgreSQL se quedó a medias: repite npm run move -- --to.')
  } else if (!isWritable(resolve(dataDir, DATABASE_FILE)))
    log().write('warn', 'la base de datos es de solo lectura: se enseña lo que hay y no se guarda nada.')
  return db
}

/** Warns of a folder that takes no backups: otherwise the first night without one says so. */
export function warnOfBackupFolder({ backupDir, backups }: Pick<Env, 'backupDir' | 'backups'>): void {
  const fault = backups && findWriteFault(backupDir)
  if (fault) warnOperator('backups', `BACKUP_DIR (${resolve(backupDir)}) no sirve y no se hace ninguna copia: ${fault}`)
}

/**
 * Starts a decoder once and warns where none starts, as on a processor that sharp is not built for. Then nothing loads sharp, which
 * could end the server: photos are sent as they are stored, and uploads answered 503. @returns whether one starts
 */
export async function warnOfDecoder(decoder: PictureDecoder): Promise<boolean> {
  const fault = await decoder.findStartFault()
  if (fault === null) return true
  markSharpMissing()
  warnOperator('decoder', `Las fotos no se pueden preparar, y no se admiten nuevas: su proceso no arranca (${fault})`)
  return false
}

/** Warns of members who cannot come in any more: their passkeys are bound to the host of an earlier SITE_URL. */
export async function warnOfStrandedMembers(db: Db, siteUrl: string | undefined): Promise<void> {
  const rpId = findRelyingParty(siteUrl, 'localhost')?.id ?? null
  const count = await countStrandedMembers(db, rpId)
  if (count > 0)
    log().write(
      'warn',
      `${count} ${count === 1 ? 'cuenta solo tiene' : 'cuentas solo tienen'} llaves de acceso de otra SITE_URL y no ${count === 1 ? 'puede' : 'pueden'} entrar con ellas.`,
    )
}

/** Says which settings of the operator the legal texts miss: the law wants them to name who answers for the data. */
export function warnOfUnnamedOperator(operator: Operator): void {
  const parts = Object.entries(operator).filter(([, value]) => value === undefined)
  const missing = parts.map(([part]) => `OPERATOR_${part.toUpperCase()}`)
  if (missing.length > 0)
    log().write('warn', `falta ${missing.join(', ')}: «Privacidad» y «Términos» no dicen del todo quién responde.`)
}

/** Errors of the connection are a sentence already; a migration's says what PostgreSQL answered. */
const explainPostgresError = (error: Error): string =>
  error instanceof NewerDatabaseError || error instanceof PostgresUnusableError
    ? error.message
    : `no se puede preparar PostgreSQL: ${error.message}`

/** SQLite reports some writes on a full disk as SQLITE_IOERR: the free space tells which. */
function isDiskFull(dataDir: string, error: Error): boolean {
  const failure = findStorageFailure(error)
  if (failure !== 'refused') return failure === 'full'
  if (!errorCode(error).startsWith('SQLITE_IOERR')) return false
  const { bavail, bsize } = statfsSync(dataDir)
  return bavail * bsize < MIN_FREE_BYTES
}

function isWritable(path: string, prepare?: () => unknown): boolean {
  try {
    prepare?.()
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}
