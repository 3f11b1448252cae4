import { type Kysely, sql } from 'kysely'

/**
 * Zones were stored with house numbers («Calle de Alcalá, 45, Madrid»), and descriptions with CRLF. Both are rewritten as
 * src/features/places/street-number.ts and src/lib/text/text.ts write them now, also in quarantine. The province is computed again where
 * the zone changed; Mapbox's results for such zones are deleted. The rules here are those of this day.
 */
const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
const withLf = (text: string | null) => text?.replace(/\r\n?|[\u2028\u2029]/g, '\n') ?? null

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** Words that a house number follows: kinds of streets, and what numbers its houses as a street does. */
const STREETS = words(
  'calle c cl callejon cjon calleja avenida avda avd av avinguda avgda plaza plza pza pl placa plazuela plazoleta placeta praza ' +
    'paseo pº pso passeig pg camino cno cmno cami carretera ctra crta carr estrada ronda rda travesia trav trva tva travessia ' +
    'travessera glorieta gta pasaje pje psje passatge cuesta costanilla bulevar bulevard blvr boulevard via rua rue avenue ' +
    'carrer kalea kale etorbidea hiribidea rambla senda sendero vereda carrera alameda corredera escalinata urbanizacion urb ' +
    'urbanitzacio residencial barrio barriada bda colonia poblado partida ptda lugar aldea caserio finca poligono paraje',
)
/** Streets whose kind is their whole name: a number right after it is a house number. */
const NAMELESS_STREETS = words('rambla alameda')
const ROADS = words('carretera ctra crta carr estrada')
const ROAD_KINDS = words('nacional comarcal provincial local')
/** Words before the number or letter of a door. */
const MARKS = words(
  'n nº n° n.º n.° no num nums numero numeros # portal ptal bloque blq bl escalera esc piso planta puerta pta km kilometro pk chalet ' +
    'casa parcela vivienda apartamento apto local nave oficina edificio s/n sn',
)
/** Words between or after a door's numbers. */
const DETAILS = words(
  'bis dup duplicado izq izda izquierda dcha derecha ext exterior int interior bajo bajos atico entlo entresuelo sotano pral ' +
    'principal piso planta puerta pta s/n sn',
)
const ARTICLES = words('de del la las el los do da dels les')
const MONTHS = words(
  'enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre noviembre diciembre gener febrer marc maig ' +
    'juny juliol agost setembre novembre desembre xaneiro febreiro maio xuno xullo setembro outubro novembro decembro',
)
/** Words before the number of a place … */
const COUNTED = words(
  'distrito zona sector fase etapa seccion area unidad grupo linea playa anillo manzana supermanzana barrio poligono',
)
/** … and words after a number that belongs to a name. */
const COUNTS = words(
  'fase sector distrito etapa seccion ensanche anillo cinturon zona bezirk arrondissement cantos hermanas caminos palmas olivos ' +
    'torres vientos villas casas fuentes puentes picos barrios pinos aguas postes ermitas mares rosas carreras',
)
const JOINERS = words('y e al a - – / esquina')

