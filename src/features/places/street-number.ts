import { foldText, trimEndWhile } from '#lib/text/text.ts'

// A zone is as private as a pin on the map: a street at most, never a street number (docs/product.md §22.2). The rules need no
// gazetteer, so that the form applies them too. Numbers that belong to a name stay: «Distrito 22», «2 de Mayo», «Calle 13»,
// «3 Cantos», «N-340», a postcode.

/** The words of a text; `has` also takes what `keys[index]` may be. */
const wordSet = (text: string): ReadonlySet<string | undefined> => new Set(text.split(' '))

/** Words that a house number follows: kinds of streets, and of settlements with numbered houses. */
const STREET_WORDS = wordSet(
  'calle c cl callejon cjon calleja avenida avda avd av avinguda avgda plaza plza pza pl placa plazuela plazoleta placeta praza ' +
    'paseo pº pso passeig pg camino cno cmno cami carretera ctra crta carr estrada ronda rda travesia trav trva tva travessia ' +
    'travessera glorieta gta pasaje pje psje passatge cuesta costanilla bulevar bulevard blvr boulevard via rua rue avenue ' +
    'carrer kalea kale etorbidea hiribidea rambla senda sendero vereda carrera alameda corredera escalinata',
)
const SETTLEMENT_WORDS = wordSet(
  'urbanizacion urb urbanitzacio residencial barrio barriada bda colonia poblado partida ptda lugar aldea caserio finca poligono ' +
    'paraje',
)
/** Street words that may be the whole name: a number right after them is a house number. */
const NAMELESS_STREETS = wordSet('rambla alameda')
const ROAD_WORDS = wordSet('carretera ctra crta carr estrada')
const ROAD_KINDS = wordSet('nacional comarcal provincial local')
/** Words that mark the next number or letter as a door's. */
const DOOR_MARKS = wordSet(
  'n nº n° n.º n.° no num nums numero numeros # portal ptal bloque blq bl escalera esc piso planta puerta pta km kilometro pk chalet ' +
    'casa parcela vivienda apartamento apto local nave oficina edificio s/n sn',
)
/** Marks of doors that have letters: after them «A» is no article. */
const LETTER_MARKS = wordSet('portal ptal bloque blq bl escalera esc piso pta')
/** Marks of a door in an address, otherwise words before a place's number. */
const PLACE_MARKS = wordSet('torre villa')
/** Words between or after a door's numbers. */
const DOOR_DETAILS = wordSet(
  'bis dup duplicado izq izda izquierda dcha derecha ext exterior int interior bajo bajos atico entlo entresuelo sotano pral ' +
    'principal piso planta puerta pta s/n sn',
)
const ARTICLES = wordSet('de del la las el los do da dels les')
const MONTHS = wordSet(
  'enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre noviembre diciembre gener febrer marc maig ' +
    'juny juliol agost setembre novembre desembre xaneiro febreiro maio xuno xullo setembro outubro novembro decembro',
)
/** Words before a place's number … */
const NUMBERED_PLACE_WORDS = wordSet(
  'distrito zona sector fase etapa seccion area unidad vecinal grupo linea playa anillo manzana supermanzana barrio poligono ' +
    'parque comuna ciudad expo terminal pau subsector ampliacion arrondissement bezirk autovia autopista nacional ruta',
)
/** Cities whose districts have numbers instead of names. */
const NUMBERED_CITIES = wordSet('paris lyon marsella viena budapest praga dublin')
/** … and words after a number that belongs to a name. */
const COUNTED_PLACE_WORDS = wordSet(
  'fase sector distrito etapa seccion ensanche anillo cinturon zona bezirk arrondissement cantos hermanas caminos palmas olivos ' +
    'torres vientos villas viviendas casas fuentes puentes picos barrios pinos aguas postes ermitas mares rosas carreras',
)
const JOINERS = wordSet('y e al a - – / esquina')

