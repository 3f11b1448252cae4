import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { checkpointWal } from '#db/checkpoint-wal.ts'
import type { Db } from '#db/client.ts'
import { compactDatabase } from '#db/compact.ts'
import { transact } from '#db/transact.ts'
import { deleteExpiredRows } from '#features/account/personal-data/expired-rows.server.ts'
import { deleteExpiredTokens } from '#features/auth/sign-in/sign-in-tokens.server.ts'
import { deleteExpiredIdempotencyKeys } from '#features/dogs/write/idempotency-keys.server.ts'
import { deleteExpiredNotices } from '#features/found/retention.server.ts'
import { deleteExpiredEvents } from '#features/live/retention.server.ts'
import { deleteExpiredLostRows } from '#features/lost/retention.server.ts'
import { deleteUnusedBanKey } from '#features/moderation/ban-digests.server.ts'
import { discardOrphanedCases } from '#features/moderation/orphaned-cases.server.ts'
import { deleteExpiredNotifications } from '#features/notifications/retention.server.ts'
import { deleteExpiredOpinions } from '#features/opinions/retention.server.ts'
import { deleteExpiredGeocodes } from '#features/places/geocode.server.ts'
import { closeLeftReports } from '#features/reports/retention.server.ts'
import { formatPlural } from './maintenance.ts'
import { DAY_MS } from '#lib/time.ts'

/** Mails in the outbox (no mail server): the operator has read them by then, and their sign-in codes have expired. */
const OUTBOX_RETENTION_MS = 7 * DAY_MS
/** A draft of this age was left by a crash. */
const DRAFT_RETENTION_MS = DAY_MS

/** By the list of personal data, and what it cannot say. Each takes the database and the time (ms), and returns the rows deleted. */
const ROW_RETENTIONS: readonly ((db: Db, now: number) => Promise<number>)[] = [
  deleteExpiredRows,
  (db, now) => transact(db, (trx) => deleteExpiredTokens(trx, now)),
  (db, now) => transact(db, (trx) => deleteExpiredIdempotencyKeys(trx, now)),
  deleteExpiredEvents,
  deleteExpiredLostRows,
  deleteExpiredNotices,
  deleteUnusedBanKey,
  deleteExpiredNotifications,
  deleteExpiredOpinions,
  deleteExpiredGeocodes,
  discardOrphanedCases,
]

export interface DeletedCounts {
  rows: number
  files: number
}

/**
 * Deletes all expired data (docs/privacy.md lists the periods). Writing a SQLite file anew then removes what is left of deleted rows from its
 * pages, and a checkpoint from the write-ahead log.
 */
export async function deleteAllExpired(db: Db, dataDir: string, now = Date.now()): Promise<DeletedCounts> {
  await closeLeftReports(db, now)
  let rows = 0
  for (const deleteExpired of ROW_RETENTIONS) rows += await deleteExpired(db, now)
  const files = await deleteExpiredFiles(dataDir, now)
  // What another process prevents is done the next day.
  await compactDatabase(db).catch((error: unknown) =>
    console.error('perrario · la base de datos se compacta en la próxima vuelta:', error),
  )
  await checkpointWal(db)
  return { rows, files }
}

/** Deletes old mails and drafts of this machine. @returns how many */
export async function deleteExpiredFiles(dataDir: string, now = Date.now()): Promise<number> {
  const outbox = join(dataDir, 'outbox')
  let files = await deleteOldFiles(outbox, /\.eml$/, now - OUTBOX_RETENTION_MS)
  // Earlier versions wrote drafts beside the outbox.
  for (const folder of [outbox, dataDir]) files += await deleteOldFiles(folder, /^\.mail-/, now - DRAFT_RETENTION_MS)
  return files
}

/** Deletes files in `folder` whose name matches and that were last written before `bound` (ms). @returns how many */
async function deleteOldFiles(folder: string, name: RegExp, bound: number): Promise<number> {
  let deleted = 0
  for (const entry of await readdir(folder).catch((): string[] => [])) {
    if (!name.test(entry)) continue
    const file = join(folder, entry)
    const isOld = await stat(file).then(
      (info) => info.isFile() && info.mtimeMs < bound,
      () => false,
    )
    if (!isOld) continue
    await rm(file, { force: true })
    deleted++
  }
  return deleted
}

/** `deleteAllExpired`, and says how much that was. */
export async function runRetention(db: Db, dataDir: string, log: (text: string) => void): Promise<void> {
  const { rows, files } = await deleteAllExpired(db, dataDir)
  if (rows + files > 0)
    log(
      `limpieza: ${formatPlural(rows, 'registro caducado', 'registros caducados')}, ${formatPlural(files, 'archivo', 'archivos')}`,
    )
}
