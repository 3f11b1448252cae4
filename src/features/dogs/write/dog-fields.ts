import { AGE_UNITS, type AgeUnit } from '#lib/age.ts'
import { normaliseText, sanitise } from '#lib/text/normalise.ts'
import { countCharacters, foldText } from '#lib/text/text.ts'
import { toPlainZone } from '#features/places/places.ts'
import { parseTypedNumber } from '#lib/text/typed-number.ts'
import { BREED_CHARACTERS, MIXED_BREED } from '#features/breeds/breeds.ts'
import { NAMELESS, type Size } from '#features/dogs/dogs.ts'
import { readSize } from '#features/dogs/read-size.ts'

// A dog's fields, one by one (DOG_FIELDS): the server's schemas are made of them (dog-input.ts), and the form reads them without schemas,
// whose library would weigh 5 kB on every page.

/** The limits and sentences of docs/product.md §22.4. The form's island and the server read the same ones. */
export const NAME_MAX_CHARS = 50
export const ZONE_MAX_CHARS = 100
/** A photo's description: a sentence or two, since a screen reader cannot skip within it. */
export const ALT_MAX_CHARS = 150
/** The limit in months is twelve times this. */
export const AGE_MAX_YEARS = 30
/** Weights are rounded to it. */
export const WEIGHT_STEP_KG = 0.1
/** Higher figures are typing errors: the heaviest dog on record weighed 156 kg. */
export const WEIGHT_MAX_KG = 250
/** Longer texts are refused unread, however few characters they count (docs/product.md §22.1). */
export const TEXT_MAX_BYTES = 16 * 1024

export const DOG_TEXTS = {
  /** Notes, not errors. */
  storedAs: (text: string) => `Lo guardamos como «${text}».`,
  zoneNumber: 'Hemos quitado el número: de una dirección solo se guarda la calle.',
  photo: 'Por favor, sube al menos una imagen del perro.',
  weight: 'El peso debe ser un número positivo.',
  weightFilled: 'Peso debe ser un número positivo.',
  /** For a positive number in another notation: the specified sentence would be wrong. */
  weightNotation: 'Escribe el peso solo con cifras y, si hace falta, una coma: por ejemplo, 22,5.',
  weightMax: `El peso no puede pasar de ${WEIGHT_MAX_KG} kg.`,
  age: 'Edad debe ser un número entero positivo.',
  ageMax: `La edad no puede pasar de ${AGE_MAX_YEARS} años.`,
  ageUnit: 'La unidad de la edad debe ser meses o años.',
  zone: 'Zona no válida. Solo se permiten letras, números, espacios, guiones y comas.',
  breed: 'Raza no válida. Solo se permiten letras, números, espacios y guiones.',
  name: 'Nombre no válido. Solo se permiten letras, números, espacios y guiones.',
  nameMax: `El nombre no puede tener más de ${NAME_MAX_CHARS} caracteres.`,
  breedMax: `La raza no puede tener más de ${ZONE_MAX_CHARS} caracteres.`,
  size: 'Tamaño no válido.',
  relationship: 'Elige si eres su dueño o su descubridor.',
  adopted: 'Valor no válido en «Adoptado».',
  alt: `La descripción de la foto no puede tener más de ${ALT_MAX_CHARS} caracteres.`,
  altsMax: 'Hay más descripciones que fotos.',
  photosMax: 'Puedes subir hasta 10 fotos.',
  text: 'El texto no es válido.',
  tooLong: 'El texto es demasiado largo.',
} as const

export const RELATIONSHIPS = ['owner', 'discoverer'] as const
export type Relationship = (typeof RELATIONSHIPS)[number]

class InvalidField extends Error {}
const refuse = (message: string): never => {
  throw new InvalidField(message)
}

/**
 * Reads a field sent as a form's text or as a JSON value.
 * @param read returns what to store, or refuses
 */
export function readField<T>(read: (value: unknown) => T, value: unknown): { value: T } | { error: string } {
  try {
    return { value: read(value) }
  } catch (error) {
    if (!(error instanceof InvalidField)) throw error
    return { error: error.message }
  }
}

/** The text of a field in NFC, so that «é» is one character; '' for one without visible characters. */
function readText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'string') return refuse(DOG_TEXTS.text)
  if (value.length > TEXT_MAX_BYTES || new TextEncoder().encode(value).length > TEXT_MAX_BYTES)
    refuse(DOG_TEXTS.tooLong)
  return normaliseText(value).normalize('NFC')
}

const readOneLine = (value: unknown) => readText(value).replace(/\s+/g, ' ')
/** A line without emoji: what is invisible outside them is removed, too. */
const readPlainLine = (value: unknown) => readOneLine(value).replace(/\p{Default_Ignorable_Code_Point}/gu, '')

