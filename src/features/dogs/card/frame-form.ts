import { getOwn } from '#lib/identifiers.ts'
import { SEASON_DATES, SEASON_LABELS, type SeasonalFrame } from './seasonal-frames.ts'

/** The form's place on the dog's page. @param result the error's status, or what the last attempt did */
export const framePath = (dogPath: string, result: number | FrameResult): string => `${dogPath}?marco=${result}#marco`

export type FrameResult = 'puesto' | 'quitado'

const RESULT_TEXTS: Readonly<Record<FrameResult, string>> = {
  puesto: 'Marco puesto: así lo ven todos.',
  quitado: 'Marco quitado.',
}
/** What the last attempt did; null where the dog says otherwise by now: an address may be old, or made up. */
export const frameResultText = (result: string | null, hasFrame: boolean): string | null =>
  result === (hasFrame ? 'puesto' : 'quitado') ? RESULT_TEXTS[result] : null

export const frameAction = (dogId: string): string => `/api/dogs/${dogId}/frame`

const month = new Intl.DateTimeFormat('es-ES', { month: 'long', timeZone: 'UTC' })
/** «6 de enero» of 106. */
const formatDate = (date: number): string =>
  `${date % 100} de ${month.format(Date.UTC(2000, Math.floor(date / 100) - 1))}`

export const FRAME_TEXTS = {
  unknown: 'Elige un marco de la lista.',
  owner: 'Solo su dueño puede ponerle un marco.',
  season: (frame: SeasonalFrame): string => {
    const [from, to] = SEASON_DATES[frame]
    return `El marco «${SEASON_LABELS[frame]}» es para perros añadidos entre el ${formatDate(from)} y el ${formatDate(to)}.`
  },
} as const

/** Error texts by status, for the page that the form returns to. */
const PROBLEM_TEXTS: Readonly<Record<string, string>> = {
  403: 'Solo su dueño puede ponerle un marco, y no mientras tenga un veto.',
  409: 'Esta ficha está en revisión: hasta que se decida no se puede cambiar.',
  422: 'Ese marco no es de la época en que se añadió este perro.',
  429: 'Demasiadas peticiones. Espera un momento e inténtalo de nuevo.',
}
export const frameProblemText = (status: string | null): string | null => getOwn(PROBLEM_TEXTS, status) ?? null
