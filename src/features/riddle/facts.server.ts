import { otherNames } from '#features/breeds/catalogue.server.ts'
import type { Catalogue, CatalogueBreed } from '#features/breeds/current-catalogue.server.ts'
import { foldText } from '#lib/text/text.ts'

/** Words of a name with fewer letters tell nothing. */
const MIN_LETTERS = 4
/** Words that stand in the names of more breeds than these are no clue to one: «terrier», «perro», «español». */
const MAX_NAMESAKES = 3

const wordsOf = (text: string) =>
  foldText(text)
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length >= MIN_LETTERS)

const namesOf = (breed: CatalogueBreed) => [
  breed.nombre_castellano,
  breed.nombre_original,
  breed.nombre_ingles,
  ...breed.alias,
  ...otherNames(breed.nombre_castellano),
]
const nameWordsOf = (breed: CatalogueBreed) => new Set(namesOf(breed).flatMap(wordsOf))

const commonWords = new WeakMap<Catalogue, ReadonlySet<string>>()

/** The words that name many breeds. */
function commonWordsOf(catalogue: Catalogue): ReadonlySet<string> {
  let words = commonWords.get(catalogue)
  if (!words) {
    const counts = new Map<string, number>()
    for (const breed of catalogue.breeds)
      for (const word of nameWordsOf(breed)) counts.set(word, (counts.get(word) ?? 0) + 1)
    words = new Set([...counts].flatMap(([word, count]) => (count > MAX_NAMESAKES ? [word] : [])))
    commonWords.set(catalogue, words)
  }
  return words
}

/** Whether a text says which breed it is about: by a name of it, or by a word that few others have. */
export function namesBreed(text: string, breed: CatalogueBreed, catalogue: Catalogue): boolean {
  const common = commonWordsOf(catalogue)
  const own = [...nameWordsOf(breed)].filter((word) => !common.has(word))
  const folded = foldText(text)
  return (
    wordsOf(text).some((word) => own.some((name) => word.startsWith(name) || name.startsWith(word))) ||
    namesOf(breed).some((name) => folded.includes(foldText(name)))
  )
}

/** A fact about the breed that does not name it: the first of its curious ones, or what it is like. */
export function riddleFact(breed: CatalogueBreed, catalogue: Catalogue): string {
  const fact = breed.datos_curiosos.find((text) => !namesBreed(text, breed, catalogue))
  return fact ?? `De carácter es ${breed.temperamento}.`
}