/** «45», «12-14», «3B», «2º», «12bis», «3.»; never a postcode («28013», «1100-148»). */
const NUMBER = /^#?\d{1,4}(?:[-/]\d{1,4})*[ºª°]?(?:-?[a-z]|bis|dup|[ºª°][a-z]|er)?[.ºª°]?$/
const FOREIGN_POSTCODE = /^\d{4}-\d{3}$/
/** «nº12», «km.3», «#45» */
const MARKED_NUMBER = /^(?:n\.?[º°]|num\.?|km\.?|p\.?k\.?|#)\.?\d/

const isNumber = (key = '') => NUMBER.test(key) && !FOREIGN_POSTCODE.test(key)

/** A word as it is compared with the lists. */
const keyOf = (token: string) => fold(token).replace(/(?<=.)[.:]+$/, '')
/** «c/Mayor» is a street with its name. */
const isGlued = (key: string) => /^(?:c|av|pl)\/./.test(key)
const isStreet = (key: string) => STREETS.has(key) || /^(?:c|av|pl)\//.test(key) || key === 'p.º'

/** Whether the number at `at` belongs to a name. */
function isNamed(keys: readonly string[], at: number): boolean {
  const [before = '', next = '', after = ''] = [keys[at - 1], keys[at + 1], keys[at + 2]]
  if (COUNTED.has(before) || COUNTS.has(next) || MONTHS.has(next)) return true
  if (/^(?:de|do|d)$/.test(next) && MONTHS.has(after)) return true
  // «Constitución de 1812»
  return /^(?:de|del|ano)$/.test(before) && /^(?:1\d|20)\d\d$/.test(keys[at]!)
}

/** A single letter of a door; not the article of «A Coruña» and «O Grove», nor the «y» of two names. */
const isDoorLetter = (keys: readonly string[], at: number) =>
  /^[a-z]$/.test(keys[at] ?? '') && !(/^[aeoly]$/.test(keys[at]!) && /^\p{L}{2}/u.test(keys[at + 1] ?? ''))

/** The end of the door that begins at `at`, exclusive. */
function doorEnd(keys: readonly string[], at: number): number {
  let end = at
  for (;;) {
    const key = keys[end] ?? ''
    const next = keys[end + 1]
    if (isNumber(key) && (end === at || !isNamed(keys, end))) end++
    else if (MARKED_NUMBER.test(key) || DETAILS.has(key) || isDoorLetter(keys, end)) end++
    else if (MARKS.has(key) && (isNumber(next) || isDoorLetter(keys, end + 1))) end += 2
    else if (JOINERS.has(key) && isNumber(next) && !isNamed(keys, end + 1)) end += 2
    else return end
  }
}

interface Seen {
  /** After a comma. */
  isLater: boolean
  /** A street was in an earlier part. */
  isInAddress: boolean
}

/** One part between commas, without doors. */
function partWithoutDoors(tokens: readonly string[], { isLater, isInAddress }: Seen): string[] {
  const keys = tokens.map(keyOf)
  const kept: string[] = []
  let street = -1
  for (let at = 0; at < tokens.length; at++) {
    const key = keys[at]!
    const isExposed = isLater || isInAddress || street >= 0
    const isRoadNumber =
      street >= 0 && ROADS.has(keys[street]!) && (/^[A-Z]{1,3}$/.test(tokens[at]!) || ROAD_KINDS.has(key))
    if (isRoadNumber && isNumber(keys[at + 1])) {
      kept.push(tokens[at]!, tokens[++at]!)
      continue
    }
    const isMark =
      MARKED_NUMBER.test(key) ||
      key === 's/n' ||
      (key === 'sn' && at === tokens.length - 1) ||
      (MARKS.has(key) && (isNumber(keys[at + 1]) || (key !== 'no' && key !== 'n' && isDoorLetter(keys, at + 1))))
    if (
      isExposed &&
      (isMark || (isNumber(key) && !isNamed(keys, at) && isDoor(keys, at, street, isLater, isInAddress)))
    ) {
      at = doorEnd(keys, at) - 1
      continue
    }
    kept.push(tokens[at]!)
    if (isStreet(key)) street = at
  }
  while (/^(?:-|–|n|n\.?[º°]|num|numero|#)$/.test(keyOf(kept.at(-1) ?? ''))) kept.pop()
  return kept
}

function isDoor(keys: readonly string[], at: number, street: number, isLater: boolean, isInAddress: boolean): boolean {
  if (street < 0) return at === 0 ? isLater : isInAddress
  // «Calle 13», «Calle del 13»: without another word the number is the street's name. «Gran Vía 28» has another.
  const isBare = keys.slice(0, at).every((key, i) => i === street || ARTICLES.has(key))
  return !isBare || NAMELESS_STREETS.has(keys[street]!) || isGlued(keys[street]!)
}

/**
 * A zone without house numbers: «Calle de Alcalá, 45, Madrid» becomes «Calle de Alcalá, Madrid». Numbers are removed only after the word
 * of a street or after a comma, with floor, stairs and door. A zone without any is returned unchanged.
 */
function withoutStreetNumber(zone: string): string {
  if (!/\d|s\/?n\b/i.test(zone)) return zone
  const parts = zone.split(',').map((part) => part.split(/\s+/).filter(Boolean))
  let isInAddress = false
  let isChanged = false
  const kept = parts.map((tokens, i) => {
    const next = parts[i + 1]
    // «45, Calle de Alcalá», as some maps write it.
    const isNumberFirst =
      i === 0 && tokens.length === 1 && isNumber(keyOf(tokens[0]!)) && isStreet(keyOf(next?.[0] ?? ''))
    const rest = isNumberFirst ? [] : partWithoutDoors(tokens, { isLater: i > 0, isInAddress })
    isInAddress ||= tokens.some((token) => isStreet(keyOf(token)))
    isChanged ||= rest.length < tokens.length
    return rest.join(' ')
  })
  return isChanged ? kept.filter(Boolean).join(', ') : zone
}

interface Texts {
  id: string
  zone: string | null
  description: string | null
}

/** The changed columns of a dog; null where none changes. */
function mended({ zone, description }: Texts) {
  const newZone = zone === null ? null : withoutStreetNumber(zone) || null
  const newDescription = withLf(description)
  if (newZone === zone && newDescription === description) return null
  return { description: newDescription, zone: newZone, ...(newZone !== zone && { province: null }) }
}

export async function up(db: Kysely<any>): Promise<void> {
  const now = Date.now()
  const { rows } = await sql<Texts>`SELECT id, zone, description FROM dogs
    WHERE zone GLOB '*[0-9]*' OR zone LIKE '%s%n' OR zone LIKE '%s/n%'
      OR instr(description, char(13)) OR instr(description, char(8232)) OR instr(description, char(8233))`.execute(db)
  for (const row of rows) {
    const change = mended(row)
    if (change)
      await db
        .updateTable('dogs')
        .set({ ...change, updated_at: now })
        .where('id', '=', row.id)
        .execute()
  }
  const held = await db.selectFrom('held').select(['thing_id', 'snapshot']).where('kind', '=', 'dog').execute()
  for (const { thing_id, snapshot } of held) {
    const whole = JSON.parse(snapshot) as { dog: Texts }
    const change = mended(whole.dog)
    if (!change) continue
    const text = JSON.stringify({ ...whole, dog: { ...whole.dog, ...change } })
    await db
      .updateTable('held')
      .set({ snapshot: text })
      .where('kind', '=', 'dog')
      .where('thing_id', '=', thing_id)
      .execute()
  }
  await sql`DELETE FROM geocodes WHERE key GLOB '*[0-9]*'`.execute(db)
}
