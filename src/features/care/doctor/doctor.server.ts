import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type Database from 'better-sqlite3'
import { migrations } from '#db/migrations/index.ts'
import { CareError, type Retention } from '../care.ts'
import { recount } from '../counts.server.ts'
import { DATABASE, databasePaths, isDatabase, isThere, permissionText, reasonOf } from '../files.server.ts'
import { isHalfRestored, isServed, takeData } from '../lock.server.ts'
import { STAGE } from '../restore.server.ts'
import { faultsOf, holdingsOf, openForCare } from '../snapshot.server.ts'
import { examineCopies } from './copies.server.ts'
import { examineDatabase } from './database.server.ts'
import { bad, type Finding, ok } from './finding.ts'
import { findingsOf, mendPhotos, survey } from './photos.server.ts'
import { examinePlace, mendRights } from './place.server.ts'

export interface DoctorOptions {
  dataDir: string
  backupDir: string
  /** What BACKUPS wants. */
  backups: Retention | null
  now?: number
}

/**
 * Looks everything over and changes nothing; also while the server runs. Photos are only looked for, not read.
 * @throws CareError where there is no data
 */
export async function examine({ dataDir, backupDir, backups, now = Date.now() }: DoctorOptions): Promise<Finding[]> {
  const served = isServed(dataDir)
  const findings = [ok('sitio', served ? 'en marcha' : 'parado')]
  const data = await withDatabase(
    dataDir,
    async (sqlite) => {
      const database = examineDatabase(sqlite)
      if (database[0]!.level !== 'ok') return database
      return [...database, ...findingsOf(await survey(dataDir, sqlite, { isServed: served, now }))]
    },
    unreadable,
  ).catch(denied)
  const place = (await examinePlace(dataDir, served)).filter(({ what }) => !data.some((other) => other.what === what))
  findings.push(...data, ...place, ...(await examineCopies(backupDir, backups, now).catch(denied)))
  return findings
}

const unreadable = (why: string): Finding[] => [
  bad('base de datos', `no se puede leer (${why}): restaura la última copia con npm run restore`),
]

/** @throws any error that is no missing permission */
function denied(error: unknown): Finding[] {
  const text = permissionText(error)
  if (text === null) throw error
  return [bad('permisos', text)]
}

/**
 * Mends what can be mended; also while the server runs: then nothing younger than an hour is taken for left behind.
 * @returns what was done, in Spanish
 * @throws CareError where there is no data
 */
export async function repair({ dataDir, backupDir, now = Date.now() }: DoctorOptions): Promise<string[]> {
  // While nobody serves it, nobody may begin to either: what is new is then left behind for sure.
  const release = holdIfFree(dataDir)
  try {
    const done = await withDatabase(
      dataDir,
      async (sqlite) => {
        const told: string[] = []
        if (faultsOf(sqlite, 1).length > 0) return told
        const { migrations: made } = holdingsOf(sqlite)
        const off = Object.keys(migrations).every((name) => made.includes(name)) ? recount(sqlite) : []
        if (off.length > 0) told.push(`recuentos rehechos: ${off.join(', ')}`)
        const found = await survey(dataDir, sqlite, { isServed: release === null, now })
        told.push(...(await mendPhotos(dataDir, backupDir, sqlite, found)))
        sqlite.pragma('wal_checkpoint(TRUNCATE)')
        return told
      },
      () => [],
    )
    done.push(...(await mendRights(dataDir)))
    if (release && !isHalfRestored(dataDir))
      for (const name of await readdir(dataDir))
        if (name.startsWith(STAGE)) {
          await rm(join(dataDir, name), { recursive: true, force: true })
          done.push('restos de una restauración borrados')
        }
    return done
  } finally {
    release?.()
  }
}

function holdIfFree(dataDir: string): (() => void) | null {
  try {
    return takeData(dataDir)
  } catch {
    return null
  }
}

/** @param broken what stands for a database that cannot be read; none at all is the end */
async function withDatabase<T>(
  dataDir: string,
  look: (sqlite: Database.Database) => Promise<T[]>,
  broken: (why: string) => T[],
): Promise<T[]> {
  const file = join(dataDir, DATABASE)
  if (!(await isThere(file)))
    throw new CareError(`no hay base de datos en ${dataDir}: arranca antes el sitio, o di DATA_DIR.`)
  if (!(await isDatabase(file))) return broken(reasonOf({ code: 'SQLITE_NOTADB' }))
  let sqlite: Database.Database | undefined
  try {
    sqlite = openForCare(file)
    return await look(sqlite)
  } catch (error) {
    if (!(error as { code?: string }).code?.startsWith('SQLITE_')) throw error
    const text = permissionText(error, databasePaths(file))
    if (text !== null) throw new CareError(`${text}.`)
    return broken(reasonOf(error))
  } finally {
    sqlite?.close()
  }
}
