import { resolve } from 'node:path'
import { openErasureJob } from '#features/account/erase.server.ts'
import { scheduleBackups } from '#features/maintenance/backup-schedule.server.ts'
import { scheduleRetention } from '#features/maintenance/retention.server.ts'
import { openBlurBackfill } from '#features/dogs/blur-backfill.server.ts'
import { hideQuarantinedPhotos } from '#features/dogs/quarantine.server.ts'
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

/** Begins every background job. No failure ends the program: each job logs it and retries as its comment says. */
export function startJobs({ db, env }: Services, root: string, say: (text: string) => void): Job[] {
  const { dataDir, siteUrl, backupDir, backups } = env
  const jobs: (Job | null | false)[] = [
    // Colours of photos from before there were any. 10 s after the start, 20 at a time, until none is left. A failure ends
    // it until the next start.
    openBlurBackfill(db, dataDir),
    // Provinces of dogs from before there were any. 5 s after the start, 100 at a time, until none is left. The same.
    openProvinceBackfill(db),
    // Weekly mails, where the site has an address they can lead to. Looks every minute; after a failure in ten.
    siteUrl !== undefined && scheduleDigests(db, { siteUrl, send: sendMail }),
    // Nightly backups, by a process of their own. Looks every minute; after a failure in an hour.
    backups && scheduleBackups({ backupDir, script: resolve(root, 'scripts/backup.ts'), log: say }),
    // Photo files that were to be moved or removed and still are where they were. A round a minute; what failed is tried in
    // the next.
    openPhotoMoveJob(db, dataDir),
    // Accounts whose deletion a restart has interrupted. Once, now; what failed is tried at the next start.
    openErasureJob(db, dataDir),
    // Rows and files whose time is over. Ten minutes after the start and then daily; what failed is tried the next day.
    scheduleRetention(db, { dataDir, log: say }),
  ]
  return jobs.filter((job): job is Job => Boolean(job))
}

export const stopJobs = (jobs: readonly Job[]): Promise<unknown> => Promise.all(jobs.map((job) => job.close()))
