import type { Breed } from '#features/breeds/breeds.ts'
import { countries } from '#features/breeds/countries.ts'
import { breedTraits } from '#features/breeds/portrait/traits/traits.ts'
import type { GuessClues } from './riddle.ts'

type RiddleBreed = Breed & { slug: string }

/** Heights at the withers that differ by less, from middle to middle of their ranges, count as the same size, cm. */
const SAME_SIZE_CM = 4

const meanHeight = (breed: Breed) => (breed.altura_cm_min + breed.altura_cm_max) / 2

/** The countries of a breed; «Todo el mundo» for one of none. */
export const originsOf = (breed: Pick<Breed, 'pais_origen'>): string[] => {
  const names = countries(breed.pais_origen)
  return names.length > 0 ? names : ['Todo el mundo']
}

/** What a guess has in common with the answer. The coat is the kind that portraits are drawn with. */
export function compareBreeds(guess: RiddleBreed, answer: RiddleBreed): GuessClues {
  const difference = meanHeight(answer) - meanHeight(guess)
  const origins = originsOf(answer)
  return {
    group: guess.fci_grupo === answer.fci_grupo,
    size: Math.abs(difference) < SAME_SIZE_CM ? 'same' : difference > 0 ? 'bigger' : 'smaller',
    origin: originsOf(guess).some((name) => origins.includes(name)),
    coat: breedTraits(guess).coat === breedTraits(answer).coat,
  }
}

/** What a portrait shows, for who does not see it. */
export const portraitText = (breed: Breed): string => `pelo ${breed.pelaje}; ${breed.colores}`

/** The clues of a guess in words, each with whether it is right. */
export const clueTexts = (clues: GuessClues): { term: string; text: string; correct: boolean }[] => [
  { term: 'Grupo', text: clues.group ? 'el mismo' : 'otro', correct: clues.group },
  {
    term: 'Tamaño',
    text: { same: 'parecido', bigger: 'es más grande', smaller: 'es más pequeño' }[clues.size],
    correct: clues.size === 'same',
  },
  { term: 'Origen', text: clues.origin ? 'el mismo' : 'otro', correct: clues.origin },
  { term: 'Pelo', text: clues.coat ? 'del mismo tipo' : 'distinto', correct: clues.coat },
]
