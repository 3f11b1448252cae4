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

/** The features' gauges for /metrics. Their reads send three statements, which the next scrape's `perrario_database_statements_total` counts. */
export function featureGauges(
  db: Db,
  {
    streams,
    mails,
    dataDir,
    backupDir,
    backups,
  }: {
    streams: () => number
    mails: (() => number) | undefined
  } & Pick<Env, 'dataDir' | 'backupDir' | 'backups'>,
): GaugeSource[] {
  return [
    { name: 'perrario_live_streams', help: 'Open live streams', read: streams },
    {
      name: 'perrario_pictures_waiting',
      help: 'Requests that wait for a render',
      read: () => renderState.limiter.waiting,
    },
    { name: 'perrario_cards_waiting', help: 'Share cards that wait to be rendered', read: countWaitingCards },
    { name: 'perrario_pictures_drawn', help: 'Renders since the start', read: () => renderState.renderedCount },
    { name: 'perrario_push_waiting', help: 'Push messages in the queue', read: () => countQueuedMessages(db) },
    {
      name: 'perrario_jobs_waiting',
      help: 'Jobs that are due or have failed, by topic',
      label: 'topic',
      read: async () => Object.fromEntries((await listWaitingTopics(db)).map(({ topic, jobs }) => [topic, jobs])),
    },
    {
      name: 'perrario_deletions_waiting',
      help: 'Accounts that wait for their deletion',
      read: () => countDeletions(db),
    },
    { name: 'perrario_mails_waiting', help: 'Sign-in mails in the queue', read: () => mails?.() ?? null },
    {
      name: 'perrario_disk_ok',
      help: 'Whether the disk of DATA_DIR stores what is written, and has MIN_FREE_MB left',
      read: () => Number(isDiskOk()),
    },
    {
      name: 'perrario_disk_free_bytes',
      help: 'Free space of the disk of DATA_DIR, bytes',
      read: () => readFreeBytes(dataDir),
    },
    {
      name: 'perrario_backup_newest_timestamp_seconds',
      help: 'Time of the newest backup',
      read: async () => {
        const newest = (await listBackups(backupDir)).at(-1)
        const time = newest === undefined ? null : backupTime(newest)
        return time === null ? null : time / 1000
      },
    },
    {
      name: 'perrario_backup_ok',
      help: 'Whether the last backup succeeded and the next one has a folder to be written to',
      read: async () => {
        if (backups && findWriteFault(backupDir)) return 0
        const outcome = await readOutcome(backupDir)
        return outcome && Number(outcome.ok)
      },
    },
  ]
}
