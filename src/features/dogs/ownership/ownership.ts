import * as z from 'zod/mini'
import { getOwn } from '#lib/identifiers.ts'
import type { Person } from '#features/dogs/dogs.ts'

/** How long after a decline the member cannot repeat the request. */
export const DECLINED_COOLDOWN_MS = 30 * 86_400_000

/** How many requests the discoverer sees at once, oldest first. */
export const MAX_REQUESTS_SHOWN = 20

/** The ownership section («Es mi perro») of a dog's page, for its viewer. */
export type OwnershipView =
  /** No section: the dog has an owner, or no discoverer who could confirm one. */
  | { kind: 'none' }
  | { kind: 'can-request' }
  | { kind: 'requested' }
  /** Declined; the viewer may request again from `until` on. */
  | { kind: 'declined'; until: number }
  /** The viewer is the discoverer, who answers. */
  | { kind: 'answer'; requests: Person[]; more: boolean }

const INVALID_ANSWER_ERROR = 'Di si confirmas la petición o la rechazas.'

/** `{accept: true}` in JSON, `accept=true` in a form. */
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

/** Error texts by status, for the page that a form without script returns to. */
const PROBLEM_TEXTS: Readonly<Record<string, string>> = {
  403: 'No puedes hacerlo: tu cuenta no puede publicar o uno de los dos ha bloqueado al otro.',
  404: 'Esa petición ya no existe.',
  409: 'Esto ha cambiado mientras mirabas. Así está ahora.',
  422: INVALID_ANSWER_ERROR,
  429: 'Demasiadas peticiones. Espera un momento e inténtalo de nuevo.',
}
export const ownershipProblemText = (status: string | null): string | null => getOwn(PROBLEM_TEXTS, status) ?? null