/** «45», «12-14», «3B», «2º», «12bis», «3.»; never a postcode («28013», «1100-148»). */
const DOOR_NUMBER = /^#?\d{1,4}(?:[-/]\d{1,4})*[ºª°]?(?:-?[a-z]|bis|dup|[ºª°][a-z]|er)?[.ºª°]?$/
const FOREIGN_POSTCODE = /^\d{4}-\d{3}$/
/** «5ª», «3er», «5a» */
const ORDINAL = /^\d+(?:\.?[ºª]|a|er)$/
/** «2ºB» */
const FLOOR_WITH_DOOR = /^\d{1,2}[ºª°]-?[a-z]$/
/** «nº12», «km.3», «#45»; not «km0», which is a place. */
const MARKED_NUMBER = /^(?!km\.?0$)(?:n\.?[º°]|num\.?|km\.?|p\.?k\.?|#)\.?\d/
/** «Mayor45», «portal2»; not «N340» or «GIV5043», which are roads. */
const WORD_WITH_NUMBER = /^(?!\p{Lu}{3}\d{3})(\p{L}{3,}\.?)(\d[^,]*)$/u

const isNumber = (key = '') => DOOR_NUMBER.test(key) && !FOREIGN_POSTCODE.test(key)

/** The normalised form of a word, for comparison. */
const wordKey = (token: string) => {
  const key = foldText(token)
  return trimEndWhile(key, /[.:]/) || key.slice(0, 1)
}
/** «c/Mayor» is a street with its name. */
const isStreetWithName = (key: string) => /^(?:c|av|pl)\/./.test(key)
const isStreet = (key: string) =>
  STREET_WORDS.has(key) || SETTLEMENT_WORDS.has(key) || /^(?:c|av|pl)\//.test(key) || key === 'p.º'

/** A word that may name a street or a town: no article, no mark of a door, no kind of street or of numbered place. */
const isNameWord = (key: string) => /\p{L}{2}/u.test(key) && !/\d/.test(key) && !isStreet(key) && !OTHER_WORDS.has(key)
const OTHER_WORDS = new Set([...ARTICLES, ...DOOR_MARKS, ...DOOR_DETAILS, ...PLACE_MARKS, ...NUMBERED_PLACE_WORDS])

/** «Calle de la Playa 12»: the word of a numbered place is the street's name. */
const isNameOfStreet = (keys: readonly string[], index: number, street: number) =>
  street >= 0 &&
  street < index &&
  STREET_WORDS.has(keys[street]!) &&
  keys.slice(street + 1, index).every((key) => ARTICLES.has(key))

/**
 * Whether the number index `index` belongs to a name.
 * @param firstName index of the first word of a name
 * @param street index of the last street word; -1 without one
 */
function isNumberOfName(keys: readonly string[], index: number, firstName = index, street = -1): boolean {
  const [before = '', next = '', after = ''] = [keys[index - 1], keys[index + 1], keys[index + 2]]
  const isPlaceBefore = NUMBERED_PLACE_WORDS.has(before) || PLACE_MARKS.has(before)
  if (isPlaceBefore && !isNameOfStreet(keys, index - 1, street)) return true
  // Not in «Calle Mayor 12 Sector 3» and «Mayor 12 Torres de la Alameda».
  const isNextPlace = (NUMBERED_PLACE_WORDS.has(next) && isNumber(after)) || (firstName < index && after === 'de')
  if ((COUNTED_PLACE_WORDS.has(next) && !isNextPlace) || MONTHS.has(next)) return true
  if (/^(?:de|do|d)$/.test(next) && MONTHS.has(after)) return true
  if (isKilometreZero(keys, index - 1) || (ORDINAL.test(keys[index]!) && next.length > 2 && isStreet(next))) return true
  // «Constitución de 1812»
  return /^(?:de|del|ano)$/.test(before) && /^(?:1\d|20)\d\d$/.test(keys[index]!)
}

const isKilometreZero = (keys: readonly string[], index: number) =>
  /^(?:km|kilometro)$/.test(keys[index] ?? '') && keys[index + 1] === '0'

/** A single letter of a door; not the article of «A Coruña» and «O Grove», nor the «y» of two names. */
const isDoorLetter = (keys: readonly string[], index: number) =>
  /^[a-z]$/.test(keys[index] ?? '') && !(/^[aeoly]$/.test(keys[index]!) && /^\p{L}{2}/u.test(keys[index + 1] ?? ''))

/** Whether a mark and its number or letter begin at index `index`: «portal 2», «esc A». */
const isMarkedDoor = (keys: readonly string[], index: number) =>
  isNumber(keys[index + 1])
    ? !isKilometreZero(keys, index)
    : isDoorLetter(keys, index + 1) || (LETTER_MARKS.has(keys[index]!) && /^[a-eo]$/.test(keys[index + 1] ?? ''))

/** The index after the door that begins index `index`. */
function doorEnd(keys: readonly string[], index: number): number {
  let end = index
  for (;;) {
    const key = keys[end] ?? ''
    const next = keys[end + 1]
    if (isNumber(key) && (end === index || !isNumberOfName(keys, end))) end++
    else if (MARKED_NUMBER.test(key) || DOOR_DETAILS.has(key) || isDoorLetter(keys, end)) end++
    else if (DOOR_MARKS.has(key) ? isMarkedDoor(keys, end) : PLACE_MARKS.has(key) && isNumber(next)) end += 2
    else if (JOINERS.has(key) && isNumber(next) && !isNumberOfName(keys, end + 1)) end += 2
    else return end
  }
}

/** One part between commas, in words. */
interface Part {
  tokens: string[]
  keys: string[]
  /** Indexes of numbers written without a blank before them: «Mayor45». */
  attached: ReadonlySet<number>
}

function readPart(text: string): Part {
  const tokens: string[] = []
  const attached = new Set<number>()
  for (const token of text.split(/\s+/).filter(Boolean)) {
    const [, word = '', number = ''] = WORD_WITH_NUMBER.exec(token) ?? []
    if (isNumber(wordKey(number))) attached.add(tokens.push(word, number) - 1)
    else tokens.push(token)
  }
  return { tokens, keys: tokens.map(wordKey), attached }
}

/** The index of the street in «45 Calle Mayor» and «45 Gran Vía»; 0 for other parts. */
function streetAfterNumber(keys: readonly string[], firstName: number): number {
  if (!isNumber(keys[0]) || isNumberOfName(keys, 0)) return 0
  const street = isStreet(keys[1] ?? '') ? 1 : doorEnd(keys, 0)
  const isFound =
    keys[street] === 'gran' ? keys[street + 1] === 'via' : isStreet(keys[street] ?? '') && firstName > street
  return isFound ? street : 0
}

interface PartContext {
  /** The part follows a comma. */
  isLater: boolean
  isLast: boolean
  /** An earlier part has a street word or had a number. */
  isInAddress: boolean
}

/** One part without doors. */
function removeDoors({ tokens, keys, attached }: Part, { isLater, isLast, isInAddress }: PartContext): string {
  const remaining: string[] = []
  const keep = (index: number) => {
    if (attached.has(index) && remaining.length > 0) remaining.push(remaining.pop()! + tokens[index]!)
    else remaining.push(tokens[index]!)
  }
  const found = keys.findIndex(isNameWord)
  const firstName = found < 0 ? keys.length : found
  let street = -1
  for (let index = isLater ? 0 : streetAfterNumber(keys, firstName); index < tokens.length; index++) {
    const key = keys[index]!
    const before = keys[index - 1] ?? ''
    const hasStreet = isInAddress || street >= 0
    const isExposed = isLater || hasStreet || firstName < index || /^[a-z]{1,3}-\d/.test(before)
    const isRoadNumber =
      street >= 0 && ROAD_WORDS.has(keys[street]) && (/^[A-Z]{1,3}$/.test(tokens[index]!) || ROAD_KINDS.has(key))
    if (isRoadNumber && isNumber(keys[index + 1])) {
      keep(index)
      keep(++index)
      continue
    }
    const isMark =
      MARKED_NUMBER.test(key) ||
      key === 's/n' ||
      (key === 'sn' && index === tokens.length - 1) ||
      (DOOR_MARKS.has(key) &&
        (isNumber(keys[index + 1]) || (key !== 'no' && key !== 'n')) &&
        isMarkedDoor(keys, index)) ||
      (PLACE_MARKS.has(key) && hasStreet && isNumber(keys[index + 1]) && !isNameOfStreet(keys, index, street))
    // «Distrito nº 22»
    const isMarkOfPlace = street < 0 && NUMBERED_PLACE_WORDS.has(before)
    if (
      FLOOR_WITH_DOOR.test(key) ||
      (isExposed &&
        ((isMark && !isMarkOfPlace) ||
          (isNumber(key) &&
            !isNumberOfName(keys, index, firstName, street) &&
            (street < 0 ? isDoorWithoutStreet(index) : isDoorOfStreet(keys, index, street)))))
    ) {
      index = doorEnd(keys, index) - 1
      continue
    }
    keep(index)
    if (isStreet(key)) street = index
  }
  while (/^(?:-|–|n|n\.?[º°]|num|numero|#)$/.test(wordKey(remaining.at(-1) ?? ''))) remaining.pop()
  return remaining.join(' ')

  /** «Mayor 45, Madrid»; not «Los 40», «AP 7» and «París 11». */
  function isDoorWithoutStreet(index: number): boolean {
    if (index === 0) return isLater
    const isDistrict = isLast && index === 1 && tokens.length === 2 && NUMBERED_CITIES.has(keys[0]!)
    return (
      (isInAddress || firstName < index) &&
      !(isDistrict && /^\d\d?[^\d-/]*$/.test(keys[1]!)) &&
      !/^(?:los|las|els|les)$/.test(keys[index - 1]!) &&
      !/^[A-Z]{1,2}$/.test(tokens[index - 1]!)
    )
  }
}

function isDoorOfStreet(keys: readonly string[], index: number, street: number): boolean {
  // «Calle 13», «Calle del 13»: without another name the number is the street's name. «Gran Vía 28» has one.
  const isBare = keys.slice(0, index).every((key, i) => i === street || ARTICLES.has(key))
  return !isBare || NAMELESS_STREETS.has(keys[street]) || isStreetWithName(keys[street]!)
}

/**
 * The zone without street numbers: «Calle de Alcalá, 45, Madrid» becomes «Calle de Alcalá, Madrid», and «Mayor 45, Madrid» becomes
 * «Mayor, Madrid». Removes numbers after a street word, a comma or a name, and before a street, with floor, stairs and door. A zone
 * without them is returned unchanged.
 */
export function withoutStreetNumber(zone: string): string {
  if (!/\d|s\/?n\b/i.test(zone)) return zone
  const parts = zone.split(',').map(readPart)
  let isInAddress = false
  let isChanged = false
  const remaining = parts.map((part, i) => {
    const { keys } = part
    // «45, Calle de Alcalá», as maps write it; «portal 2, Calle Mayor».
    const isDoorFirst =
      i === 0 &&
      keys.some(isNumber) &&
      isStreet(parts[1]?.keys[0] ?? '') &&
      doorEnd(keys, 0) === keys.length &&
      !isNumberOfName(keys, 0)
    const rest = isDoorFirst ? '' : removeDoors(part, { isLater: i > 0, isLast: i === parts.length - 1, isInAddress })
    const isShorter = rest.length < joinTokens(part).length
    isInAddress ||= isShorter || keys.some(isStreet)
    isChanged ||= isShorter
    return rest
  })
  return isChanged ? remaining.filter(Boolean).join(', ') : zone
}

const joinTokens = ({ tokens, attached }: Part): string =>
  tokens.map((token, index) => (index === 0 || attached.has(index) ? token : ` ${token}`)).join('')
