import { BREED_CHARACTERS, MIXED_BREED, MIXED_SLUG } from '#features/breeds/breeds.ts'
import { breedNames, resolveBreed } from '#features/breeds/catalogue.server.ts'
import { foldText, trimEndWhile } from '#lib/text/text.ts'

/** Longer than any breed's name: «Grifón azul de Gascuña de pelo duro». */
const MAX_NAME_CHARS = 40
const MAX_NAME_WORDS = 7
/** Words of sentences, which no breed's name contains. */
const SENTENCE_WORDS =
  /\b(no|ni|o|es|son|esta|estan|hay|tiene|veo|puedo|puede|parece|podria|seria|siento|foto|imagen|raza|ninguna?|gatos?|un|una|que|porque)\b/
/** Generic answers, which name no breed. */
const GENERIC_WORDS = /^(perr[oa]|can|cachorr[oa]|animal)$/
/** Between two breeds' names the answer is ambiguous. */
const SEVERAL_BREEDS = /\b(no|ni|o|u|y|e|con|entre)\b|[/+]/

/**
 * The breed named in a model's answer, or null. The answer is not trusted beyond a name, since text in the photo may instruct
 * the model. An answer with «mestizo» is Mestizo (docs/product.md §11.3). A breed of the catalogue under any of its names, alone or
 * as the only breed in a sentence, gets its canonical name. An unlisted name is returned as it is where a breed text may be
 * stored like that (docs/product.md §22.4). «Desconocida», sentences and the rest are null.
 */
export function parseBreedAnswer(answer: string): string | null {
  const text = answer.toWellFormed().normalize('NFC')
  if (/mestiz[oa]/.test(foldText(text))) return MIXED_BREED
  const line = cleanLine(text.split('\n').find((part) => cleanLine(part)) ?? '')
  const folded = foldText(line)
  if (!line || /desconocid/.test(folded)) return null
  return (
    findKnownBreed(line) ??
    findKnownBreed(line.replace(/\([^()]*\)/g, ' ')) ??
    findBreedInSentence(folded) ??
    readUnlistedBreed(line, folded)
  )
}

/** The line without the quotes, asterisks, full stop or «Raza:» that models put around a word. */
const cleanLine = (text: string) =>
  trimEndWhile(text.replace(/^[^\p{L}\d]*(raza\s*:)?/iu, ''), /[^\p{L}\p{M}\d)]/u)
    .replace(/\s+/g, ' ')
    .trim()

function findKnownBreed(text: string): string | null {
  const { name, slug } = resolveBreed(text)
  return text.trim() && (slug !== MIXED_SLUG || name === MIXED_BREED) ? name : null
}

const padWords = (folded: string) => ` ${folded.replace(/[^a-z0-9]+/g, ' ').trim()} `
const catalogueNames = breedNames.map(({ name }) => ({ name, words: padWords(foldText(name)) }))

/** The one catalogue breed a text names: «Es un pastor alemán.» «Pastor» inside «pastor alemán» is no breed of its own. */
function findBreedInSentence(folded: string): string | null {
  if (SEVERAL_BREEDS.test(folded)) return null
  const text = padWords(folded)
  const matches = catalogueNames.filter(({ words }) => text.includes(words))
  const [only, ...others] = matches.filter(
    ({ words }) => !matches.some((other) => other.words !== words && other.words.includes(words)),
  )
  return only && others.length === 0 ? only.name : null
}

function readUnlistedBreed(line: string, folded: string): string | null {
  if (line.length > MAX_NAME_CHARS || line.split(' ').length > MAX_NAME_WORDS) return null
  return BREED_CHARACTERS.test(line) &&
    /\p{L}{3}/u.test(line) &&
    !SENTENCE_WORDS.test(folded) &&
    !GENERIC_WORDS.test(folded)
    ? line
    : null
}
