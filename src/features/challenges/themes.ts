import challenges from '#data/challenges.json' with { type: 'json' }
import { CONTINENTS, CRADLES } from './places.ts'
import type { DogFacts } from './facts.ts'
import type { Motif } from './motifs.ts'

/** What a week asks for. */
export interface Theme {
  id: string
  title: string
  /** What counts, in a sentence. */
  text: string
  motif: Motif
  fits: (dog: DogFacts) => boolean
}
type Fits = Theme['fits']

const doesWork =
  (pattern: RegExp): Fits =>
  ({ breed }) =>
    pattern.test(breed.purpose)
/** By its work, or by its name: some herd today. */
const isWaterDog: Fits = ({ breed }) =>
  /agua|acuática|nutria|pato|pesca|pantano/.test(breed.purpose) || /de-agua/.test(breed.slug)
const isOfGroup =
  (group: number): Fits =>
  ({ breed }) =>
    breed.group === group
const isOfSection =
  (pattern: RegExp): Fits =>
  ({ breed }) =>
    pattern.test(breed.section)
const hasSize =
  (size: string): Fits =>
  (dog) =>
    dog.size === size
/** A mix may have any coat, ears or muzzle: the catalogue does not know this one's. */
const ofBreed =
  (fits: Fits): Fits =>
  (dog) =>
    !dog.breed.isMixed && fits(dog)
const hasCoat = (...coats: string[]): Fits => ofBreed(({ breed }) => coats.includes(breed.coat))
const hasEars = (...ears: string[]): Fits => ofBreed(({ breed }) => ears.includes(breed.ears))
const hasTail = (tail: string): Fits => ofBreed(({ breed }) => breed.tail === tail)
const hasMuzzle = (muzzle: string): Fits => ofBreed(({ breed }) => breed.muzzle === muzzle)
const isShortLegged: Fits = ofBreed(({ breed }) => breed.heightMaxCm <= 33 && breed.weightMaxKg >= 10)
const comesFrom =
  (...countries: string[]): Fits =>
  ({ breed }) =>
    breed.countries.some((country) => countries.includes(country))
const isSeenIn =
  (...provinces: string[]): Fits =>
  (dog) =>
    provinces.includes(dog.province)

const from = (continent: keyof typeof CONTINENTS) => comesFrom(...CONTINENTS[continent])

/** The shortest description that counts as a mix's story, and as a long one. */
const STORY_CHARS = 60
const LONG_STORY_CHARS = 140
const PUPPY_MAX_MONTHS = 11
const VETERAN_MIN_MONTHS = 108
/** INE numbers. */
const ISLANDS = ['07', '35', '38']
// prettier-ignore
const COAST = ['03', '04', '08', '11', '12', '15', '17', '18', '20', '21', '27', '29', '30', '33', '36', '39', '43', '46', '48', '51', '52']
// prettier-ignore
const INLAND = ['01', '02', '05', '06', '09', '10', '13', '14', '16', '19', '22', '23', '24', '25', '26', '28', '31', '32', '34', '37', '40', '41', '42', '44', '45', '47', '49', '50']
// prettier-ignore
const EAST = ['Hungría', 'Polonia', 'República Checa', 'Eslovaquia', 'Rumanía', 'Croacia', 'Eslovenia', 'Serbia', 'Montenegro', 'Bosnia y Herzegovina', 'Macedonia del Norte', 'Estonia', 'Rusia']

type Id = keyof typeof challenges.themes
const toThemes = (fits: Partial<Record<Id, Fits>>): readonly Theme[] =>
  (Object.entries(fits) as [Id, Fits][]).map(([id, each]) => ({
    ...(challenges.themes[id] as { title: string; text: string; motif: Motif }),
    id,
    fits: each,
  }))

