import { resolve } from 'node:path'
import { isSharedByNodes } from '#db/dialect/dialect.ts'
import { runExclusively } from '#db/dialect/exclusive.ts'
import { runDueDeletions } from '#features/account/deletion/due-deletions.server.ts'
import { resumeErasures } from '#features/account/erase.server.ts'
import { badges, badgeWeeks } from '#features/badges/refresh.server.ts'
import { rescanOperatorPhotos } from '#features/breeds/operator-photos.server.ts'
import { blurs, provinces } from '#features/dogs/backfills.server.ts'
import { nightlyBackups } from '#features/maintenance/backup-schedule.server.ts'
import { deleteExpiredFiles, runRetention } from '#features/maintenance/retention.server.ts'
import { applyAllPhotoMoves, photoFiles } from '#features/photos/planned-moves.server.ts'
import { limitRenderCache, pruneRenderCache } from '#features/photos/render/render-cache.server.ts'
import { sweepRenders } from '#features/photos/render/render-sweep.server.ts'
import { sendDueAlerts } from '#features/auth/new-device/sign-in-alerts.server.ts'
import { followAlerts } from '#features/follows/alerts.server.ts'
import { findFollowNews } from '#features/follows/digest-news.server.ts'
import { messageMails } from '#features/contact/relay/send-mails.server.ts'
import { scanLostCases } from '#features/found/scan.server.ts'
import { notifyWaitingOwners } from '#features/found/notify-owners.server.ts'
import { followAllDogs } from '#features/likes/hidden-likes.server.ts'
import { askDueQuestions } from '#features/lost/questions.server.ts'
import { resumeBlocks } from '#features/reports/blocks/block-member.server.ts'
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
import { every, type Job, type Recurring, startRecurring } from '#lib/jobs.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#lib/time.ts'
import { siteBase } from '#server/env.ts'
import { isMailRefusal, isRefusedForGood, sendMail } from '#server/mail.ts'
import type { Services } from './services.ts'

/** The lock of the node that runs the jobs of the site. */
const SITE_JOBS_LOCK = 'site jobs'

const RETENTION_FAILURE = 'perrario · la limpieza no se pudo hacer:'

/**
 * The tasks before the first request: removes photo files that a crash left behind, and returns those that versions before moved away. What
 * fails is logged, and the outbox tries again. A bucket is not waited for.
 */
export async function runStartupTasks({ db, env }: Pick<Services, 'db' | 'env'>): Promise<void> {
  if (photoStore(env.dataDir).isRemote) return
  await applyAllPhotoMoves(db, env.dataDir, { isStart: true }).catch((error: unknown) =>
    console.error('perrario · las fotos que quedan por mover esperan a la próxima vuelta:', error),
  )
}

/**
 * Starts the background jobs. No failure ends the program: it is logged, and the next run continues. Of several nodes that share
 * the database one runs the jobs of the site, and another takes over when it ends; each runs those of its own files.
 */
export function startJobs(services: Services, root: string, logInfo: (text: string) => void): Job[] {
  const { db, env } = services
  const start = (): Job => {
    const jobs = [startRecurring(siteWork(services, root, logInfo)), startOutbox(db, listTopics(env))]
    return { close: async () => void (await stopJobs(jobs)) }
  }
  const onLost = () => console.error('perrario · se ha perdido la conexión: las tareas de fondo pasan a otro nodo')
  return [startRecurring(nodeWork(services)), runExclusively(db, SITE_JOBS_LOCK, start, { onLost })]
}

/** What returns over the files of this node. */
function nodeWork({ db, env }: Services): Recurring {
  const { dataDir } = env
  const { isRemote } = photoStore(dataDir)
  limitRenderCache(env)
  return [
    every(MINUTE_MS, 10 * SECOND_MS, {
      'perrario · las miniaturas no se pudieron podar:': (signal) => pruneRenderCache(dataDir, signal),
    }),
    // Each look at a bucket is paid for.
    every(isRemote ? MINUTE_MS : 10 * SECOND_MS, isRemote ? 0 : 10 * SECOND_MS, {
      'perrario · las fotos de razas no se pudieron mirar:': () => rescanOperatorPhotos(dataDir),
    }),
    // Of photos that another machine deleted from the bucket.
    every(10 * MINUTE_MS, 0, {
      'perrario · las reducciones de fotos borradas se borran en la próxima vuelta:':
        isRemote && (() => sweepRenders(db, dataDir)),
    }),
    // Of several nodes. Files of a single process go with the expired rows.
    every(DAY_MS, 10 * MINUTE_MS, { [RETENTION_FAILURE]: isSharedByNodes(db) && (() => deleteExpiredFiles(dataDir)) }),
  ].flat()
}

