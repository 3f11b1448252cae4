import { type Box, doBoxesOverlap, type Point } from '#lib/topology.ts'
import { type Line, project, type Town, ringsContain, type World } from './geometry.ts'
import { type LabelKind, type Label, LabelPlacement } from './label-placement.ts'

/** `nombres.json` (data/README.md, «The base map»). */
export interface NamesFile {
  regiones: [id: string, name: string, lon: number, lat: number][]
  pueblos: [id: string, name: string, lon: number, lat: number, zoom: number, people: number, capital: 0 | 1][]
}

/** `barrios.json` and `ciudades.json`. */
export type QuartersFile = [name: string, lon: number, lat: number][]
export type CitiesFile = [name: string, lon: number, lat: number, people: number][]

/** Width of the world at a zoom, in pixels. */
export const worldSize = (zoom: number) => 256 * 2 ** zoom

const COUNTRY_ZOOM_MAX = 7
/** The last zoom with Spain's name; beyond it there are towns' names. */
const SPAIN_ZOOM_MAX = 4
/** Up to this zoom Spain's name is in the ocean, this far from Spain's centre. */
const SPAIN_ASIDE_ZOOM_MAX = 2
const SPAIN_ASIDE_PX = 44
const REGION_ZOOM_RANGE = [6, 8] as const
/** The first zoom with municipalities, their borders and names (data/README.md, «The base map»). */
export const TOWN_ZOOM_MIN = 9
/** From this zoom on a municipality's name is repeated all over it, because there are no street names for orientation. */
export const AROUND_ZOOM_MIN = 13
/** Distances between repetitions: horizontal, vertical. */
const AROUND_SPACING_PX = [700, 460] as const
/** Minimum inhabitants of a municipality for its name, by zoom; from 12 on all names show. */
const TOWN_MIN_PEOPLE = new Map([
  [9, 5000],
  [10, 3000],
  [11, 500],
])
/** Minimum inhabitants of a city abroad for its name, by zoom. */
const CITY_MIN_PEOPLE = new Map([
  [4, 2_500_000],
  [5, 1_000_000],
  [6, 400_000],
  [7, 200_000],
])
export const CITY_ZOOM_MIN = 4
export const QUARTER_ZOOM_MIN = 12

/** Up to this zoom towns' names are small and pale: marks of dogs cover most of them. */
export const SOFT_NAMES_ZOOM_MAX = 8

function labelKind(people: number, capital: number, zoom: number): LabelKind {
  const rank = people >= 200_000 ? 2 : capital || people >= 30_000 ? 1 : 0
  return (['village', 'village', 'town', 'city'] as const)[zoom <= SOFT_NAMES_ZOOM_MAX ? rank : rank + 1]!
}

/** Where names come from, besides the municipalities of each province. */
interface NameSources {
  countries: World['countries']
  names: NamesFile
  quarters: QuartersFile
  cities: CitiesFile
}

interface ZoomLabels {
  placement: LabelPlacement
  /** Number of provinces whose municipalities have been placed. */
  placedProvinces: number
  /** Repeated names by their cell; null where there is none. */
  around: Map<string, Label | null>
  /** Labels that stand elsewhere than placed, or nowhere, because of marks; null until they are computed. */
  moved: Map<Label, Label | null> | null
}

/** The names on the map: which ones a zoom shows, and where. */
export class PlaceNames {
  #zooms = new Map<number, ZoomLabels>()
  #sources: NameSources = { countries: [], names: { regiones: [], pueblos: [] }, quarters: [], cities: [] }
  /** By province, the largest first. */
  #towns: Town[][] = []
  /** Marks of dogs at one zoom, in pixels of its world: no name is shown under them. */
  #marks: { zoom: number; boxes: readonly Box[] } = { zoom: -1, boxes: [] }
  readonly #widthOf: (text: string, kind: LabelKind) => number
  /** @param widthOf measures a text in pixels */
  constructor(widthOf: (text: string, kind: LabelKind) => number) {
    this.#widthOf = widthOf
  }

  /** Adds files. All names are placed again. */
  add(files: Partial<NameSources>): void {
    this.#sources = { ...this.#sources, ...files }
    this.#zooms.clear()
  }

  /** Adds a province's municipalities, without placing the other names again. */
  addTowns(towns: readonly Town[]): void {
    this.#towns.push(towns.toSorted((a, b) => b.people - a.people))
  }

  /**
   * Moves names away from marks of dogs.
   * @param boxes of the marks in pixels of the zoom's world
   * @returns whether the zoom's names changed
   */
  setMarks(zoom: number, boxes: readonly Box[]): boolean {
    const isSame = zoom === this.#marks.zoom && String(boxes) === String(this.#marks.boxes)
    if (isSame) return false
    this.#marks = { zoom, boxes }
    const state = this.#zooms.get(zoom)
    if (state) state.moved = null
    return true
  }

