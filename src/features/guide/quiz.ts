import type { BreedProfile } from '#features/breeds/profile/profiles.ts'
import { type TraitName, TRAITS, type TraitValue, traitWord } from '#features/breeds/profile/traits.ts'

/** What an answer wants of a bar: values from `min` to `max`. `weight` is the cost of each step outside. */
interface Wish {
  trait: TraitName
  min?: TraitValue
  max?: TraitValue
  weight: number
  /** Why a breed within the bounds fits, after «porque»; `word` is the bar's. */
  reason: (word: string) => string
}
interface Answer {
  value: string
  label: string
  wishes: readonly Wish[]
}
export interface Question {
  /** The parameter of the address. */
  name: string
  text: string
  answers: readonly Answer[]
}

/** «¿Qué raza te va?»: six questions. An answer without wishes rules nothing out. */
export const QUESTIONS: readonly Question[] = [
  {
    name: 'casa',
    text: '¿Dónde va a vivir?',
    answers: [
      {
        value: 'piso',
        label: 'En un piso',
        wishes: [
          { trait: 'flat', min: 4, weight: 3, reason: (word) => `vive bien en un piso (${word})` },
          { trait: 'barking', max: 2, weight: 1, reason: (word) => `los vecinos lo agradecerán (${word})` },
        ],
      },
      {
        value: 'casa',
        label: 'En una casa con jardín',
        wishes: [{ trait: 'flat', min: 2, weight: 1, reason: () => 'una casa con jardín le basta' }],
      },
      { value: 'campo', label: 'En el campo', wishes: [] },
    ],
  },
  {
    name: 'tiempo',
    text: '¿Cuánto vais a pasear cada día?',
    answers: [
      {
        value: 'poco',
        label: 'Menos de una hora',
        wishes: [{ trait: 'exercise', max: 2, weight: 3, reason: (word) => `le basta con poco paseo (${word})` }],
      },
      {
        value: 'normal',
        label: 'Entre una y dos horas',
        wishes: [
          { trait: 'exercise', min: 3, max: 4, weight: 2, reason: (word) => `pide el paseo que le das (${word})` },
        ],
      },
      {
        value: 'mucho',
        label: 'Más de dos horas, y deporte',
        wishes: [{ trait: 'exercise', min: 5, weight: 2, reason: (word) => `te sigue el ritmo (${word})` }],
      },
    ],
  },
  {
    name: 'familia',
    text: '¿Quién más hay en casa?',
    answers: [
      {
        value: 'ninos',
        label: 'Niños',
        wishes: [
          { trait: 'children', min: 4, weight: 3, reason: (word) => `con los niños: ${word}` },
          { trait: 'strangers', min: 3, weight: 1, reason: (word) => `con las visitas: ${word}` },
        ],
      },
      {
        value: 'perros',
        label: 'Otros perros',
        wishes: [{ trait: 'dogs', min: 4, weight: 3, reason: (word) => `con otros perros: ${word}` }],
      },
      { value: 'adultos', label: 'Solo adultos', wishes: [] },
    ],
  },
  {
    name: 'experiencia',
    text: '¿Has tenido perro?',
    answers: [
      {
        value: 'ninguna',
        label: 'Es el primero',
        wishes: [
          { trait: 'firstTime', min: 4, weight: 3, reason: (word) => `para un primer perro: ${word}` },
          { trait: 'training', min: 3, weight: 1, reason: (word) => `educarlo no será una batalla (${word})` },
        ],
      },
      {
        value: 'alguna',
        label: 'Sí, alguno',
        wishes: [{ trait: 'firstTime', min: 2, weight: 2, reason: () => 'con tu experiencia te apañas' }],
      },
      { value: 'mucha', label: 'Sí, también difíciles', wishes: [] },
    ],
  },
  {
    name: 'pelo',
    text: '¿Y el pelo por la casa?',
    answers: [
      {
        value: 'nada',
        label: 'Cuanto menos, mejor',
        wishes: [{ trait: 'shedding', max: 2, weight: 2, reason: (word) => `deja poco pelo (muda: ${word})` }],
      },
      {
        value: 'algo',
        label: 'Algo soporto',
        wishes: [{ trait: 'shedding', max: 3, weight: 1, reason: (word) => `su muda es llevadera (${word})` }],
      },
      { value: 'igual', label: 'Me da igual', wishes: [] },
    ],
  },
  {
    name: 'clima',
    text: '¿Qué tiempo hace donde vives?',
    answers: [
      {
        value: 'calor',
        label: 'Veranos de mucho calor',
        wishes: [{ trait: 'heat', min: 4, weight: 3, reason: (word) => `el calor ${word}` }],
      },
      {
        value: 'suave',
        label: 'Suave todo el año',
        wishes: [{ trait: 'heat', min: 2, weight: 1, reason: () => 'en un clima suave está a gusto' }],
      },
      {
        value: 'frio',
        label: 'Inviernos de frío y nieve',
        wishes: [{ trait: 'cold', min: 4, weight: 3, reason: (word) => `el frío ${word}` }],
      },
    ],
  },
]

