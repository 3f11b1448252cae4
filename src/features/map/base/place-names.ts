import type { Box, Point } from '#features/map/topology.ts'
import { project, type Town, type Towns, ringsContain, type World } from './geometry.ts'
import { type LabelKind, type Label, LabelPlacement } from './label-placement.ts'

/** `nombres.json` (data/README.md, «The base map»). */
export interface NamesFile {
  regiones: [id: string, name: string, lon: number, lat: number][]
  pueblos: [id: string, name: string, lon: number, lat: number, zoom: number, people: number, capital: 0 | 1][]
}

/** `barrios.json` and `ciudades.json`. */
export type QuartersFile = [name: string, lon: number, lat: number][]
export type CitiesFile = [name: string, lon: number, lat: number, people: number][]

/** Pixels around the world at a zoom. */
export const worldSize = (zoom: number) => 256 * 2 ** zoom

const COUNTRY_ZOOM_MAX = 7
/** Spain has its name up to here, and then its towns'. */
const SPAIN_ZOOM_MAX = 4
const SPAIN_ASIDE_ZOOM_MAX = 2
const SPAIN_ASIDE_PX = 44
const isSpain = ({ name }: { name: string }) => name === 'España'
const REGION_ZOOM_RANGE = [6, 8] as const
/** Municipalities, their borders and names, from here on (data/README.md, «The base map»). */
export const TOWN_ZOOM_MIN = 9
/** From here on a municipality's name stands all over it: streets have none to tell where one is. */
export const AROUND_ZOOM_MIN = 13
/** How far apart, in pixels. */
const AROUND_SPACING_PX = [700, 460] as const
/** People a municipality needs for its name at the first zooms that show any; from 12 on all have one. */
const TOWN_MIN_PEOPLE = new Map([
  [9, 5000],
  [10, 3000],
  [11, 500],
])
/** The same for cities abroad. */
const CITY_MIN_PEOPLE = new Map([
  [4, 2_500_000],
  [5, 1_000_000],
  [6, 400_000],
  [7, 200_000],
])
export const CITY_ZOOM_MIN = 4
export const QUARTER_ZOOM_MIN = 12

/** Up to here towns speak low: groups of dogs stand over most of them. */
export const SOFT_NAMES_ZOOM_MAX = 8

function labelKind(people: number, capital: number, zoom: number): LabelKind {
  const rank = people >= 200_000 ? 2 : capital || people >= 30_000 ? 1 : 0
  return (['village', 'village', 'town', 'city'] as const)[zoom <= SOFT_NAMES_ZOOM_MAX ? rank : rank + 1]!
}

interface ZoomLabels {
  placement: LabelPlacement
  /** How many provinces' municipalities have been placed. */
  towns: number
  around: Map<string, Label | null>
}

/** What is written on the map: which names a zoom shows, and where. */
export class PlaceNames {
  #zooms = new Map<number, ZoomLabels>()
  #countries: World['countries'] = []
  #file: NamesFile = { regiones: [], pueblos: [] }
  #quarters: QuartersFile = []
  #cities: CitiesFile = []
  #named = new Set<string>()
  #towns: { towns: Town[]; box: Box }[] = []
  readonly #widthOf: (text: string, kind: LabelKind) => number
  /** @param widthOf how wide a text is in pixels */
  constructor(widthOf: (text: string, kind: LabelKind) => number) {
    this.#widthOf = widthOf
  }

  /** Forgets every place given, for names that have changed or another font. */
  clear() {
    this.#zooms.clear()
  }
  addCountries(countries: World['countries']) {
    // Spain before all others, whatever their size.
    this.#countries = [...countries.filter(isSpain), ...countries.filter((country) => !isSpain(country))]
    this.clear()
  }
  addFile(file: NamesFile) {
    this.#file = file
    this.#named = new Set(file.pueblos.map(([id]) => id))
    this.clear()
  }
  addQuarters(file: QuartersFile) {
    this.#quarters = file
    this.clear()
  }
  addCities(file: CitiesFile) {
    this.#cities = file
    this.clear()
  }
  addTowns({ towns }: Towns) {
    const box: Box = [1, 1, 0, 0]
    for (const { rings } of towns)
      for (const { box: own } of rings) {
        box[0] = Math.min(box[0], own[0])
        box[1] = Math.min(box[1], own[1])
        box[2] = Math.max(box[2], own[2])
        box[3] = Math.max(box[3], own[3])
      }
    this.#towns.push({ towns: towns.toSorted((a, b) => b.people - a.people), box })
  }