/** What returns over what all nodes share. Two nodes may run a step of one at the same time, when the first has lost its connection. */
function siteWork({ db, env }: Services, root: string, log: (text: string) => void): Recurring {
  const { dataDir, siteUrl, backupDir, backups } = env
  const mailer = { siteBase: siteBase(), send: sendMail, isRefused: isRefusedForGood }
  return [
    // «¿Sigue perdido?», and the end of cases that nobody answers for. Its mails are sent once.
    every(10 * MINUTE_MS, MINUTE_MS, {
      'perrario · las preguntas por perros perdidos no se pudieron hacer:': async (signal) => {
        const { asked, ended } = await askDueQuestions(db, siteUrl === undefined ? null : mailer, Date.now(), signal)
        if (asked + ended > 0) log(`perros perdidos: ${asked} preguntas, ${ended} avisos retirados`)
      },
    }),
    every(20 * SECOND_MS, 20 * SECOND_MS, {
      'perrario · los perros perdidos no se pudieron comparar:': async (signal) => {
        await scanLostCases(db, signal)
        await notifyWaitingOwners(db, signal)
      },
    }),
    every(HOUR_MS, MINUTE_MS, {
      'perrario · el año de la comunidad no se pudo contar:': (signal) => refreshCommunityYear(db, Date.now(), signal),
    }),
    every(MINUTE_MS, MINUTE_MS, {
      'perrario · la copia de seguridad no se pudo hacer:':
        backups && nightlyBackups({ backupDir, script: resolve(root, 'scripts/backup.ts'), log }),
    }),
    every(MINUTE_MS, 0, {
      // Those that failed or waited.
      'perrario · los avisos de dispositivos nuevos no se pudieron enviar:': (signal) =>
        sendDueAlerts(db, mailer, Date.now(), signal),
      'perrario · los borrados de cuentas se repiten dentro de un minuto:': (signal, isStart) =>
        runDueDeletions(db, dataDir, { signal, isStart }),
    }),
    // What a restart left. Where nodes share the database, one of them may end at any time.
    every(isSharedByNodes(db) ? 10 * MINUTE_MS : Infinity, 0, {
      'perrario · el borrado de una cuenta sigue en el próximo arranque:': (signal) =>
        resumeErasures(db, dataDir, signal),
      'perrario · los likes de un perro oculto se cuentan en el próximo arranque:': (signal) =>
        followAllDogs(db, undefined, signal),
      'perrario · un bloqueo se termina en el próximo arranque:': (signal) => resumeBlocks(db, signal),
      // A folder's are moved before the port opens.
      'perrario · las fotos que quedan por mover esperan a la próxima vuelta:':
        photoStore(dataDir).isRemote && (() => applyAllPhotoMoves(db, dataDir, { isStart: true })),
    }),
    every(DAY_MS, 10 * MINUTE_MS, { [RETENTION_FAILURE]: () => runRetention(db, dataDir, log) }),
  ].flat()
}

/** The topics of the outbox. Mails go out where the site has an address for their links. */
function listTopics({ siteUrl, dataDir }: Services['env']): Topic[] {
  const mailer = siteUrl === undefined ? null : { siteUrl, send: sendMail, isRefused: isRefusedForGood, isMailRefusal }
  const mails = [lostMails(mailer), messageMails(mailer)]
  const alerts = [followAlerts, breedAlerts, lostAlerts, endedAlerts, homecomings, memories]
  const topics = [...alerts, badges, badgeWeeks, photoFiles(dataDir), provinces, blurs(dataDir), ...mails]
  if (siteUrl === undefined) return topics
  const weekly = digests({ siteUrl, send: sendMail, findNews: findFollowNews, readPart: readDigestPart })
  return [...topics, weekly]
}

export const stopJobs = (jobs: readonly Job[]): Promise<unknown> => Promise.all(jobs.map((job) => job.close()))