/** The chosen answers by the question's name. */
export type Answers = ReadonlyMap<string, Answer>

/** Reads the answers of an address. Unknown values count as not answered. */
export const readAnswers = (search: URLSearchParams): Answers =>
  new Map(
    QUESTIONS.flatMap(({ name, answers }) => {
      const answer = answers.find(({ value }) => value === search.get(name))
      return answer ? [[name, answer] as const] : []
    }),
  )

export interface Match<B> {
  breed: B
  /** Why it fits, what weighs most first. */
  reasons: string[]
  /** What it misses of what was asked for. */
  missed: string[]
}
interface Scored<B> extends Match<B> {
  cost: number
}
const MATCHES = 5
/** Fewer answers say too little to suggest anything. */
export const MIN_ANSWERS = 3
/** Reasons that a page shows of a breed: those that weigh most. */
const REASONS = 6
/** The most that a breed's bars may miss in all; beyond it, it is no suggestion. */
const MAX_COST = 6

/** How far a value lies outside a wish, in steps. */
const stepsOutside = ({ min = 1, max = 5 }: Wish, value: number) => Math.max(0, min - value, value - max)

/** The cost of one breed. A breed with an unknown bar that the answers ask for is left out: nobody could say why it fits. */
function score<B>(breed: B, profile: BreedProfile, wishes: readonly Wish[]): Scored<B> | null {
  let cost = 0
  const met: { wish: Wish; value: TraitValue }[] = []
  const missed: string[] = []
  for (const wish of wishes) {
    const value = profile.traits[wish.trait]?.[0]
    if (value === undefined) return null
    const steps = stepsOutside(wish, value)
    cost += steps * wish.weight
    if (steps === 0) met.push({ wish, value })
    else missed.push(`${TRAITS[wish.trait].label.toLowerCase()}: ${traitWord(wish.trait, value)}`)
  }
  const reasons = met
    .toSorted((a, b) => b.wish.weight - a.wish.weight)
    .slice(0, REASONS)
    .map(({ wish, value }) => wish.reason(traitWord(wish.trait, value)))
  return { breed, reasons, missed, cost }
}

/**
 * The breeds whose bars fit the answers best, at most five.
 * @param breeds in the order that decides between equals
 */
export function matchBreeds<B>(
  answers: Answers,
  breeds: readonly B[],
  profileOf: (breed: B) => BreedProfile | undefined,
): Match<B>[] {
  const wishes = [...answers.values()].flatMap((answer) => answer.wishes)
  return breeds
    .flatMap((breed) => {
      const profile = profileOf(breed)
      return (profile && score(breed, profile, wishes)) ?? []
    })
    .filter(({ cost }) => cost <= MAX_COST)
    .toSorted((a, b) => a.cost - b.cost)
    .slice(0, MATCHES)
    .map(({ breed, reasons, missed }) => ({ breed, reasons, missed }))
}