  /** The labels that show in a box, in pixels of the zoom's world. */
  within(zoom: number, box: Readonly<Box>): Label[] {
    const state = this.#at(zoom)
    const labels = [...state.placement.within(box)]
    if (zoom >= AROUND_ZOOM_MIN) labels.unshift(...this.#around(zoom, state, box))
    return labels
  }

  #at(zoom: number): ZoomLabels {
    let state = this.#zooms.get(zoom)
    if (!state) {
      state = { placement: new LabelPlacement(this.#widthOf), towns: 0, around: new Map() }
      this.#zooms.set(zoom, state)
      this.#placeFirst(zoom, state.placement)
    }
    for (; state.towns < this.#towns.length; state.towns++) {
      state.around.clear()
      this.#placeTowns(zoom, state.placement, this.#towns[state.towns]!.towns)
    }
    return state
  }

  #placeFirst(zoom: number, placement: LabelPlacement) {
    const size = worldSize(zoom)
    const put = (text: string, kind: LabelKind, [x, y]: Point) =>
      placement.add({ text, kind, x: x * size, y: y * size })
    if (zoom <= COUNTRY_ZOOM_MAX)
      for (const country of this.#countries) {
        const { name, at, box } = country
        const width = this.#widthOf(name, 'country')
        if (isSpain(country)) {
          // Where its name would cover it, it stands in the ocean, clear of the group of dogs over the country.
          if (zoom <= SPAIN_ASIDE_ZOOM_MAX) put(name, 'country', [at[0] - (width / 2 + SPAIN_ASIDE_PX) / size, at[1]])
          else if (zoom <= SPAIN_ZOOM_MAX) put(name, 'country', at)
        } else if (Math.max(box[2] - box[0], (box[3] - box[1]) * 0.7) * size > width * 0.9) put(name, 'country', at)
      }
    for (const [, name, lon, lat, from, people, capital] of this.#file.pueblos)
      if (zoom >= from) put(name, labelKind(people, capital, zoom), project(lon, lat))
    if (zoom >= REGION_ZOOM_RANGE[0] && zoom <= REGION_ZOOM_RANGE[1])
      for (const [, name, lon, lat] of this.#file.regiones)
        // Ceuta and Melilla are named as towns.
        if (!name.startsWith('Ciudad '))
          put(name.replace(/^(Principado|Comunidad Foral) de /, ''), 'region', project(lon, lat))
    if (zoom >= CITY_ZOOM_MIN)
      for (const [name, lon, lat, people] of this.#cities) {
        if (people < (CITY_MIN_PEOPLE.get(zoom) ?? 0)) break
        put(name, labelKind(people, 1, zoom), project(lon, lat))
      }
    if (zoom >= QUARTER_ZOOM_MIN) for (const [name, lon, lat] of this.#quarters) put(name, 'quarter', project(lon, lat))
  }

  #placeTowns(zoom: number, placement: LabelPlacement, towns: readonly Town[]) {
    if (zoom < TOWN_ZOOM_MIN) return
    const size = worldSize(zoom)
    for (const { id, name, at, people } of towns) {
      if (people < (TOWN_MIN_PEOPLE.get(zoom) ?? 0)) break
      if (!this.#named.has(id))
        placement.add({ text: name, kind: labelKind(people, 0, zoom), x: at[0] * size, y: at[1] * size })
    }
  }

  *#around(zoom: number, { placement, around }: ZoomLabels, box: Readonly<Box>): Generator<Label> {
    const size = worldSize(zoom)
    const [wide, high] = AROUND_SPACING_PX
    for (let row = Math.floor(box[1] / high) - 1; row <= Math.ceil(box[3] / high); row++)
      for (let column = Math.floor(box[0] / wide) - 1; column <= Math.ceil(box[2] / wide); column++) {
        const key = `${column}/${row}`
        let label = around.get(key)
        if (label === undefined) {
          const x = (column + (row & 1 ? 0.75 : 0.25)) * wide
          const y = (row + 0.5) * high
          const text = this.#townAt(x / size, y / size)
          const near: Box = [x - wide / 2, y - high / 2, x + wide / 2, y + high / 2]
          const said = [...placement.within(near)].some((other) => other.text === text)
          label = text && !said ? placement.fit({ text, kind: 'around', x, y }) : null
          around.set(key, label)
        }
        if (label) yield label
      }
  }

  #townAt(x: number, y: number): string | null {
    for (const { towns, box } of this.#towns)
      if (x >= box[0] && x <= box[2] && y >= box[1] && y <= box[3])
        for (const { name, rings } of towns) if (ringsContain(rings, x, y)) return name
    // Abroad the country must do.
    return this.#countries.find((country) => !isSpain(country) && ringsContain(country.rings, x, y))?.name ?? null
  }
}