/** About where a dog, or its breed, comes from. */
const ORIGIN_THEMES = toThemes({
  'de-aqui': comesFrom('España'),
  'mestizo-con-historia': ({ breed, descriptionChars }) => breed.isMixed && descriptionChars >= STORY_CHARS,
  britanico: comesFrom('Reino Unido', 'Irlanda'),
  'de-su-tierra': ({ breed, province }) => CRADLES[breed.slug]?.includes(province) ?? false,
  adoptado: ({ isAdopted }) => isAdopted,
  asia: from('Asia'),
  aleman: comesFrom('Alemania'),
  isla: isSeenIn(...ISLANDS),
  norte: comesFrom('Suecia', 'Noruega', 'Finlandia', 'Dinamarca', 'Islandia', 'Groenlandia'),
  'mil-leches': ({ breed }) => breed.isMixed,
  america: from('América'),
  'junto-al-mar': isSeenIn(...COAST, ...ISLANDS),
  frances: comesFrom('Francia'),
  'sur-del-mundo': comesFrom(...CONTINENTS.África, ...CONTINENTS.Oceanía),
  vecinos: comesFrom('Portugal', 'Italia'),
  'sin-papeles': ({ breed }) => breed.group === null && !breed.isMixed,
  'tierra-adentro': isSeenIn(...INLAND),
  alpes: comesFrom('Suiza', 'Austria'),
  'dos-paises': ({ breed }) => breed.countries.length > 1,
  este: comesFrom(...EAST),
})

/** About what a breed was made for. */
export const WORK_THEMES = toThemes({
  pastor: doesWork(/pastoreo/),
  agua: isWaterDog,
  muestra: doesWork(/muestra/),
  guardian: doesWork(/guarda|protección|vigilancia/),
  nariz: isOfGroup(6),
  lebrel: isOfGroup(10),
  terrier: isOfGroup(3),
  madriguera: doesWork(/madriguera|tejon|conejo/),
  ratonero: doesWork(/ratonero|ratas/),
  trineo: doesWork(/trineo/),
  compania: isOfGroup(9),
  cobrador: doesWork(/cobr/),
  primitivo: isOfGroup(5),
  moloso: isOfSection(/Molosoid/),
  vaquero: doesWork(/vaca|ganado/),
  liebre: doesWork(/liebre/),
  monte: doesWork(/jabalí|caza mayor/),
  montana: doesWork(/montaña|rescate|monasterio|rebaños/),
  granja: doesWork(/granja|cuadra|finca/),
  'oficio-raro': doesWork(
    /trufas|circo|carruajes|asador|frailecillos|águilas|barcazas|talismán|bodegas|militar|carreras|asistencia|lino|lobo/,
  ),
})

/** About what a dog is like. */
export const LOOKS_THEMES = toThemes({
  rizos: hasCoat('curly'),
  gigante: hasSize('gigante'),
  chato: hasMuzzle('chata'),
  mini: hasSize('mini'),
  barba: hasCoat('wire'),
  'orejas-caidas': hasEars('caidas'),
  veterano: ({ ageMonths }) => ageMonths !== null && ageMonths >= VETERAN_MIN_MONTHS,
  'cola-enroscada': hasTail('enroscada'),
  mediano: hasSize('mediano'),
  flequillo: hasCoat('shaggy', 'corded'),
  cachorro: ({ ageMonths }) => ageMonths !== null && ageMonths <= PUPPY_MAX_MONTHS,
  'orejas-en-punta': hasEars('erguidas'),
  terciopelo: hasCoat('smooth'),
  paticorto: isShortLegged,
  melena: hasCoat('long', 'silky', 'mane'),
  grande: hasSize('grande'),
  perfil: hasMuzzle('larga'),
  'cola-corta': hasTail('corta'),
  pequeno: hasSize('pequeño'),
  historia: ({ descriptionChars }) => descriptionChars >= LONG_STORY_CHARS,
})

/** The themes in the order of their weeks: work, origin and looks take turns. Their order says which week had which, so it stays. */
export const THEMES: readonly Theme[] = ORIGIN_THEMES.flatMap((theme, i) => [theme, WORK_THEMES[i]!, LOOKS_THEMES[i]!])

/** The theme of a week; undefined before the first one. */
export const themeOf = (week: number): Theme | undefined => (week < 0 ? undefined : THEMES[week % THEMES.length])

/** Whether a dog that was added in a week does its challenge. */
export const fitsWeek = (week: number, dog: DogFacts): boolean => themeOf(week)?.fits(dog) ?? false
