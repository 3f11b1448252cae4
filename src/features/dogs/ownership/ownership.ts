import * as z from 'zod/mini'
import { dogInSentence } from '#features/notifications/notifications.ts'
import type { Person } from '#features/dogs/dogs.ts'

/** How long a member whom the discoverer answered «no» waits before saying it again, ms. */
export const DECLINED_COOLDOWN_MS = 30 * 86_400_000

/** How many requests the discoverer sees at once, the oldest first. */
export const MAX_REQUESTS_SHOWN = 20

/** «Es mi perro» as who is looking sees it on a dog's page. */
export type OwnershipView =
  /** Nothing to say: the dog has an owner, or nobody could confirm it. */
  | { kind: 'none' }
  | { kind: 'ask' }
  | { kind: 'asked' }
  /** Declined; may be said again from `until` on. */
  | { kind: 'declined'; until: number }
  /** Its discoverer answers. */
  | { kind: 'answer'; requests: Person[]; more: boolean }

const INVALID_ANSWER_ERROR = 'Di si confirmas la petición o la rechazas.'

/** `{accept: true}`; a form says `accept=true`. */
export const answerSchema = z.object({
  accept: z.union(
    [
      z.boolean(),
      z.pipe(
        z.enum(['true', 'false']),
        z.transform((text) => text === 'true'),
      ),
    ],
    {
      error: INVALID_ANSWER_ERROR,
    },
  ),
})

/** Why it did not work, on the page that a form without script comes back to. */
const PROBLEM_TEXTS: Readonly<Record<string, string>> = {
  403: 'No puedes hacerlo: tu cuenta no puede publicar o uno de los dos ha bloqueado al otro.',
  404: 'Esa petición ya no existe.',
  409: 'Esto ha cambiado mientras mirabas. Así está ahora.',
  422: INVALID_ANSWER_ERROR,
  429: 'Demasiadas peticiones. Espera un momento e inténtalo de nuevo.',
}
export const ownershipProblemText = (status: string | null): string | null =>
  status !== null && Object.hasOwn(PROBLEM_TEXTS, status) ? PROBLEM_TEXTS[status]! : null

/** The bell's lines. */
export const ownershipNotifications = {
  requested: (asker: string, dog: string) => ({
    title: '¿De quién es este perro?',
    content: `${asker} dice que ${dogInSentence(dog)} es suyo. Responde en su página.`,
  }),
  confirmed: (discoverer: string, dog: string) => ({
    title: '¡Es tu perro!',
    content: `${discoverer} ha confirmado que ${dogInSentence(dog)} es tuyo.`,
  }),
  declined: (discoverer: string, dog: string) => ({
    title: 'Petición rechazada',
    content: `${discoverer} no ha confirmado que ${dogInSentence(dog)} sea tuyo.`,
  }),
  closed: (dog: string) => ({
    title: 'Este perro ya tiene dueño',
    content: `Tu petición sobre ${dogInSentence(dog)} se ha cerrado.`,
  }),
}
