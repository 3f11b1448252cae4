import { madridDay } from '#lib/dates.ts'
import { DAY_MS } from '#lib/time.ts'

/** Guesses of one game. */
export const MAX_GUESSES = 6

/** The first riddle: none is drawn for an earlier day. */
export const FIRST_DAY = '2026-11-01'

export const RIDDLE_TEXTS = {
  unknownDay: 'No hay ningún reto de ese día.',
  future: 'Ese reto aún no ha salido. Vuelve ese día.',
  empty: 'Escribe una raza.',
  unknownBreed: 'No conocemos esa raza. Elige una de la lista.',
  repeated: 'Esa raza ya la has probado. Prueba con otra.',
  finished: 'Este reto ya ha terminado: eran seis intentos.',
  solved: 'Este reto ya lo has resuelto.',
} as const

/** Why a guess was refused, as the page's address says it after a form without script. */
export const NOTICES = {
  vacio: RIDDLE_TEXTS.empty,
  raza: RIDDLE_TEXTS.unknownBreed,
  repetida: RIDDLE_TEXTS.repeated,
  terminado: RIDDLE_TEXTS.finished,
  resuelto: RIDDLE_TEXTS.solved,
} as const
export type Notice = keyof typeof NOTICES
const NOTICE_NAMES = Object.keys(NOTICES) as Notice[]

/** The notice with this sentence; undefined where it is none of them. */
export const noticeOf = (sentence: string): Notice | undefined =>
  NOTICE_NAMES.find((name) => NOTICES[name] === sentence)

/** The sentence of the address's notice; null without one, and for unknown ones. */
export const noticeText = (name: string | null): string | null =>
  NOTICE_NAMES.includes(name as Notice) ? NOTICES[name as Notice] : null

/** The day in Madrid, `2026-11-26`. */
export const riddleDay = (time: number): string => String(madridDay(time)).replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')

/** Noon of a day, UTC: the same day in Madrid. */
export const noonOf = (day: string): number => Date.parse(`${day}T12:00:00Z`)

/** Whether `text` is a day of the calendar as riddles write it: `2026-02-30` is none. */
export function isDay(text: string | undefined): text is string {
  if (text === undefined || !/^20\d\d-\d\d-\d\d$/.test(text)) return false
  const noon = noonOf(text)
  return !Number.isNaN(noon) && riddleDay(noon) === text
}

/** The day `days` later; earlier where negative. */
export const addDays = (day: string, days: number): string => riddleDay(noonOf(day) + days * DAY_MS)

export type GameState = 'open' | 'won' | 'lost'

/** What a guess has in common with the answer. */
export interface GuessClues {
  group: boolean
  /** Whether the answer is bigger or smaller than the guess, or of the same size. */
  size: 'same' | 'bigger' | 'smaller'
  origin: boolean
  coat: boolean
}

export interface GuessView extends GuessClues {
  slug: string
  name: string
  correct: boolean
}

/** What the player may know by now; null: not yet. Pictures are addresses. */
export interface Hints {
  silhouette: string
  height: { src: string; alt: string } | null
  origin: string | null
  fact: string | null
  portrait: { src: string; alt: string } | null
}

export interface Game {
  day: string
  state: GameState
  guesses: GuessView[]
  /** Guesses that are left. */
  left: number
  hints: Hints
  /** Null until the game ends. */
  answer: { slug: string; name: string } | null
  /** The result as a row of paw marks; null until the game ends. */
  result: string | null
}

/** The games of one player that have ended. */
export interface RiddleStatistics {
  played: number
  won: number
}

export const stateOf = (guesses: readonly string[], answer: string): GameState =>
  guesses.includes(answer) ? 'won' : guesses.length >= MAX_GUESSES ? 'lost' : 'open'

/** A paw for each step that went past the breed, and the bone where it was found: «🐾🐾🦴 3/6». */
export function resultRow(guesses: number, state: GameState): string {
  const isWon = state === 'won'
  return `${'🐾'.repeat(isWon ? guesses - 1 : guesses)}${isWon ? '🦴' : ''} ${isWon ? guesses : 'X'}/${MAX_GUESSES}`
}

/** Statistics of the ended games, by day. Days in a row are not counted: nobody loses anything by a day without a riddle. */
export function statisticsOf(games: ReadonlyMap<string, GameState>): RiddleStatistics {
  const ended = [...games.values()].filter((state) => state !== 'open')
  return { played: ended.length, won: ended.filter((state) => state === 'won').length }
}

/** What came of the last guess, in words. */
export function statusText({
  state,
  guesses,
  left,
  answer,
}: Pick<Game, 'state' | 'guesses' | 'left' | 'answer'>): string {
  const last = guesses.at(-1)
  if (state === 'won') return `¡La has encontrado! Era ${answer?.name}.`
  if (state === 'lost') return `Esta vez se ha escapado. La raza era ${answer?.name}.`
  const attempts = left === 1 ? 'Te queda un intento' : `Te quedan ${left} intentos`
  return last ? `No es ${last.name}. ${attempts}, y tienes una pista más.` : `${attempts}.`
}
