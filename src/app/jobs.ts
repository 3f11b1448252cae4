import { resolve } from 'node:path'
import type { Db } from '#db/client.ts'
import { isSharedByNodes } from '#db/dialect/dialect.ts'
import { runExclusively } from '#db/dialect/exclusive.ts'
import { startDueDeletions } from '#features/account/deletion/due-deletions.server.ts'
import { resumeErasures } from '#features/account/erase.server.ts'
import { startBadgeRefresh } from '#features/badges/refresh.server.ts'
import { sendDueAlerts } from '#features/auth/new-device/sign-in-alerts.server.ts'
import { followAlerts } from '#features/follows/alerts.server.ts'
import { findFollowNews } from '#features/follows/digest-news.server.ts'
import { messageMails } from '#features/contact/relay/send-mails.server.ts'
import { scanLostCases } from '#features/found/scan.server.ts'
import { notifyWaitingOwners } from '#features/found/notify-owners.server.ts'
import { followAllDogs } from '#features/likes/hidden-likes.server.ts'
import { askDueQuestions } from '#features/lost/questions.server.ts'
import { startBackups } from '#features/maintenance/backup-schedule.server.ts'
import { startFileRetention, startRetention } from '#features/maintenance/retention.server.ts'
import { startBlurBackfill } from '#features/dogs/blur-backfill.server.ts'
import { resumeBlocks } from '#features/reports/blocks/block-member.server.ts'
import { startProvinceBackfill } from '#features/dogs/province-backfill.server.ts'
import { startPhotoMoves, applyAllPhotoMoves } from '#features/photos/apply-moves.server.ts'
import { startOperatorPhotoScan } from '#features/breeds/operator-photos.server.ts'
import { startRenderCache } from '#features/photos/render/render-cache.server.ts'
import { startRenderSweep } from '#features/photos/render/render-sweep.server.ts'
import { refreshCommunityYear } from '#features/years/community-year.server.ts'
import { memories } from '#features/years/memories.server.ts'
import { photoStore } from '#features/storage/photo-store.server.ts'
import { endedAlerts } from '#features/lost/alerts/ended-alerts.server.ts'
import { lostAlerts } from '#features/lost/alerts/send-alerts.server.ts'
import { lostMails } from '#features/lost/alerts/send-mails.server.ts'
import { homecomings } from '#features/lost/homecoming.server.ts'
import { startOutbox, type Topic } from '#features/outbox/outbox.server.ts'
import { digests } from '#features/notifications/digest/digest.server.ts'
import { breedAlerts } from '#features/nearby/alerts/breed-alerts.server.ts'
import { readDigestPart } from '#features/nearby/digest-part.server.ts'
import { type Job, runEvery, runOnce } from '#lib/jobs.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#lib/time.ts'
import { siteBase } from '#server/env.ts'
import { isMailRefusal, isRefusedForGood, sendMail } from '#server/mail.ts'
import type { Services } from './services.ts'

/** The lock of the node that runs the jobs of the site. */
const SITE_JOBS_LOCK = 'site jobs'

/**
 * The tasks before the first request: removes photo files that a crash left behind, and returns those that versions before moved away. What
 * fails is logged, and the job below tries again. A bucket is not waited for.
 */
export async function runStartupTasks({ db, env }: Pick<Services, 'db' | 'env'>): Promise<void> {
  if (photoStore(env.dataDir).isRemote) return
  await applyAllPhotoMoves(db, env.dataDir, { isStart: true }).catch((error: unknown) =>
    console.error('perrario · las fotos que quedan por mover esperan a la próxima vuelta:', error),
  )
}

/**
 * Starts the background jobs. No failure ends the program: each job logs it and retries as its comment says. Of several nodes that share
 * the database one runs the jobs of the site, and another takes over when it ends; each runs those of its own files.
 */
export function startJobs(services: Services, root: string, logInfo: (text: string) => void): Job[] {
  const start = (): Job => {
    const jobs = startSiteJobs(services, root, logInfo)
    return { close: async () => void (await stopJobs(jobs)) }
  }
  const onLost = () => console.error('perrario · se ha perdido la conexión: las tareas de fondo pasan a otro nodo')
  return [...startNodeJobs(services), runExclusively(services.db, SITE_JOBS_LOCK, start, { onLost })]
}

const isJob = (job: Job | null | undefined | false | 0 | ''): job is Job => Boolean(job)

/** Jobs over the files of this node. */
function startNodeJobs({ db, env }: Services): Job[] {
  const { dataDir } = env
  const isRemote = photoStore(dataDir).isRemote
  const jobs = [
    // The bounds of the renders on disk. Prunes ten seconds after the start and then once a minute; the next round retries failures.
    startRenderCache(dataDir, env),
    // The list of the operator's photos of breeds. Now and then every ten seconds, of a bucket once a minute; the next round retries failures.
    startOperatorPhotoScan(dataDir),
    // Of a bucket: renders here of photos that another machine deleted. Now and then every ten minutes.
    isRemote && startRenderSweep(db, dataDir),
    // Of several nodes: old files. Those of a single process go with the expired rows.
    isSharedByNodes(db) && startFileRetention(dataDir),
  ]
  return jobs.filter(isJob)
}

