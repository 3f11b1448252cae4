import type { Db } from '#db/client.ts'
import { countDeletions } from '#features/account/deletion/deletion-state.server.ts'
import { backupTime } from '#features/maintenance/maintenance.ts'
import { findWriteFault } from '#features/maintenance/files.server.ts'
import { listBackups, readOutcome } from '#features/maintenance/backup-record.server.ts'
import { countQueuedMessages } from '#features/notifications/push/queue.server.ts'
import { listWaitingTopics } from '#features/outbox/waiting.server.ts'
import { renderState } from '#features/photos/render/sharp.server.ts'
import { countWaitingCards } from '#features/share/cards.server.ts'
import { readFreeBytes } from '#server/disk-space.ts'
import type { Env } from '#server/env.ts'
import { isDiskOk } from '#server/log/disk-failures.ts'
import type { GaugeSource } from '#server/metrics.ts'

type GaugeSettings = Pick<Env, 'dataDir' | 'backupDir' | 'backups'> & {
  streams: () => number
  mails: (() => number) | undefined
}

/** The features' gauges for /metrics. Their reads send three statements, which the next scrape's `perrario_database_statements_total` counts. */
export function featureGauges(db: Db, { streams, mails, dataDir, backupDir, backups }: GaugeSettings): GaugeSource[] {
  const findNewestBackup = async () => {
    const newest = (await listBackups(backupDir)).at(-1)
    const time = newest === undefined ? null : backupTime(newest)
    return time === null ? null : time / 1000
  }
  const findBackupState = async () => {
    if (backups && findWriteFault(backupDir)) return 0
    const outcome = await readOutcome(backupDir)
    return outcome && Number(outcome.ok)
  }
  const countWaitingJobs = async () =>
    Object.fromEntries((await listWaitingTopics(db)).map(({ topic, jobs }) => [topic, jobs]))
  return [
    ['perrario_live_streams', 'Open live streams', streams],
    ['perrario_pictures_waiting', 'Requests that wait for a render', () => renderState.limiter.waiting],
    ['perrario_cards_waiting', 'Share cards that wait to be rendered', countWaitingCards],
    ['perrario_pictures_drawn', 'Renders since the start', () => renderState.renderedCount],
    ['perrario_push_waiting', 'Push messages in the queue', () => countQueuedMessages(db)],
    ['perrario_jobs_waiting', 'Jobs that are due or have failed, by topic', countWaitingJobs, 'topic'],
    ['perrario_deletions_waiting', 'Accounts that wait for their deletion', () => countDeletions(db)],
    ['perrario_mails_waiting', 'Sign-in mails in the queue', () => mails?.() ?? null],
    ['perrario_disk_ok', 'Whether DATA_DIR stores what is written, and has MIN_FREE_MB left', () => Number(isDiskOk())],
    ['perrario_disk_free_bytes', 'Free space of the disk of DATA_DIR, bytes', () => readFreeBytes(dataDir)],
    ['perrario_backup_newest_timestamp_seconds', 'Time of the newest backup', findNewestBackup],
    ['perrario_backup_ok', 'Whether the last backup succeeded and the next one has a folder', findBackupState],
  ]
}
