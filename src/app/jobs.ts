import { resolve } from 'node:path'
import { openErasureJob } from '#features/account/erase.server.ts'
import { scheduleBackups } from '#features/maintenance/backup-schedule.server.ts'
import { scheduleRetention } from '#features/maintenance/retention.server.ts'
import { openBlurBackfill } from '#features/dogs/blur-backfill.server.ts'
import { hideQuarantinedPhotos } from '#features/dogs/quarantine.server.ts'
import { openRestoreJob } from '#features/dogs/quarantined-rows.server.ts'
import { openBlockJob } from '#features/reports/blocks/block-member.server.ts'
import { openProvinceBackfill } from '#features/dogs/province-backfill.server.ts'
import { openPhotoMoveJob, applyAllPhotoMoves } from '#features/photos/apply-moves.server.ts'
import { scheduleDigests } from '#features/notifications/digest/schedule.server.ts'
import { sendMail } from '#server/mail.ts'
import type { Services } from './services.ts'

/** A background job. `close` waits for the step under way. */
interface Job {
  close: () => Promise<void>
}

/**
 * The tasks before the first request: removes photos from public reach that a crash between rows and files, an older release
 * or a backup left there. A photo that cannot be moved is logged, and the job below tries again.
 */
export async function runStartupTasks({ db, env }: Pick<Services, 'db' | 'env'>): Promise<void> {
  await applyAllPhotoMoves(db, env.dataDir, { isStart: true }).catch((error: unknown) => console.error(error))
  await hideQuarantinedPhotos(db, env.dataDir)
}

/** Starts every background job. No failure ends the program: each job logs it and retries as its comment says. */
export function startJobs({ db, env }: Services, root: string, logInfo: (text: string) => void): Job[] {
  const { dataDir, siteUrl, backupDir, backups } = env
  const jobs: (Job | null | false)[] = [
    // Blur colours of photos that have none. Starts after 10 s, 20 photos a step, until all have them. A failure ends it until
    // the next start.
    openBlurBackfill(db, dataDir),
    // Provinces of dogs that have none. Starts after 5 s, 100 dogs a step, until all have one. A failure ends it until the
    // next start.
    openProvinceBackfill(db),
    // Weekly mails, where the site has an address for their links. Checks every minute, after a failure in ten.
    siteUrl !== undefined && scheduleDigests(db, { siteUrl, send: sendMail }),
    // Nightly backups, in a process of their own. Checks every minute, after a failure in an hour.
    backups && scheduleBackups({ backupDir, script: resolve(root, 'scripts/backup.ts'), log: logInfo }),
    // Photo files whose pending move or removal did not happen. One round a minute; the next one retries failures.
    openPhotoMoveJob(db, dataDir),
    // Account deletions that a restart interrupted. Runs once, now; the next start retries failures.
    openErasureJob(db, dataDir),
    // Comments and likes whose way to or from quarantine a restart interrupted. Runs once, now; the next start retries failures.
    openRestoreJob(db),
    // Blocks whose members' notifications about each other a restart left. Runs once, now; the next start retries failures.
    openBlockJob(db),
    // Expired rows and files. Ten minutes after the start and then daily; the next day retries failures.
    scheduleRetention(db, { dataDir, log: logInfo }),
  ]
  return jobs.filter((job): job is Job => Boolean(job))
}

export const stopJobs = (jobs: readonly Job[]): Promise<unknown> => Promise.all(jobs.map((job) => job.close()))
