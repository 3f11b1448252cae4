import { MIXED_BREED } from '#features/breeds/breeds.ts'
import { breedNames } from '#features/breeds/catalogue.server.ts'
import { foldText } from '#lib/text/text.ts'
import { COAT_WORDS, type CoatWord, type DogDescription, SIZES } from './description.ts'
import { type BreedGuess, CONFIDENCES, type Confidence, MAX_BREEDS } from './detection.ts'
import { parseBreedAnswer } from './parse-answer.server.ts'

/** More entries than any answer has, so that a long list is not resolved name by name. */
const MAX_ENTRIES = 10
const MAX_NAME_CHARS = 80
const MAX_COAT_WORDS = 4
/** Before it stands what the model thought, in servers that do not separate it. */
const THOUGHT_END = '</think>'

const catalogue = new Set([MIXED_BREED, ...breedNames.map(({ name }) => name)])
const sizes = new Map(SIZES.map((size) => [foldText(size), size]))
const coatWords = new Map(COAT_WORDS.map((word) => [foldText(word), word]))

type Fields = Record<string, unknown>

/**
 * What a model's answer says of a dog: an object as the prompt asks for it, also in a code block, within other words or after
 * what the model thought. Only breeds of the catalogue, sizes of dogs and words of `COAT_WORDS` are taken from it, since text in
 * the photo may instruct the model.
 * @returns null where the answer holds no such object
 */
export function parseDescription(answer: string): DogDescription | null {
  const fields = findObject(answer.toWellFormed().normalize('NFC'))
  if (!fields) return null
  const size = foldText(textOf(fields.talla ?? fields.size)).trim()
  return {
    breeds: parseBreeds(fields.razas ?? fields.raza ?? fields.breeds ?? fields.breed),
    size: sizes.get(size) ?? sizes.get(size.replace(/a$/, 'o')) ?? null,
    coat: parseCoat(fields.pelo ?? fields.coat),
  }
}

/** A text of the answer, and '' for anything else: objects need not become texts, and lists in lists overflow the stack. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The answer's JSON object; for a list of breeds the object that would hold it; null without one. */
function findObject(answer: string): Fields | null {
  const text = answer.slice(answer.lastIndexOf(THOUGHT_END) + 1)
  for (const [open, close] of [
    ['{', '}'],
    ['[', ']'],
  ] as const) {
    const json = text.slice(text.indexOf(open), text.lastIndexOf(close) + 1)
    try {
      const value: unknown = JSON.parse(json)
      if (Array.isArray(value)) return { razas: value }
      if (value && typeof value === 'object') return value as Fields
    } catch {
      // Not JSON: a sentence with a brace, half an object.
    }
  }
  return null
}

/** The breeds of the catalogue in a list, or in a text that names one; each once. */
export function parseBreeds(value: unknown): BreedGuess[] {
  const entries: unknown[] = Array.isArray(value) ? value.slice(0, MAX_ENTRIES) : [value]
  const guesses: BreedGuess[] = []
  for (const entry of entries) {
    const { name, confidence } = readEntry(entry)
    const breed = parseBreedAnswer(name.slice(0, MAX_NAME_CHARS))
    if (breed === null || !catalogue.has(breed) || guesses.some((guess) => guess.breed === breed)) continue
    guesses.push({ breed, confidence })
  }
  return guesses.slice(0, MAX_BREEDS)
}

/** An entry of the list: an object, or a name alone. Without a confidence it is the lowest. */
function readEntry(entry: unknown): { name: string; confidence: Confidence } {
  const fields: Fields = entry && typeof entry === 'object' ? (entry as Fields) : { raza: entry }
  const name = fields.raza ?? fields.breed ?? fields.nombre ?? fields.name
  const word = foldText(textOf(fields.confianza ?? fields.confidence)).trim()
  return {
    name: typeof name === 'string' ? name : '',
    confidence: CONFIDENCES.find((confidence) => confidence === word) ?? 'baja',
  }
}

/** The known words of a coat, once each, also in their other gender: «negra», «lisa». */
function parseCoat(value: unknown): CoatWord[] {
  const texts = Array.isArray(value) ? value : typeof value === 'string' ? value.slice(0, 200).split(/[,;]| y /) : []
  const words = texts.slice(0, MAX_ENTRIES).map((text) => foldText(textOf(text)).trim())
  const known = words.map((word) => coatWords.get(word) ?? coatWords.get(word.replace(/a$/, 'o')))
  return [...new Set(known.filter((word) => word !== undefined))].slice(0, MAX_COAT_WORDS)
}