/** Names allow the same characters as breeds (docs/product.md §22.4). */
const NAME_CHARACTERS = BREED_CHARACTERS
const ZONE_CHARACTERS = /^[\p{Script=Latin}\p{M}\d\s,-]*$/u

/** `text` in the allowed characters where `tidy` makes it so; what it cannot is left to be refused. */
const tidyTo = (allowed: RegExp, text: string, tidy: (text: string) => string): string =>
  allowed.test(text) ? text : tidy(text) || text

/** «D'Artagnan» and «Sr. Lobo» become «D Artagnan» and «Sr Lobo». */
const tidyName = (typed: string) => tidyTo(NAME_CHARACTERS, typed, (text) => text.replace(/['’‘´`ʼ.\s]+/g, ' ').trim())

function readName(value: unknown): string {
  const name = tidyName(readPlainLine(value))
  // API clients may send back the stored name of a dog without a name.
  if (name === '' || name === NAMELESS) return NAMELESS
  if (!NAME_CHARACTERS.test(name)) refuse(DOG_TEXTS.name)
  if (countCharacters(name) > NAME_MAX_CHARS) refuse(DOG_TEXTS.nameMax)
  return sanitise(name)
}

function readBreed(value: unknown): string {
  const breed = tidyName(readPlainLine(value))
  if (!NAME_CHARACTERS.test(breed)) refuse(DOG_TEXTS.breed)
  if (countCharacters(breed) > ZONE_MAX_CHARS) refuse(DOG_TEXTS.breedMax)
  return sanitise(breed) || MIXED_BREED
}

/** @param clean applied before the check of characters: «núm. 12» has a dot. The form loads it on use (tidy-texts.client.ts). */
export function readZone(value: unknown, clean = (zone: string) => zone): string | null {
  const zone = tidyTo(ZONE_CHARACTERS, clean(readPlainLine(value)), toPlainZone)
  if (!ZONE_CHARACTERS.test(zone) || countCharacters(zone) > ZONE_MAX_CHARS) refuse(DOG_TEXTS.zone)
  return sanitise(zone) || null
}

/** A photo's description, in one line. */
export function readAlt(value: unknown): string | null {
  const alt = sanitise(readOneLine(value))
  if (countCharacters(alt) > ALT_MAX_CHARS) refuse(DOG_TEXTS.alt)
  return alt || null
}

const readNumberText = (value: unknown) => (typeof value === 'number' ? String(value) : readText(value))

/** docs/product.md §22.4: the text must parse to an integer above 0 and print back identically, unlike «03», «1e1» and «3,0». */
function readAge(value: unknown): number | null {
  const text = readNumberText(value)
  if (text === '') return null
  const typed = parseTypedNumber(text)
  if (typed.kind === 'none' || !isPositiveInteger(typed.value)) return refuse(DOG_TEXTS.age)
  if (typed.value > AGE_MAX_YEARS * 12) return refuse(DOG_TEXTS.ageMax)
  return String(typed.value) === text ? typed.value : refuse(DOG_TEXTS.age)
}

const isPositiveInteger = (value: number | null): value is number => Number.isInteger(value) && value! > 0

function readAgeUnit(value: unknown): AgeUnit | null {
  const key = foldText(readText(value))
  if (key === '') return null
  return AGE_UNITS.find((unit) => foldText(unit) === key) ?? refuse(DOG_TEXTS.ageUnit)
}

/** «22,5 kg», «12kg», «3 kilos» */
const KILOGRAMS = /(?<=[\d.,]\s?)k(?:g|ilos?|ilogramos?)\.?$/i

/** Rounds to WEIGHT_STEP_KG; the rounded weight must still be positive. */
function readWeight(value: unknown): number | null {
  const text = readNumberText(value).replace(KILOGRAMS, '')
  if (text === '') return null
  const typed = parseTypedNumber(text)
  if (typed.kind === 'none' || typed.value === 0) return refuse(DOG_TEXTS.weight)
  // A JSON number has no notation of its own: 1e21 is a plain number.
  if (typed.value === null || (typed.kind === 'other' && typeof value !== 'number'))
    return refuse(DOG_TEXTS.weightNotation)
  const steps = Math.round(1 / WEIGHT_STEP_KG)
  const weight = Math.round(typed.value * steps) / steps
  if (!(weight > 0)) refuse(DOG_TEXTS.weightFilled)
  if (weight > WEIGHT_MAX_KG) refuse(DOG_TEXTS.weightMax)
  return weight
}

function readInputSize(value: unknown): Size | null {
  const text = readText(value)
  return text === '' ? null : (readSize(text) ?? refuse(DOG_TEXTS.size))
}

const TRUE_TEXTS = ['true', '1', 'on', 'sí', 'si']
const FALSE_TEXTS = ['', 'false', '0', 'off', 'no']

function readBoolean(value: unknown): boolean {
  if (typeof value === 'boolean') return value
  const text = readNumberText(value).toLowerCase()
  if (TRUE_TEXTS.includes(text)) return true
  return FALSE_TEXTS.includes(text) ? false : refuse(DOG_TEXTS.adopted)
}

function readRelationship(value: unknown): Relationship {
  const text = readText(value) || 'owner'
  return RELATIONSHIPS.find((r) => r === text) ?? refuse(DOG_TEXTS.relationship)
}

/** What everything about a dog's field is made of: its input, column, answer, form, draft, review and export. */
export interface DogField<T> {
  /** Reads what a form or an API client sends. It refuses what it cannot store. */
  read: (value: unknown) => T
  /** What a dog has that does not say it. */
  empty: T
  /** Its name in the form, and for the admin who reviews it. */
  label: string
  /** The word filter reads it: a new text that it doubts waits for the admin. */
  isFiltered?: true
}
const field = <T>(of: DogField<T>): DogField<T> => of

/** Optional texts, cut at 1,000 characters, which the form and the dog's page show below the other fields. Each is a nullable text column of `dogs`. */
export const FREE_TEXTS = {
  description: { label: 'Descripción' },
} as const satisfies Record<string, { label: string }>
export type FreeText = keyof typeof FREE_TEXTS
export const FREE_TEXT_NAMES = Object.keys(FREE_TEXTS) as FreeText[]

const readFreeText = (value: unknown): string | null => sanitise(readText(value)) || null

/** The fields of a free text each. */
const freeTextFields = Object.fromEntries(
  FREE_TEXT_NAMES.map((name) => [
    name,
    field({ read: readFreeText, empty: null, label: FREE_TEXTS[name].label, isFiltered: true }),
  ]),
) as Record<FreeText, DogField<string | null>>

/** A dog's fields, in the order of their errors. A new free text is a line of FREE_TEXTS. */
export const DOG_FIELDS = {
  name: field({ read: readName, empty: NAMELESS, label: 'Nombre', isFiltered: true }),
  breed: field({ read: readBreed, empty: MIXED_BREED, label: 'Raza', isFiltered: true }),
  age: field({ read: readAge, empty: null, label: 'Edad' }),
  age_unit: field({ read: readAgeUnit, empty: null, label: 'Unidad de la edad' }),
  weight: field({ read: readWeight, empty: null, label: 'Peso' }),
  size: field({ read: readInputSize, empty: null, label: 'Tamaño' }),
  zone: field({ read: (value) => readZone(value), empty: null, label: 'Zona', isFiltered: true }),
  is_adopted: field({ read: readBoolean, empty: false, label: 'Adoptado' }),
  ...freeTextFields,
  relationship: field<Relationship>({ read: readRelationship, empty: 'owner', label: 'Relación' }),
}
export type DogFieldName = keyof typeof DOG_FIELDS
export const DOG_FIELD_NAMES = Object.keys(DOG_FIELDS) as DogFieldName[]

/** A dog's fields, checked and ready to store. */
export type DogInput = { [Name in DogFieldName]: ReturnType<(typeof DOG_FIELDS)[Name]['read']> }

/** A dog of which nothing is said. */
export const EMPTY_DOG = Object.fromEntries(DOG_FIELD_NAMES.map((name) => [name, DOG_FIELDS[name].empty])) as DogInput

type FilteredName = 'name' | 'breed' | 'zone' | FreeText
/** The fields that the word filter reads. */
export const FILTERED_FIELDS = DOG_FIELD_NAMES.filter((name) => DOG_FIELDS[name].isFiltered) as FilteredName[]

export interface AgeFields {
  age?: number | null | undefined
  age_unit?: AgeUnit | null | undefined
}

/** An age without a unit is in years; a unit without an age is dropped. */
export function normaliseAge<T extends AgeFields>(input: T): T & { age: number | null; age_unit: AgeUnit | null } {
  const age = input.age ?? null
  return { ...input, age, age_unit: age === null ? null : (input.age_unit ?? 'años') }
}

/** The error of an age above the limit, or null. */
export const ageError = ({ age, age_unit }: AgeFields): string | null =>
  age && age > (age_unit === 'meses' ? AGE_MAX_YEARS * 12 : AGE_MAX_YEARS) ? DOG_TEXTS.ageMax : null

/** The errors of sent fields, by name: those for which `dogSchema` refuses them. */
export function dogFieldErrors(sent: Readonly<Record<string, unknown>>): Partial<Record<DogFieldName, string>> {
  const errors: Partial<Record<DogFieldName, string>> = {}
  const values: Record<string, unknown> = {}
  for (const name of DOG_FIELD_NAMES) {
    if (sent[name] === undefined) continue
    const result = readField<unknown>(DOG_FIELDS[name].read, sent[name])
    if ('error' in result) errors[name] = result.error
    else values[name] = result.value
  }
  const tooOld = ageError(normaliseAge(values as AgeFields))
  return tooOld === null ? errors : { ...errors, age: tooOld }
}
