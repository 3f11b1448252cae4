import type { Catalogue, CatalogueBreed } from '#features/breeds/current-catalogue.server.ts'
import { figureLabel } from '#features/breeds/figures/figure-files.ts'
import { notFound } from '#lib/errors.ts'
import { compareBreeds, originsOf, portraitText } from './clues.ts'
import { riddleFact } from './facts.server.ts'
import { pictureAddress } from './pictures.server.ts'
import { type Game, type GuessView, type Hints, MAX_GUESSES, resultRow, RIDDLE_TEXTS, stateOf } from './riddle.ts'
import type { Riddle } from './riddles.server.ts'

/** Wrong guesses after which each hint is given: the silhouette is there from the start. */
const HINTS_AFTER = { height: 1, origin: 2, fact: 3, portrait: 4 } as const

function toHints(riddle: Riddle, breed: CatalogueBreed, catalogue: Catalogue, guesses: number, isOver: boolean): Hints {
  const isGiven = (hint: keyof typeof HINTS_AFTER) => isOver || guesses >= HINTS_AFTER[hint]
  return {
    silhouette: pictureAddress(riddle, 'silhouette'),
    height: isGiven('height') ? { src: pictureAddress(riddle, 'height'), alt: figureLabel(breed, 'altura') } : null,
    origin: isGiven('origin') ? originsOf(breed).join(' y ') : null,
    fact: isGiven('fact') ? riddleFact(breed, catalogue) : null,
    portrait: isGiven('portrait')
      ? { src: pictureAddress(riddle, 'portrait'), alt: `Retrato: ${portraitText(breed)}` }
      : null,
  }
}

function toGuessView(slug: string, answer: CatalogueBreed, catalogue: Catalogue): GuessView[] {
  const breed = catalogue.bySlug.get(slug)
  if (!breed) return []
  return [{ slug, name: breed.nombre_castellano, correct: slug === answer.slug, ...compareBreeds(breed, answer) }]
}

/**
 * A game as its player may see it: nothing in it says the answer before the end.
 * @param guesses slugs in order
 * @throws AppError 404 for a riddle whose breed has left the catalogue
 */
export function toGame(riddle: Riddle, guesses: readonly string[], catalogue: Catalogue): Game {
  const answer = catalogue.bySlug.get(riddle.breed_slug)
  if (!answer) throw notFound(RIDDLE_TEXTS.unknownDay)
  const state = stateOf(guesses, answer.slug)
  const isOver = state !== 'open'
  return {
    day: riddle.day,
    state,
    guesses: guesses.flatMap((slug) => toGuessView(slug, answer, catalogue)),
    left: isOver ? 0 : MAX_GUESSES - guesses.length,
    hints: toHints(riddle, answer, catalogue, guesses.length, isOver),
    answer: isOver ? { slug: answer.slug, name: answer.nombre_castellano } : null,
    result: isOver ? resultRow(guesses.length, state) : null,
  }
}
