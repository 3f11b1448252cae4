import { foldText, trimEndWhile } from '#lib/text/text.ts'

// A zone is as private as a pin on the map: a street index most, never a street number (docs/product.md §22.2). The rules need no
// gazetteer, so that the form applies them too. Numbers that belong to a name stay: «Distrito 22», «2 de Mayo», «Calle 13»,
// «3 Cantos», «N-340», a postcode.

const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** Words that a house number follows: kinds of streets and of settlements with numbered houses. */
const STREET_WORDS = wordSet(
  'calle c cl callejon cjon calleja avenida avda avd av avinguda avgda plaza plza pza pl placa plazuela plazoleta placeta praza ' +
    'paseo pº pso passeig pg camino cno cmno cami carretera ctra crta carr estrada ronda rda travesia trav trva tva travessia ' +
    'travessera glorieta gta pasaje pje psje passatge cuesta costanilla bulevar bulevard blvr boulevard via rua rue avenue ' +
    'carrer kalea kale etorbidea hiribidea rambla senda sendero vereda carrera alameda corredera escalinata urbanizacion urb ' +
    'urbanitzacio residencial barrio barriada bda colonia poblado partida ptda lugar aldea caserio finca poligono paraje',
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
  'distrito zona sector fase etapa seccion area unidad grupo linea playa anillo manzana supermanzana barrio poligono',
)
/** … and words after a number that belongs to a name. */
const COUNTED_PLACE_WORDS = wordSet(
  'fase sector distrito etapa seccion ensanche anillo cinturon zona bezirk arrondissement cantos hermanas caminos palmas olivos ' +
    'torres vientos villas casas fuentes puentes picos barrios pinos aguas postes ermitas mares rosas carreras',
)
const JOINERS = wordSet('y e al a - – / esquina')

