import { getOwn } from '#lib/identifiers.ts'
import { madridDay } from '#lib/dates.ts'
import type { Dog } from '#features/dogs/dogs.ts'
import { FRAME_TEXTS, framesOfDay, type SeasonalFrame } from './seasonal-frames.ts'

/** The form's place on the dog's page; `status`: the error of the last attempt. */
export const framePath = (dogPath: string, status?: number): string =>
  `${dogPath}${status ? `?marco=${status}` : ''}#marco`

export const frameAction = (dogId: string): string => `/api/dogs/${dogId}/frame`

/** Error texts by status, for the page that the form returns to. */
const PROBLEM_TEXTS: Readonly<Record<string, string>> = {
  403: `${FRAME_TEXTS.owner} Si tu cuenta no puede publicar, tampoco.`,
  409: 'Esta ficha está en revisión: hasta que se decida no se puede cambiar.',
  422: 'Ese marco no es de la época en que se añadió este perro.',
  429: 'Demasiadas peticiones. Espera un momento e inténtalo de nuevo.',
}
export const frameProblemText = (status: string | null): string | null => getOwn(PROBLEM_TEXTS, status) ?? null

/** The frames that a member may put on the dog: none for others than its owner. */
export const framesFor = (
  dog: Pick<Dog, 'owner_id' | 'created_at'>,
  userId: string | null | undefined,
): SeasonalFrame[] => (userId && dog.owner_id === userId ? framesOfDay(madridDay(dog.created_at)) : [])
