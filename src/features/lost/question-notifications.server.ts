import type { Trx } from '#db/client.ts'
import { deleteNotificationsTitled, notify } from '#features/notifications/notifications.server.ts'
import { lostPaths } from '#lib/lost-paths.ts'
import { DOG_PLACEHOLDER } from '#lib/text/names.ts'

const QUESTION_TITLE = '¿Sigue perdido?'
const ENDED_TITLE = 'Hemos retirado el aviso'

interface Recipient {
  userId: string
  dogId: string
  caseId: string
}

/** Asks the owner in the bell and on their devices. Call it inside a transaction. */
export async function askOwner(trx: Trx, { userId, dogId, caseId }: Recipient, now: number): Promise<void> {
  // One question a dog in the bell.
  await deleteQuestions(trx, userId, dogId)
  await notify(
    trx,
    {
      userId,
      type: 'other',
      isUrgent: true,
      title: QUESTION_TITLE,
      content: `Dinos si ya ha aparecido ${DOG_PLACEHOLDER} o si seguimos buscando.`,
      dogId,
      link: lostPaths.lostForm(dogId),
      // It is deleted with the case, however that ends.
      target: { kind: 'lost', id: caseId },
    },
    now,
  )
}

/** Takes an answered question out of the bell. */
export const deleteQuestions = (trx: Trx, userId: string, dogId: string): Promise<void> =>
  deleteNotificationsTitled(trx, { userId, dogId, title: QUESTION_TITLE })

/** Notifies the owner that the case has ended because nobody answered. Call it inside a transaction. */
export async function announceUnansweredEnd(
  trx: Trx,
  { userId, dogId }: Omit<Recipient, 'caseId'>,
  now: number,
): Promise<void> {
  await deleteQuestions(trx, userId, dogId)
  await notify(
    trx,
    {
      userId,
      type: 'other',
      isUrgent: true,
      title: ENDED_TITLE,
      content: `Como no nos has respondido, ya no buscamos a ${DOG_PLACEHOLDER}. Si sigue perdido, vuelve a abrir el aviso.`,
      dogId,
      link: lostPaths.lostForm(dogId),
    },
    now,
  )
}