/** «45», «12-14», «3B», «2º», «12bis», «3.»; never a postcode («28013», «1100-148»). */
const DOOR_NUMBER = /^#?\d{1,4}(?:[-/]\d{1,4})*[ºª°]?(?:-?[a-z]|bis|dup|[ºª°][a-z]|er)?[.ºª°]?$/
const FOREIGN_POSTCODE = /^\d{4}-\d{3}$/
/** «nº12», «km.3», «#45» */
const MARKED_NUMBER = /^(?:n\.?[º°]|num\.?|km\.?|p\.?k\.?|#)\.?\d/

const isNumber = (key = '') => DOOR_NUMBER.test(key) && !FOREIGN_POSTCODE.test(key)

/** The normalised form of a word, for comparison. */
const wordKey = (token: string) => {
  const key = foldText(token)
  return trimEndWhile(key, /[.:]/) || key.slice(0, 1)
}
/** «c/Mayor» is a street with its name. */
const isStreetWithName = (key: string) => /^(?:c|av|pl)\/./.test(key)
const isStreet = (key: string) => STREET_WORDS.has(key) || /^(?:c|av|pl)\//.test(key) || key === 'p.º'

/** Whether the number index `index` belongs to a name. */
function isNumberOfName(keys: readonly string[], index: number): boolean {
  const [before = '', next = '', after = ''] = [keys[index - 1], keys[index + 1], keys[index + 2]]
  if (NUMBERED_PLACE_WORDS.has(before) || COUNTED_PLACE_WORDS.has(next) || MONTHS.has(next)) return true
  if (/^(?:de|do|d)$/.test(next) && MONTHS.has(after)) return true
  // «Constitución de 1812»
  return /^(?:de|del|ano)$/.test(before) && /^(?:1\d|20)\d\d$/.test(keys[index]!)
}

/** A single letter of a door; not the article of «A Coruña» and «O Grove», nor the «y» of two names. */
const isDoorLetter = (keys: readonly string[], index: number) =>
  /^[a-z]$/.test(keys[index] ?? '') && !(/^[aeoly]$/.test(keys[index]!) && /^\p{L}{2}/u.test(keys[index + 1] ?? ''))

/** The index after the door that begins index `index`. */
function doorEnd(keys: readonly string[], index: number): number {
  let end = index
  for (;;) {
    const key = keys[end] ?? ''
    const next = keys[end + 1]
    if (isNumber(key) && (end === index || !isNumberOfName(keys, end))) end++
    else if (MARKED_NUMBER.test(key) || DOOR_DETAILS.has(key) || isDoorLetter(keys, end)) end++
    else if (DOOR_MARKS.has(key) && (isNumber(next) || isDoorLetter(keys, end + 1))) end += 2
    else if (JOINERS.has(key) && isNumber(next) && !isNumberOfName(keys, end + 1)) end += 2
    else return end
  }
}

interface PartContext {
  /** The part follows a comma. */
  isLater: boolean
  /** An earlier part has a street word. */
  isInAddress: boolean
}

/** The words of one part between commas, without doors. */
function removeDoors(tokens: readonly string[], { isLater, isInAddress }: PartContext): string[] {
  const keys = tokens.map(wordKey)
  const remaining: string[] = []
  let street = -1
  for (let index = 0; index < tokens.length; index++) {
    const key = keys[index]!
    const isExposed = isLater || isInAddress || street >= 0
    const isRoadNumber =
      street >= 0 && ROAD_WORDS.has(keys[street]!) && (/^[A-Z]{1,3}$/.test(tokens[index]!) || ROAD_KINDS.has(key))
    if (isRoadNumber && isNumber(keys[index + 1])) {
      remaining.push(tokens[index]!, tokens[++index]!)
      continue
    }
    const isMark =
      MARKED_NUMBER.test(key) ||
      key === 's/n' ||
      (key === 'sn' && index === tokens.length - 1) ||
      (DOOR_MARKS.has(key) &&
        (isNumber(keys[index + 1]) || (key !== 'no' && key !== 'n' && isDoorLetter(keys, index + 1))))
    if (
      isExposed &&
      (isMark || (isNumber(key) && !isNumberOfName(keys, index) && isDoor(keys, index, street, isLater, isInAddress)))
    ) {
      index = doorEnd(keys, index) - 1
      continue
    }
    remaining.push(tokens[index]!)
    if (isStreet(key)) street = index
  }
  while (/^(?:-|–|n|n\.?[º°]|num|numero|#)$/.test(wordKey(remaining.at(-1) ?? ''))) remaining.pop()
  return remaining
}

function isDoor(
  keys: readonly string[],
  index: number,
  street: number,
  isLater: boolean,
  isInAddress: boolean,
): boolean {
  if (street < 0) return index === 0 ? isLater : isInAddress
  // «Calle 13», «Calle del 13»: without another name the number is the street's name. «Gran Vía 28» has one.
  const isBare = keys.slice(0, index).every((key, i) => i === street || ARTICLES.has(key))
  return !isBare || NAMELESS_STREETS.has(keys[street]!) || isStreetWithName(keys[street]!)
}

/**
 * The zone without street numbers: «Calle de Alcalá, 45, Madrid» becomes «Calle de Alcalá, Madrid». Removes numbers only after
 * a street word or a comma, with floor, stairs and door. A zone without them is returned unchanged.
 */
export function withoutStreetNumber(zone: string): string {
  if (!/\d|s\/?n\b/i.test(zone)) return zone
  const parts = zone.split(',').map((part) => part.split(/\s+/).filter(Boolean))
  let isInAddress = false
  let isChanged = false
  const remaining = parts.map((tokens, i) => {
    const next = parts[i + 1]
    // «45, Calle de Alcalá», as maps write it.
    const isNumberFirst =
      i === 0 && tokens.length === 1 && isNumber(wordKey(tokens[0]!)) && isStreet(wordKey(next?.[0] ?? ''))
    const rest = isNumberFirst ? [] : removeDoors(tokens, { isLater: i > 0, isInAddress })
    isInAddress ||= tokens.some((token) => isStreet(wordKey(token)))
    isChanged ||= rest.length < tokens.length
    return rest.join(' ')
  })
  return isChanged ? remaining.filter(Boolean).join(', ') : zone
}
