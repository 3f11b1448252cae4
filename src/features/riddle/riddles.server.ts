import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Db } from '#db/client.ts'
import type { RiddlesTable } from '#db/schema.ts'
import { transact } from '#db/transact.ts'
import { notFound } from '#lib/errors.ts'
import { drawBreed } from './draw.server.ts'
import { addDays, FIRST_DAY, isDay, RIDDLE_TEXTS, riddleDay } from './riddle.ts'

export type Riddle = Pick<Selectable<RiddlesTable>, 'day' | 'breed_slug' | 'secret'>

/** A breed is drawn again after this many days at the earliest. */
export const DAYS_WITHOUT_REPEAT = 200

const SECRET_BYTES = 18

/**
 * The riddle of a day. Who asks first has it drawn; from then on it is stored.
 * @param day of an address
 * @throws AppError 404 for what is no day, for days before the first riddle and for the future
 */
export async function findRiddle(db: Db, dataDir: string, day: string | undefined, now = Date.now()): Promise<Riddle> {
  if (!isDay(day) || day < FIRST_DAY) throw notFound(RIDDLE_TEXTS.unknownDay)
  if (day > riddleDay(now)) throw notFound(RIDDLE_TEXTS.future)
  return (await readRiddle(db, day)) ?? (await drawRiddle(db, dataDir, day, now))
}

const readRiddle = (db: Db, day: string): Promise<Riddle | undefined> =>
  db.selectFrom('riddles').select(['day', 'breed_slug', 'secret']).where('day', '=', day).executeTakeFirst()

/** Draws a day's riddle where nobody has meanwhile: whichever process was first, all read the same. */
function drawRiddle(db: Db, dataDir: string, day: string, now: number): Promise<Riddle> {
  return transact(db, async (trx) => {
    const around = await trx
      .selectFrom('riddles')
      .select('breed_slug')
      .where('day', '>', addDays(day, -DAYS_WITHOUT_REPEAT))
      .where('day', '<', addDays(day, DAYS_WITHOUT_REPEAT))
      .execute()
    const breed_slug = drawBreed(dataDir, day, new Set(around.map((row) => row.breed_slug)))
    const secret = randomBytes(SECRET_BYTES).toString('base64url')
    await trx
      .insertInto('riddles')
      .values({ day, breed_slug, secret, created_at: now })
      .onConflict((conflict) => conflict.column('day').doNothing())
      .execute()
    return (await readRiddle(trx, day))!
  })
}

/** The stored riddles of these days, by day. */
export async function readRiddles(db: Db, days: readonly string[]): Promise<Map<string, Riddle>> {
  if (days.length === 0) return new Map()
  const rows = await db.selectFrom('riddles').select(['day', 'breed_slug', 'secret']).where('day', 'in', days).execute()
  return new Map(rows.map((row) => [row.day, row]))
}

/** What only the site can compute of a riddle: a picture's address, a signature. Base64url. */
export const sealOf = ({ secret, day }: Riddle, text: string): string =>
  createHmac('sha256', secret).update(`${day}\0${text}`).digest('base64url')

/** Compares in constant time. */
export const isSameSeal = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
