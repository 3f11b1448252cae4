import { type Db, sqliteOf } from '#db/client.ts'
import { backupTime } from '#features/care/care.ts'
import { listBackups, readOutcome } from '#features/care/record.server.ts'
import { pictures } from '#features/photos/sharp.server.ts'
import type { Figure } from '#server/metrics.ts'

/** What /metrics tells of the features. The counts of rows go past Kysely, so that asking for figures does not move them. */
export function figuresOf(db: Db, { streams, backupDir }: { streams: () => number; backupDir: string }): Figure[] {
  const waiting = sqliteOf(db).prepare('SELECT count(*) FROM push_queue').pluck()
  return [
    { name: 'perrario_live_streams', help: 'Open live streams', read: streams },
    { name: 'perrario_pictures_waiting', help: 'People who wait for a picture', read: () => pictures.room.waiting },
    { name: 'perrario_pictures_drawn', help: 'Pictures drawn since the start', read: () => pictures.drawn },
    { name: 'perrario_push_waiting', help: 'Notices on their way to devices', read: () => Number(waiting.get()) },
    {
      name: 'perrario_backup_newest_timestamp_seconds',
      help: 'When the newest backup was made',
      read: async () => {
        const newest = (await listBackups(backupDir)).at(-1)
        return newest === undefined ? null : backupTime(newest)! / 1000
      },
    },
    {
      name: 'perrario_backup_ok',
      help: 'Whether the last attempt at a backup succeeded',
      read: async () => {
        const outcome = await readOutcome(backupDir)
        return outcome && Number(outcome.ok)
      },
    },
  ]
}
