import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Db, sqliteOf } from '#db/client.ts'
import { deleteExpiredAuth as sweepAuth } from '#features/auth/retention.server.ts'
import { deleteExpiredDogRows as sweepDogs } from '#features/dogs/retention.server.ts'
import { deleteExpiredEvents as sweepLive } from '#features/live/retention.server.ts'
import { deleteExpiredBans as sweepModeration } from '#features/moderation/retention.server.ts'
import { deleteExpiredNotifications as sweepNotifications } from '#features/notifications/retention.server.ts'
import { deleteExpiredGeocodes as sweepPlaces } from '#features/places/geocode.server.ts'
import { deleteExpiredReports as sweepReports } from '#features/reports/retention.server.ts'
import { formatPlural } from './maintenance.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** Mails that no server took: whoever runs the site has read them by then, and what signs in died long before. */
const OUTBOX_RETENTION_MS = 7 * DAY_MS
/** A mail half written is no mail any more. */
const DRAFT_RETENTION_MS = DAY_MS

const ROW_RETENTIONS = [sweepAuth, sweepDogs, sweepLive, sweepModeration, sweepNotifications, sweepPlaces, sweepReports]

export interface DeletedCounts {
  rows: number
  files: number
}

/**
 * Takes what nobody needs any longer (docs/privacy.md says what stays how long), each feature its own rows. What was
 * deleted is then folded out of the database's log as well.
 */
export async function deleteAllExpired(db: Db, dataDir: string, now = Date.now()): Promise<DeletedCounts> {
  let rows = 0
  for (const sweep of ROW_RETENTIONS) rows += await sweep(db, now)
  const outbox = join(dataDir, 'outbox')
  let files = await deleteOldFiles(outbox, /\.eml$/, now - OUTBOX_RETENTION_MS)
  // Earlier versions wrote drafts beside the outbox.
  for (const folder of [outbox, dataDir]) files += await deleteOldFiles(folder, /^\.mail-/, now - DRAFT_RETENTION_MS)
  await db.connection().execute(async () => checkpointWal(db))
  return { rows, files }
}

/** Folds the log into the file, unless somebody reads just now: to wait for them would be to stand still. */
function checkpointWal(db: Db): void {
  const sqlite = sqliteOf(db)
  const patience = sqlite.pragma('busy_timeout', { simple: true }) as number
  sqlite.pragma('busy_timeout = 0')
  try {
    sqlite.pragma('wal_checkpoint(TRUNCATE)')
  } finally {
    sqlite.pragma(`busy_timeout = ${patience}`)
  }
}

/** Files of that name in `folder` that were last written before `bound`. @returns how many went */
async function deleteOldFiles(folder: string, name: RegExp, bound: number): Promise<number> {
  let gone = 0
  for (const entry of await readdir(folder).catch(() => [] as string[])) {
    if (!name.test(entry)) continue
    const file = join(folder, entry)
    const old = await stat(file).then(
      (info) => info.isFile() && info.mtimeMs < bound,
      () => false,
    )
    if (!old) continue
    await rm(file, { force: true })
    gone++
  }
  return gone
}

export interface RetentionSchedule {
  close: () => Promise<void>
}

/** Sweeps ten minutes after the start and then once a day, by the clock that no one sets. */
export function scheduleRetention(
  db: Db,
  { dataDir, say }: { dataDir: string; say: (text: string) => void },
  { first = 10 * MINUTE_MS, every = DAY_MS } = {},
): RetentionSchedule {
  let running: Promise<void> | undefined
  const work = () => {
    running ??= deleteAllExpired(db, dataDir)
      .then(({ rows, files }) => {
        if (rows + files > 0)
          say(
            `limpieza: ${formatPlural(rows, 'registro caducado', 'registros caducados')}, ${formatPlural(files, 'archivo', 'archivos')}`,
          )
      })
      .catch((error: unknown) => console.error('perrario · la limpieza no se pudo hacer:', error))
      .finally(() => void (running = undefined))
  }
  let timer = setTimeout(() => {
    work()
    timer = setInterval(work, every).unref()
  }, first).unref()
  return {
    async close() {
      clearTimeout(timer)
      await running
    },
  }
}