/** Jobs over what all nodes share. Two nodes may run a step of one at the same time, when the first has lost its connection. */
function startSiteJobs({ db, env }: Services, root: string, logInfo: (text: string) => void): Job[] {
  const { dataDir, siteUrl, backupDir, backups } = env
  const isRemote = photoStore(dataDir).isRemote
  const jobs = [
    // Blur colours of photos that have none. Starts after 10 s, 20 photos a step, until all have them. A failure ends it until
    // the next start.
    startBlurBackfill(db, dataDir),
    // Provinces of dogs that have none. Starts after 5 s, 100 dogs a step, until all have one. A failure ends it until the
    // next start.
    startProvinceBackfill(db),
    // Badges of members whose dogs have changed, and of those from before there were badges. Once a minute; the next round retries failures.
    startBadgeRefresh(db),
    // What actions and triggers have left to be done (outbox/).
    startOutbox(db, listTopics(siteUrl)),
    // «¿Sigue perdido?», and the end of cases that nobody answers for. After a minute and then every ten; the next round retries failures,
    // but not their mails.
    runEvery(
      { intervalMs: 10 * MINUTE_MS, delayMs: MINUTE_MS },
      'perrario · las preguntas por perros perdidos no se pudieron hacer:',
      async (signal) => {
        const mailer = siteUrl === undefined ? null : { siteBase: siteBase(), send: sendMail }
        const { asked, ended } = await askDueQuestions(db, mailer, Date.now(), signal)
        if (asked + ended > 0) logInfo(`perros perdidos: ${asked} preguntas, ${ended} avisos retirados`)
      },
    ),
    // Lost dogs that are new or changed, compared with found ones. Every twenty seconds; the next round continues what a failure leaves.
    runEvery(
      { intervalMs: 20 * SECOND_MS },
      'perrario · los perros perdidos no se pudieron comparar:',
      async (signal) => {
        await scanLostCases(db, signal)
        await notifyWaitingOwners(db, signal)
      },
    ),
    // The community's year. After a minute and then once an hour; the next round retries failures.
    runEvery(
      { intervalMs: HOUR_MS, delayMs: MINUTE_MS },
      'perrario · el año de la comunidad no se pudo contar:',
      (signal) => refreshCommunityYear(db, Date.now(), signal),
    ),
    // Mails about new devices that failed or waited. Now and then once a minute; the next round retries failures.
    runEvery(
      { intervalMs: MINUTE_MS, delayMs: 0 },
      'perrario · los avisos de dispositivos nuevos no se pudieron enviar:',
      (signal) =>
        sendDueAlerts(db, { siteBase: siteBase(), send: sendMail, isRefused: isRefusedForGood }, Date.now(), signal),
    ),
    // Nightly backups, in a process of their own. Checks every minute, after a failure in an hour.
    backups && startBackups({ backupDir, script: resolve(root, 'scripts/backup.ts'), log: logInfo }),
    // Photo files whose pending move or removal did not happen. One round a minute, in a bucket the first one now; the next one
    // retries failures.
    startPhotoMoves(db, dataDir, isRemote ? { delayMs: 0 } : {}),
    // Account deletions that a restart interrupted; the next run retries failures.
    resume(db, 'perrario · el borrado de una cuenta sigue en el próximo arranque:', (signal) =>
      resumeErasures(db, dataDir, signal),
    ),
    // Accounts whose deletion is due, and those that a restart left between two states. Now and then once a minute; the next round
    // retries failures.
    startDueDeletions(db, dataDir),
    // Likes that a restart left behind their dog, which was hidden or shown; the next run retries failures.
    resume(db, 'perrario · los likes de un perro oculto se cuentan en el próximo arranque:', (signal) =>
      followAllDogs(db, undefined, signal),
    ),
    // Blocks whose members' notifications about each other a restart left; the next run retries failures.
    resume(db, 'perrario · un bloqueo se termina en el próximo arranque:', (signal) => resumeBlocks(db, signal)),
    // Expired rows and files. Ten minutes after the start and then daily; the next day retries failures.
    startRetention(db, { dataDir, log: logInfo }),
  ]
  return jobs.filter(isJob)
}

/** The topics of the outbox. Mails go out where the site has an address for their links. */
function listTopics(siteUrl: string | undefined): Topic[] {
  const mailer = siteUrl === undefined ? null : { siteUrl, send: sendMail, isRefused: isRefusedForGood, isMailRefusal }
  const mails = [lostMails(mailer), messageMails(mailer)]
  const topics = [followAlerts, breedAlerts, lostAlerts, endedAlerts, homecomings, memories, ...mails]
  if (siteUrl === undefined) return topics
  const weekly = digests({ siteUrl, send: sendMail, findNews: findFollowNews, readPart: readDigestPart })
  return [...topics, weekly]
}

/** Between two looks for what another node has left unfinished. */
const RESUME_INTERVAL_MS = 10 * MINUTE_MS

/** Runs once, now: what is unfinished then is of an earlier start. Where nodes share the database, one of them may end at any time. */
const resume = (db: Db, failureMessage: string, work: (signal: AbortSignal) => Promise<unknown>): Job =>
  isSharedByNodes(db)
    ? runEvery({ intervalMs: RESUME_INTERVAL_MS, delayMs: 0 }, failureMessage, work)
    : runOnce(failureMessage, work)

export const stopJobs = (jobs: readonly Job[]): Promise<unknown> => Promise.all(jobs.map((job) => job.close()))
