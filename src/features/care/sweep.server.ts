import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Db, sqliteOf } from '#db/client.ts'
import { sweep as sweepAuth } from '#features/auth/sweep.server.ts'
import { sweep as sweepDogs } from '#features/dogs/sweep.server.ts'
import { sweep as sweepLive } from '#features/live/sweep.server.ts'
import { sweep as sweepModeration } from '#features/moderation/sweep.server.ts'
import { sweep as sweepNotifications } from '#features/notifications/sweep.server.ts'
import { sweep as sweepPlaces } from '#features/places/sweep.server.ts'
import { sweep as sweepReports } from '#features/reports/sweep.server.ts'
import { many } from './care.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** Mails that no server took: whoever runs the site has read them by then, and what signs in died long before. */
const OUTBOX_KEPT = 7 * DAY
/** A mail half written is no mail any more. */
const DRAFT_KEPT = DAY

const ROWS = [sweepAuth, sweepDogs, sweepLive, sweepModeration, sweepNotifications, sweepPlaces, sweepReports]

export interface Swept {
  rows: number
  files: number
}

/**
 * Takes what nobody needs any longer (docs/privacy.md says what stays how long), each feature its own rows. What was
 * deleted is then folded out of the database's log as well.
 */
export async function sweepAll(db: Db, dataDir: string, now = Date.now()): Promise<Swept> {
  let rows = 0
  for (const sweep of ROWS) rows += await sweep(db, now)
  const outbox = join(dataDir, 'outbox')
  let files = await sweepFiles(outbox, /\.eml$/, now - OUTBOX_KEPT)
  // Earlier versions wrote drafts beside the outbox.
  for (const folder of [outbox, dataDir]) files += await sweepFiles(folder, /^\.mail-/, now - DRAFT_KEPT)
  await db.connection().execute(async () => foldLog(db))
  return { rows, files }
}

/** Folds the log into the file, unless somebody reads just now: to wait for them would be to stand still. */
function foldLog(db: Db): void {
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
async function sweepFiles(folder: string, name: RegExp, bound: number): Promise<number> {
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

export interface SweepSchedule {
  close: () => Promise<void>
}

/** Sweeps ten minutes after the start and then once a day, by the clock that no one sets. */
export function openSweeps(
  db: Db,
  { dataDir, say }: { dataDir: string; say: (text: string) => void },
  { first = 10 * MINUTE, every = DAY } = {},
): SweepSchedule {
  let running: Promise<void> | undefined
  const work = () => {
    running ??= sweepAll(db, dataDir)
      .then(({ rows, files }) => {
        if (rows + files > 0)
          say(
            `limpieza: ${many(rows, 'registro caducado', 'registros caducados')}, ${many(files, 'archivo', 'archivos')}`,
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
