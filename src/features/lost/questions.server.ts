import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Selectable } from 'kysely'
import type { Db, Trx } from '#db/client.ts'
import { deleteSightingPhotos, PHOTOS_PER_BATCH } from '#db/sighting-photos.ts'
import type { LostCasesTable } from '#db/schema.ts'
import { transact } from '#db/transact.ts'
import { notify } from '#features/notifications/notify.server.ts'
import { lostPaths } from '#lib/lost-paths.ts'
import { DAY_MS } from '#lib/time.ts'
import { deleteCase, deleteLostRowsOfDog } from './end-case.server.ts'
import { QUESTION_DAYS } from './lost.ts'
import { buildQuestionMail } from './question-mail.ts'
import { dueAfterQuestion } from './question-times.ts'
import { findContent } from '#features/moderation/content.server.ts'

/** Cases that are read at a time; each has a transaction of its own. */
const CASES_PER_BATCH = 50

interface QuestionMailer {
  siteBase: string
  send: (mail: { to: string; subject: string; text: string; html: string }) => Promise<void>
}

type CaseRow = Selectable<LostCasesTable>
type DueCase = Pick<CaseRow, 'id' | 'dog_id' | 'owner_id' | 'due_at'>
/** `emptied`: photos of one that is to be deleted are gone, and there may be more. */
type Outcome = 'asked' | 'ended' | 'postponed' | 'deleted' | 'emptied' | null

/**
 * Asks the owners whose question is due, and ends the cases whose last question nobody answered. What a case is due for is decided and
 * written in one transaction: of two nodes one asks. A case that fails is logged, holds up no other and is tried again in the next round. The
 * mail follows it, once: a failure is logged, and the bell has the question.
 * @param mailer null without addresses for the links of a mail
 * @returns how many were asked and ended
 */
export async function askDueQuestions(
  db: Db,
  mailer: QuestionMailer | null,
  now = Date.now(),
  signal?: AbortSignal,
): Promise<{ asked: number; ended: number }> {
  const counts = { asked: 0, ended: 0 }
  for (let after: DueCase | undefined; ;) {
    const due = await listDueCases(db, now, after)
    for (const item of due) {
      if (signal?.aborted) return counts
      try {
        let outcome = await transact(db, (trx) => processDueCase(trx, item, now))
        while (outcome === 'emptied') {
          await nextTurn()
          outcome = await transact(db, (trx) => processDueCase(trx, item, now))
        }
        if (outcome === 'asked') counts.asked++
        if (outcome === 'ended') counts.ended++
        if (outcome === 'asked' && mailer) await mailQuestion(db, mailer, item)
      } catch (error) {
        // The others do not wait for this one.
        console.error('perrario · si un perro sigue perdido se pregunta en la próxima vuelta:', error)
      }
      await nextTurn()
    }
    if (due.length < CASES_PER_BATCH) return counts
    after = due.at(-1)
  }
}

/** Cases that are due, by the index lost_cases_due; after one that was read before, since one that fails stays due. */
async function listDueCases(db: Db, now: number, after: DueCase | undefined): Promise<DueCase[]> {
  let query = db
    .selectFrom('lost_cases')
    .select(['id', 'dog_id', 'owner_id', 'due_at'])
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .orderBy('id')
    .limit(CASES_PER_BATCH)
  if (after) query = query.where((eb) => eb(eb.refTuple('due_at', 'id'), '>', eb.tuple(after.due_at, after.id)))
  return query.execute()
}

async function processDueCase(trx: Trx, item: DueCase, now: number): Promise<Outcome> {
  const row = await trx.selectFrom('lost_cases').selectAll().where('id', '=', item.id).executeTakeFirst()
  if (!row || row.due_at > now) return null
  const dogState = await findDogState(trx, row)
  const isUnanswered = row.asked_at !== null && row.questions >= QUESTION_DAYS.length
  if (dogState === 'gone' || (dogState === 'open' && isUnanswered)) {
    const photos = await deleteSightingPhotos(trx, { dogId: row.dog_id }, PHOTOS_PER_BATCH)
    if (photos === PHOTOS_PER_BATCH) return 'emptied'
  }
  if (dogState === 'gone') {
    await deleteLostRowsOfDog(trx, row.dog_id)
    return 'deleted'
  }
  if (dogState === 'hidden') {
    await setColumns(trx, row.id, { due_at: now + DAY_MS })
    return 'postponed'
  }
  const recipient = { userId: row.owner_id, dogId: row.dog_id, caseId: row.id }
  if (isUnanswered) {
    await deleteCase(trx, row, 'unanswered', now)
    await notify(trx, 'unanswered', recipient, now)
    return 'ended'
  }
  const questions = Math.min(row.questions + 1, QUESTION_DAYS.length)
  await setColumns(trx, row.id, { questions, asked_at: now, due_at: dueAfterQuestion(row.opened_at, questions, now) })
  await notify(trx, 'still-lost', recipient, now)
  return 'asked'
}

const setColumns = (trx: Trx, id: string, columns: Partial<CaseRow>) =>
  trx.updateTable('lost_cases').set(columns).where('id', '=', id).execute()

/**
 * `open`: the dog is in the lists and its owner's. `hidden`: the dog is, or its owner's account waits for its deletion; both may
 * come back. `gone`: it is deleted, or somebody else's.
 */
async function findDogState(trx: Trx, { dog_id, owner_id }: CaseRow): Promise<'open' | 'hidden' | 'gone'> {
  const dog = await findContent(trx, 'dog', dog_id)
  if (!dog) return 'gone'
  if (dog.hidden !== 0) return 'hidden'
  return dog.owner_id === owner_id ? 'open' : dog.owner_id === null ? 'hidden' : 'gone'
}

async function mailQuestion(
  db: Db,
  { siteBase, send }: QuestionMailer,
  { dog_id, owner_id }: Pick<CaseRow, 'dog_id' | 'owner_id'>,
): Promise<void> {
  const row = await db
    .selectFrom('users as u')
    .innerJoin('dogs as d', 'd.owner_id', 'u.id')
    .select(['u.email', 'd.name'])
    .where('u.id', '=', owner_id)
    .where('d.id', '=', dog_id)
    .executeTakeFirst()
  if (!row?.email) return
  const mail = buildQuestionMail({ dogName: row.name, link: siteBase + lostPaths.lostForm(dog_id) })
  await send({ to: row.email, ...mail }).catch((error: unknown) =>
    console.error('perrario · el mensaje que pregunta si un perro sigue perdido no salió:', error),
  )
}