  /** The labels that intersect a box, in pixels of the zoom's world. */
  within(zoom: number, box: Readonly<Box>): Label[] {
    const state = this.#labelsAt(zoom)
    const marks = this.#marks.zoom === zoom ? this.#marks.boxes : []
    const moved = (state.moved ??= state.placement.avoid(marks))
    const labels = [...state.placement.within(box)].filter((label) => !moved.has(label))
    for (const label of moved.values()) if (label && doBoxesOverlap(label.box, box)) labels.push(label)
    if (zoom >= AROUND_ZOOM_MIN)
      for (const label of this.#placeAround(zoom, state, box))
        if (!marks.some((mark) => doBoxesOverlap(mark, label.box))) labels.unshift(label)
    return labels
  }

  #labelsAt(zoom: number): ZoomLabels {
    let state = this.#zooms.get(zoom)
    if (!state) {
      state = { placement: new LabelPlacement(this.#widthOf), placedProvinces: 0, around: new Map(), moved: null }
      this.#zooms.set(zoom, state)
      this.#placeFirst(zoom, state.placement)
    }
    for (const towns of this.#towns.slice(state.placedProvinces)) {
      state.around.clear()
      state.moved = null
      this.#placeTowns(zoom, state.placement, towns)
      state.placedProvinces++
    }
    return state
  }

  #placeFirst(zoom: number, placement: LabelPlacement) {
    const size = worldSize(zoom)
    const { countries, names, quarters, cities } = this.#sources
    const place = (text: string, kind: LabelKind, [x, y]: Point) =>
      placement.add({ text, kind, x: x * size, y: y * size })
    if (zoom <= COUNTRY_ZOOM_MAX)
      for (const { name, isSpain, at, box } of countries) {
        const width = this.#widthOf(name, 'country')
        if (isSpain) {
          // Where the name would cover the country, it is in the ocean, clear of the mark of dogs over the country.
          if (zoom <= SPAIN_ASIDE_ZOOM_MAX) place(name, 'country', [at[0] - (width / 2 + SPAIN_ASIDE_PX) / size, at[1]])
          else if (zoom <= SPAIN_ZOOM_MAX) place(name, 'country', at)
        } else if (Math.max(box[2] - box[0], (box[3] - box[1]) * 0.7) * size > width * 0.9) place(name, 'country', at)
      }
    for (const [, name, lon, lat, from, people, capital] of names.pueblos)
      if (zoom >= from) place(name, labelKind(people, capital, zoom), project(lon, lat))
    if (zoom >= REGION_ZOOM_RANGE[0] && zoom <= REGION_ZOOM_RANGE[1])
      for (const [, name, lon, lat] of names.regiones)
        // Ceuta and Melilla have names as towns.
        if (!name.startsWith('Ciudad '))
          place(name.replace(/^(Principado|Comunidad Foral) de /, ''), 'region', project(lon, lat))
    if (zoom >= CITY_ZOOM_MIN)
      for (const [name, lon, lat, people] of cities) {
        if (people < (CITY_MIN_PEOPLE.get(zoom) ?? 0)) break
        place(name, labelKind(people, 1, zoom), project(lon, lat))
      }
    if (zoom >= QUARTER_ZOOM_MIN) for (const [name, lon, lat] of quarters) place(name, 'quarter', project(lon, lat))
  }

  #placeTowns(zoom: number, placement: LabelPlacement, towns: readonly Town[]) {
    if (zoom < TOWN_ZOOM_MIN) return
    const size = worldSize(zoom)
    const named = new Set(this.#sources.names.pueblos.map(([id]) => id))
    for (const { id, name, at, people } of towns) {
      if (people < (TOWN_MIN_PEOPLE.get(zoom) ?? 0)) break
      if (!named.has(id))
        placement.add({ text: name, kind: labelKind(people, 0, zoom), x: at[0] * size, y: at[1] * size })
    }
  }

  *#placeAround(zoom: number, { placement, around }: ZoomLabels, box: Readonly<Box>): Generator<Label> {
    const size = worldSize(zoom)
    const [spacingX, spacingY] = AROUND_SPACING_PX
    for (let row = Math.floor(box[1] / spacingY) - 1; row <= Math.ceil(box[3] / spacingY); row++)
      for (let column = Math.floor(box[0] / spacingX) - 1; column <= Math.ceil(box[2] / spacingX); column++) {
        const key = `${column}/${row}`
        let label = around.get(key)
        if (label === undefined) {
          const x = (column + (row & 1 ? 0.75 : 0.25)) * spacingX
          const y = (row + 0.5) * spacingY
          const text = this.townAt(x / size, y / size)
          const near: Box = [x - spacingX / 2, y - spacingY / 2, x + spacingX / 2, y + spacingY / 2]
          const isNamed = [...placement.within(near)].some((other) => other.text === text)
          label = text && !isNamed ? placement.fit({ text, kind: 'around', x, y }) : null
          around.set(key, label)
        }
        if (label) yield label
      }
  }

  /** The municipality at a point of the world's square, abroad the country, from the files that are loaded; null for none. */
  townAt(x: number, y: number): string | null {
    const contains = ({ rings }: { rings: Line[] }) => ringsContain(rings, x, y)
    for (const towns of this.#towns) {
      const town = towns.find(contains)
      if (town) return town.name
    }
    // Abroad the files have no municipalities: the country's name is used.
    return this.#sources.countries.find((country) => !country.isSpain && contains(country))?.name ?? null
  }
}
