/** Questions of a round. */
export const QUESTIONS = 10
/** Answers that a question offers. */
export const OPTIONS = 4

/** How hard a round is, by its name in forms and addresses (the first letter). */
export const LEVELS = ['facil', 'normal', 'dificil'] as const
export type Level = (typeof LEVELS)[number]

export const LEVEL_LABELS: Record<Level, { name: string; text: string }> = {
  facil: { name: 'Fácil', text: 'Razas conocidas que no se parecen en nada.' },
  normal: { name: 'Normal', text: 'Cualquier raza del álbum.' },
  dificil: { name: 'Difícil', text: 'Razas raras, las cuatro del mismo grupo.' },
}

export const ROUND_TEXTS = {
  unknownLevel: 'Elige fácil, normal o difícil.',
  unknownAnswer: 'Elige una de las cuatro.',
  unknownRound: 'Esta ronda no vale. Empieza otra.',
  finished: 'Esta ronda ya ha terminado: eran diez preguntas.',
} as const

/** A round as its token says it: which questions it has, and the answers so far by their places, 0 to 3. */
export interface Round {
  level: Level
  /** Random; the questions are drawn from it with the site's key. */
  seed: string
  answers: readonly number[]
}

export const isRoundOver = ({ answers }: Pick<Round, 'answers'>): boolean => answers.length >= QUESTIONS

export interface Picture {
  src: string
  alt: string
}

/** A question as it is asked: nothing in it says which answer is right. */
export interface QuestionView {
  /** From 1. */
  number: number
  /** `breed`: which breed the sticker is of. `sticker`: which sticker is of the breed. */
  asks: 'breed' | 'sticker'
  /** The breed that is looked for, where stickers are offered. */
  name: string | null
  /** The sticker, where breeds are offered. */
  picture: Picture | null
  /** Either names or stickers, in order. */
  options: { name: string | null; picture: Picture | null }[]
}

export interface BreedLink {
  slug: string
  name: string
}

/** A question that was answered. */
export interface AnswerView {
  isRight: boolean
  right: BreedLink
  chosen: BreedLink
}

export interface RoundView {
  token: string
  level: Level
  /** Right answers so far. */
  score: number
  /** Null once the round is over. */
  question: QuestionView | null
  /** What was answered so far, in order. */
  answered: AnswerView[]
}

/** What the score says of its player. */
export function scoreText(score: number): string {
  if (score === QUESTIONS) return '¡Pleno! Nadie conoce a los perros como tú.'
  if (score >= 8) return '¡Qué buen ojo tienes!'
  if (score >= 5) return 'Nada mal. Otra y lo bordas.'
  return 'La próxima sale mejor: mira sus fichas.'
}
