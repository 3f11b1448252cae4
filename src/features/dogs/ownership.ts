import * as z from 'zod/mini'
import { dogInSentence } from '#features/notifications/notifications.ts'
import type { Person } from './dogs.ts'

/** How long a member whom the discoverer answered «no» waits before saying it again, ms. */
export const DECLINED_REST = 30 * 86_400_000

/** How many requests the discoverer sees at once, the oldest first. */
export const REQUESTS_SHOWN = 20

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

const WRONG_ANSWER = 'Di si confirmas la petición o la rechazas.'

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
      error: WRONG_ANSWER,
    },
  ),
})

/** Why it did not work, on the page that a form without script comes back to. */
const PROBLEMS: Readonly<Record<string, string>> = {
  403: 'No puedes hacerlo: tu cuenta no puede publicar o uno de los dos ha bloqueado al otro.',
  404: 'Esa petición ya no existe.',
  409: 'Esto ha cambiado mientras mirabas. Así está ahora.',
  422: WRONG_ANSWER,
  429: 'Demasiadas peticiones. Espera un momento e inténtalo de nuevo.',
}
export const ownershipProblem = (status: string | null): string | null =>
  status !== null && Object.hasOwn(PROBLEMS, status) ? PROBLEMS[status]! : null

/** The bell's lines. */
export const ownershipLines = {
  asked: (asker: string, dog: string) => ({
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
