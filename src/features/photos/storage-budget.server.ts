import { statfs } from 'node:fs/promises'
import type { Db, Trx } from '#db/client.ts'
import { photoStore } from '#features/storage/photo-store.server.ts'
import { AppError } from '#lib/errors.ts'
import { spendDailyBudgets, spendDailyBudgetsIn } from './daily-budget.server.ts'

/** Bytes of photos that the whole site stores in a day, and those of visitors among them. */
export const STORED_BYTES = 'stored-photo-bytes'
const VISITOR_STORED_BYTES = 'visitor-stored-photo-bytes'
/** Bytes of comments that the whole site stores in a day. */
const COMMENT_BYTES = 'stored-comment-bytes'
/** Comments may take this part of what photos may. */
const COMMENT_SHARE = 0.01
/** Visitors of many networks can be one person: they leave the other half to members. */
const VISITOR_SHARE = 0.5

const TEXTS = {
  spent: 'Hoy ya hemos guardado todas las fotos que caben en un día. Mañana podrás subir las tuyas.',
  visitorsSpent:
    'Hoy ya hemos guardado todas las fotos que caben de quienes no tienen cuenta. Entra con la tuya o inténtalo mañana.',
  commentsSpent: 'Hoy ya se han escrito todos los comentarios que caben en un día. Mañana podrás escribir el tuyo.',
  noRoom: 'Ahora mismo no nos queda sitio para guardar fotos. Inténtalo más tarde.',
}
/** Until the operator has made room, seconds. */
const NO_ROOM_RETRY_SECONDS = 600

/** What the operator lets photos take of the disk (env.ts). */
export interface StorageLimits {
  /** Of everybody in a day; 0: as much as comes. */
  siteUploadBytesPerDay: number
  /** Left free on the disk, for the database, the log and backups; 0: it is not looked at. */
  minFreeBytes: number
  /** The address of PostgreSQL; undefined: the database is on the disk. */
  databaseUrl?: string | undefined
}

/**
 * Call it before a photo is received, and before it is written. A disk whose room cannot be read is let pass. Where photos are in a
 * bucket, the disk still has the database and its log; with PostgreSQL it has neither, and uploads are decoded in memory.
 * @param bytes of the photo
 * @throws AppError 507; 503 while the store is unavailable
 */
export async function assertDiskRoom(
  dataDir: string,
  { minFreeBytes, databaseUrl }: StorageLimits,
  bytes = 0,
): Promise<void> {
  const store = photoStore(dataDir)
  store.assertAvailable()
  if (minFreeBytes === 0 || (databaseUrl !== undefined && store.isRemote)) return
  const disk = await statfs(dataDir).catch(() => null)
  if (disk && disk.bavail * disk.bsize - bytes < minFreeBytes)
    throw new AppError(507, TEXTS.noRoom, { retryAfter: NO_ROOM_RETRY_SECONDS })
}

/**
 * Takes the bytes of a photo from what the site stores in a day, and a visitor's also from the visitors' part of it.
 * @throws AppError 503
 */
export async function spendStorage(
  db: Db,
  { siteUploadBytesPerDay: budget }: StorageLimits,
  { bytes, isVisitor }: { bytes: number; isVisitor: boolean },
  now = Date.now(),
): Promise<void> {
  if (budget === 0) return
  const ofVisitors = { name: VISITOR_STORED_BYTES, budget: budget * VISITOR_SHARE }
  const budgets = [...(isVisitor ? [ofVisitors] : []), { name: STORED_BYTES, budget }]
  const spent = await spendDailyBudgets(db, budgets, bytes, now)
  if (spent)
    throw new AppError(503, spent.name === STORED_BYTES ? TEXTS.spent : TEXTS.visitorsSpent, {
      retryAfter: spent.retryAfter,
    })
}

/** Bytes of comments that may be stored in a day; 0: no limit. @param uploadBytesPerDay the bytes of photos, of a member or of everybody */
export const commentBytesPerDay = (uploadBytesPerDay: number): number => uploadBytesPerDay * COMMENT_SHARE

/**
 * Takes the bytes of a comment from what the site stores in a day. Call it in the transaction that stores the comment.
 * @throws AppError 503
 */
export async function spendCommentStorage(
  trx: Trx,
  { siteUploadBytesPerDay }: Pick<StorageLimits, 'siteUploadBytesPerDay'>,
  bytes: number,
  now = Date.now(),
): Promise<void> {
  if (siteUploadBytesPerDay === 0) return
  const budget = { name: COMMENT_BYTES, budget: siteUploadBytesPerDay * COMMENT_SHARE }
  const spent = await spendDailyBudgetsIn(trx, [budget], bytes, now)
  if (spent) throw new AppError(503, TEXTS.commentsSpent, { retryAfter: spent.retryAfter })
}
