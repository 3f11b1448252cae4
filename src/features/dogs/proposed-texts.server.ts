import type { Db, Trx } from '#db/client.ts'
import { markTargetEdited, openCase, setProposed } from '#features/moderation/cases.server.ts'
import { assertReviewRoom } from '#features/moderation/reviews.server.ts'
import { findTextFlag } from '#features/moderation/text-filter.ts'
import { notify } from '#features/notifications/notify.server.ts'
import type { DogRow } from './dog.server.ts'
import { DOG_FIELDS, FILTERED_FIELDS } from './write/dog-fields.ts'
import type { DogPatch } from './write/dog-input.ts'

// New texts of a public dog that the filter doubts. What everybody reads stands, and the dog's case carries the others until the admin
// publishes or drops them. What an edit writes meanwhile takes their place.

/** By the dog's field, or by the address of the photo that they describe. */
export type ProposedTexts = Record<string, string>

export const parseProposed = (proposed: string | null | undefined): ProposedTexts =>
  proposed ? JSON.parse(proposed) : {}

/** What waits, each with its name. */
export const labelProposed = (texts: ProposedTexts): [label: string, text: string][] =>
  Object.entries(texts).map(([key, text]) => [isField(key) ? DOG_FIELDS[key].label : 'Foto', text])

const isField = (key: string): key is keyof typeof DOG_FIELDS => key in DOG_FIELDS

/** The texts of the dog's fields, and those that describe photos, by their addresses. */
export function splitProposed(texts: ProposedTexts): { fields: DogPatch; alts: Record<string, string> } {
  const of = (areFields: boolean) =>
    Object.fromEntries(Object.entries(texts).filter(([key]) => isField(key) === areFields))
  return { fields: of(true), alts: of(false) }
}

/** Splits an edit into what is written at once and the new texts that the filter doubts. */
export function splitDoubted(row: DogRow, patch: DogPatch): { accepted: DogPatch; doubted: ProposedTexts } {
  const [accepted, doubted]: [DogPatch, ProposedTexts] = [{ ...patch }, {}]
  for (const field of FILTERED_FIELDS) {
    const text = patch[field]
    // What stood there before was reviewed.
    if (!text || text === row[field] || findTextFlag(text) === null) continue
    doubted[field] = text
    delete accepted[field]
  }
  return { accepted, doubted }
}

export async function readProposed(db: Db, dogId: string): Promise<ProposedTexts> {
  const cases = db.selectFrom('cases').select('proposed').where('kind', '=', 'dog').where('thing_id', '=', dogId)
  return parseProposed((await cases.executeTakeFirst())?.proposed)
}

/**
 * Puts doubted texts to the review, tells their author, and forgets what waited in the place of others. Call it in the edit's
 * transaction, before the edit's first write.
 * @param written keys of texts that the edit writes or removes
 * @throws AppError 429 for an author with too many open reviews of other things
 */
export async function proposeTexts(
  trx: Trx,
  id: string,
  { doubted, written }: { doubted: ProposedTexts; written: readonly string[] },
  authorId: string,
  now: number,
): Promise<void> {
  const before = await readProposed(trx, id)
  const remaining = Object.entries(before).filter(([key]) => !written.includes(key))
  const isDoubted = Object.keys(doubted).length > 0
  if (!isDoubted && remaining.length === Object.keys(before).length) return
  if (isDoubted) {
    await assertReviewRoom(trx, authorId, id)
    const target = { kind: 'dog', id, dogId: id, memberIds: [] } as const
    await openCase(trx, target, { cause: 'words', user_id: authorId }, now)
  }
  // The version that the admin decides on is another one.
  await markTargetEdited(trx, 'dog', id, now)
  const after = { ...Object.fromEntries(remaining), ...doubted }
  await setProposed(trx, id, Object.keys(after).length > 0 ? JSON.stringify(after) : null)
  if (!isDoubted || Object.keys(before).length > 0) return
  await notify(trx, 'text-doubted', { userId: authorId, dogId: id }, now)
}
