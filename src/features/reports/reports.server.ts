import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import { mustWrite } from '#features/moderation/bans.server.ts'
import { openCase } from '#features/moderation/cases.server.ts'
import { invalid, unauthenticated } from '#lib/errors.ts'
import { hideThing } from './hide.server.ts'
import { logDecision, tellAdmin } from './log.server.ts'
import { originOf } from './origin.server.ts'
import { REPORT_TEXTS, type ReportInput } from './reports.ts'
import { anyThing, thingOf } from './things.server.ts'

/** Who asks; null without a session. */
type Asker = { id: string } | null

/** Accounts younger than this may report, but do not count towards hiding by itself, ms. */
const GROWN = 86_400_000

/**
 * Tells the admin of a thing, once while it is open: a second time changes nothing.
 * @param network where it comes from (`clientIp`); kept as a hash of the day
 * @throws AppError 401; 403 for who may not write; 404 for what is not there; 422 for one's own
 */
export async function report(
  db: Db,
  user: Asker,
  input: ReportInput,
  network: string,
  now = Date.now(),
): Promise<{ reported: true; again: boolean }> {
  if (!user) throw unauthenticated(REPORT_TEXTS.signIn)
  return db.transaction().execute(async (trx) => {
    await mustWrite(trx, user.id, now)
    const thing = await thingOf(trx, input.kind, input.id)
    if (thing.people.includes(user.id)) throw invalid(REPORT_TEXTS.own)
    const { created_at } = await trx
      .selectFrom('users')
      .select('created_at')
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow()
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('reports')
      .values({
        id: randomUUID(),
        kind: thing.kind,
        thing_id: thing.id,
        user_id: user.id,
        reason: input.reason,
        words: input.words,
        origin: await originOf(trx, network, now),
        counts: now - created_at >= GROWN ? 1 : 0,
        created_at: now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (!numInsertedOrUpdatedRows) return { reported: true, again: true }
    await openCase(trx, thing, 'reports', now)
    return { reported: true, again: false }
  })
}

/** So many members, from as many connections, hide a thing by themselves until the admin has looked. */
export const ENOUGH = 3

/**
 * Hides what several members reported who have nothing to do with each other as far as can be told: accounts older than a
 * day, from different connections. What the admin let stand once is left alone. Tells its people and the admin.
 * @returns whether it was hidden
 */
export async function hideIfEnough(
  db: Db,
  dataDir: string,
  { kind, id }: Pick<ReportInput, 'kind' | 'id'>,
  adminEmail: string | undefined,
  now = Date.now(),
): Promise<boolean> {
  const { members, origins } = await db
    .selectFrom('reports')
    .select((eb) => [
      eb.fn.count<number>('user_id').distinct().as('members'),
      eb.fn.count<number>('origin').distinct().as('origins'),
    ])
    .where('kind', '=', kind)
    .where('thing_id', '=', id)
    .where('closed_at', 'is', sql.lit(null))
    .where('counts', '=', 1)
    .executeTakeFirstOrThrow()
  if (Math.min(members, origins) < ENOUGH || (await stood(db, kind, id))) return false
  const thing = await anyThing(db, kind, id)
  if (!thing || thing.held || (kind === 'photo' && (await isOnly(db, thing.dogId)))) return false
  const theCase = await db
    .selectFrom('cases')
    .select('id')
    .where('kind', '=', kind)
    .where('thing_id', '=', id)
    .executeTakeFirstOrThrow()
  const { what, people } = thing
  const done = { caseId: theCase.id, kind, thingId: id, what, deed: 'auto-hide', adminId: null, people } as const
  const also = async (trx: Db) => {
    await logDecision(trx, { ...done, reason: `${members} denuncias de personas distintas.` }, now)
    const line = { title: 'Ocultado por varias denuncias', content: what, actorId: people[0] ?? null }
    await tellAdmin(trx, adminEmail, line, now)
  }
  await hideThing(db, dataDir, thing, 'reports', also, now)
  return true
}

/** The admin looked at it before and let it stand. */
const stood = async (db: Db, kind: ReportInput['kind'], thingId: string) =>
  (await db
    .selectFrom('decisions as d')
    .innerJoin('cases as c', 'c.id', 'd.case_id')
    .select('d.id')
    .where('c.kind', '=', kind)
    .where('c.thing_id', '=', thingId)
    .where('d.deed', 'in', ['dismiss', 'restore'])
    .executeTakeFirst()) !== undefined

/** A dog's only photo is not hidden alone: the admin decides of the dog. */
async function isOnly(db: Db, dogId: string | null): Promise<boolean> {
  const rows = await db.selectFrom('dog_images').select('url').where('dog_id', '=', dogId).limit(2).execute()
  return rows.length < 2
}
