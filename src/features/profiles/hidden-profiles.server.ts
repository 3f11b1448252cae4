import type { HiddenCause } from '#db/content.ts'
import type { Trx } from '#db/client.ts'
import { hide, show } from '#features/moderation/content.server.ts'
import { notFound } from '#lib/errors.ts'
import { writeMemberWords } from './member-words.server.ts'

/** Hides a profile: others see «Usuario» instead, and its alias stays reserved. Call it inside a transaction. @throws AppError 404 */
export async function hideProfile(trx: Trx, id: string, cause: HiddenCause): Promise<void> {
  if (!(await hide(trx, 'profile', id, cause))) throw notFound('Usuario no encontrado')
}

/** Ends causes of a hidden profile; with the last it is found by its alias again. */
export async function showProfile(trx: Trx, id: string, ...causes: HiddenCause[]): Promise<void> {
  const shown = await show(trx, 'profile', id, ...causes)
  if (shown && shown.before !== 0 && shown.row.hidden === 0) await writeMemberWords(trx, id, shown.row.alias)
}
