import { doBoxesOverlap, type Box } from '#lib/topology.ts'
import {
  type Line,
  type Provinces,
  type ProvincesFile,
  parseProvinces,
  type TownsFile,
  parseTowns,
  type World,
  type WorldFile,
  parseWorld,
} from './geometry.ts'
import {
  CITY_ZOOM_MIN,
  type CitiesFile,
  type NamesFile,
  type PlaceNames,
  QUARTER_ZOOM_MIN,
  type QuartersFile,
  TOWN_ZOOM_MIN,
} from './place-names.ts'

/** Delays before a failed file is requested again; the last one repeats. */
const RETRY_DELAYS_MS = [3000, 10_000, 30_000, 60_000]

/** Latin America in degrees, and the zoom from which its coasts are finer. */
const LATIN_AMERICA_BBOX: Box = [-118, -56, -50, 33]
export const AMERICA_ZOOM_MIN = 6

/** The areas of `ciudades.json` in degrees, and their first zoom: Latin America, Equatorial Guinea, Andorra, Gibraltar. */
const CITY_AREAS: [zoom: number, ...Box][] = [
  [CITY_ZOOM_MIN, ...LATIN_AMERICA_BBOX],
  [6, 5, -2, 12, 4],
  [10, 1.4, 42.4, 1.8, 42.7],
  [10, -5.4, 36.1, -5.3, 36.2],
]

/** The map's files. Each is fetched when it is first needed, and again until it succeeds. */
export class BaseMapFiles {
  world: World | null = null
  /** The world with finer coasts in Latin America. */
  america: World | null = null
  provinces: Provinces | null = null
  /** Borders between the municipalities of each loaded province. */
  townBorders: Line[][] = []
  #loaded = new Set<string>()
  #requests = new Map<string, Promise<void>>()
  /** Pending retries, by their timers. */
  #retries = new Map<ReturnType<typeof setTimeout>, () => void>()
  #stopping = new AbortController()
  #isFailureLogged = false
  readonly #names: PlaceNames
  readonly #onLoad: () => void
  /**
   * @param names gets the names of the files
   * @param onLoad called after each file
   */
  constructor(names: PlaceNames, onLoad: () => void) {
    this.#names = names
    this.#onLoad = onLoad
  }

  /** Loads the files that a zoom is drawn from. Resolves after one attempt for each. */
  async loadZoom(zoom: number): Promise<void> {
    const requests = [
      this.#get<WorldFile>('mundo', (file) => {
        this.world = parseWorld(file)
        this.#names.add({ countries: this.world.countries })
      }),
    ]
    if (zoom >= 5)
      requests.push(
        this.#get<ProvincesFile>('provincias', (file) => void (this.provinces = parseProvinces(file))),
        this.#get<NamesFile>('nombres', (names) => this.#names.add({ names })),
      )
    await Promise.all(requests)
  }

  /** Loads the other files for a box in degrees: municipalities and quarters in Spain, cities abroad. */
  loadArea(zoom: number, box: Readonly<Box>) {
    if (zoom >= AMERICA_ZOOM_MIN && doBoxesOverlap(LATIN_AMERICA_BBOX, box))
      void this.#get<WorldFile>('mundo-america', (file) => void (this.america = parseWorld(file)))
    if (CITY_AREAS.some(([minZoom, ...cityArea]) => zoom >= minZoom && doBoxesOverlap(cityArea, box)))
      void this.#get<CitiesFile>('ciudades', (cities) => this.#names.add({ cities }))
    if (zoom < TOWN_ZOOM_MIN || !this.provinces) return
    const provinces = this.provinces.boxes.filter((province) => doBoxesOverlap(province.box, box))
    if (zoom >= QUARTER_ZOOM_MIN && provinces.length)
      void this.#get<QuartersFile>('barrios', (quarters) => this.#names.add({ quarters }))
    for (const { code } of provinces)
      void this.#get<TownsFile>(`municipios/${code}`, (file) => {
        const { borders, towns } = parseTowns(file)
        this.townBorders.push(borders)
        this.#names.addTowns(towns)
      })
  }

  /** Aborts requests and retries. Loaded files stay, and the others may be requested again. */
  stop() {
    this.#stopping.abort()
    this.#stopping = new AbortController()
    for (const timer of this.#retries.keys()) clearTimeout(timer)
    this.#retries.clear()
    for (const name of this.#requests.keys()) if (!this.#loaded.has(name)) this.#requests.delete(name)
  }

  #get<T>(name: string, read: (content: T) => void): Promise<void> {
    let request = this.#requests.get(name)
    if (!request) this.#requests.set(name, (request = this.#fetch(name, read, 0)))
    return request
  }

  async #fetch<T>(name: string, read: (content: T) => void, failures: number): Promise<void> {
    const { signal } = this.#stopping
    try {
      const response = await fetch(`/mapa/${name}.json`, { signal })
      if (!response.ok) throw new Error(`${response.status}`)
      const content = await response.json()
      this.#loaded.add(name)
      read(content)
      this.#onLoad()
    } catch (error) {
      if (signal.aborted) return
      if (!this.#isFailureLogged)
        console.error(`El mapa base no se ha podido cargar (${name}); se vuelve a intentar.`, error)
      this.#isFailureLogged = true
      const retry = () => {
        clearTimeout(timer)
        this.#retries.delete(timer)
        void this.#fetch(name, read, failures + 1)
      }
      const timer = setTimeout(retry, RETRY_DELAYS_MS[Math.min(failures, RETRY_DELAYS_MS.length - 1)])
      this.#retries.set(timer, retry)
      addEventListener('online', this.#retryAll, { signal })
    }
  }

  #retryAll = () => {
    for (const retry of this.#retries.values()) retry()
  }
}
