import { doBoxesOverlap, type Box } from '#features/map/topology.ts'
import {
  type Provinces,
  type ProvincesFile,
  parseProvinces,
  type Towns,
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
  QUARTER_ZOOM_MIN,
  type QuartersFile,
  TOWN_ZOOM_MIN,
} from './place-names.ts'

/** Waits before asking again for a file that did not come, in milliseconds; the last one stays. */
const RETRY_DELAYS_MS = [3000, 10_000, 30_000, 60_000]

/** Latin America (degrees) and the zoom from which its coasts are to be finer. */
const LATIN_AMERICA_BBOX: Box = [-118, -56, -50, 33]
export const AMERICA_ZOOM_MIN = 6

/** Where `ciudades.json` has any (degrees), and from which zoom on: there, Equatorial Guinea, Andorra, Gibraltar. */
const CITY_AREAS: [zoom: number, ...Box][] = [
  [CITY_ZOOM_MIN, ...LATIN_AMERICA_BBOX],
  [6, 5, -2, 12, 4],
  [10, 1.4, 42.4, 1.8, 42.7],
  [10, -5.4, 36.1, -5.3, 36.2],
]

/** What a file brought; `box` in degrees says where the map changes, null everywhere. */
export type LoadedFile =
  | { file: 'world'; content: World; box: null }
  | { file: 'america'; content: World; box: Box }
  | { file: 'provinces'; content: Provinces; box: null }
  | { file: 'names'; content: NamesFile; box: null }
  | { file: 'quarters'; content: QuartersFile; box: null }
  | { file: 'cities'; content: CitiesFile; box: null }
  | { file: 'towns'; content: Towns; box: Box }

/** The map's files: each is fetched when it is first wanted, and again for as long as it fails. */
export class BaseMapFiles {
  world: World | null = null
  /** The same world with finer coasts in Latin America. */
  america: World | null = null
  provinces: Provinces | null = null
  towns = new Map<string, Towns>()
  #come = new Set<string>()
  #asked = new Map<string, Promise<boolean>>()
  /** What is to be tried again, by its timer. */
  #again = new Map<ReturnType<typeof setTimeout>, () => void>()
  #stop = new AbortController()
  #told = false
  readonly #onNews: (news: LoadedFile) => void
  constructor(onNews: (news: LoadedFile) => void) {
    this.#onNews = onNews
  }

  /** Asks for what a zoom is drawn from. Resolves, when all of it has come or failed, to whether it all came. */
  async loadZoom(zoom: number): Promise<boolean> {
    const wanted = [
      this.#get<WorldFile>('mundo', (file) => ({ file: 'world', content: (this.world = parseWorld(file)), box: null })),
    ]
    if (zoom >= 5)
      wanted.push(
        this.#get<ProvincesFile>('provincias', (file) => ({
          file: 'provinces',
          content: (this.provinces = parseProvinces(file)),
          box: null,
        })),
        this.#get<NamesFile>('nombres', (content) => ({ file: 'names', content, box: null })),
      )
    return (await Promise.all(wanted)).every(Boolean)
  }

  /** Asks for what else shows in a box (degrees): municipalities and quarters in Spain, cities abroad. */
  loadArea(zoom: number, box: Readonly<Box>) {
    if (zoom >= AMERICA_ZOOM_MIN && doBoxesOverlap(LATIN_AMERICA_BBOX, box))
      void this.#get<WorldFile>('mundo-america', (file) => ({
        file: 'america',
        content: (this.america = parseWorld(file)),
        box: LATIN_AMERICA_BBOX,
      }))
    if (CITY_AREAS.some(([from, ...part]) => zoom >= from && doBoxesOverlap(part, box)))
      void this.#get<CitiesFile>('ciudades', (content) => ({ file: 'cities', content, box: null }))
    if (zoom < TOWN_ZOOM_MIN || !this.provinces) return
    const seen = this.provinces.boxes.filter(({ box: own }) => doBoxesOverlap(own, box))
    if (zoom >= QUARTER_ZOOM_MIN && seen.length)
      void this.#get<QuartersFile>('barrios', (content) => ({ file: 'quarters', content, box: null }))
    for (const { code, box: own } of seen)
      void this.#get<TownsFile>(`municipios/${code}`, (file) => {
        const content = parseTowns(code, file)
        this.towns.set(code, content)
        return { file: 'towns', content, box: own }
      })
  }

  /** Lets go of what is under way; what has come stays, the rest may be asked for again. */
  stop() {
    this.#stop.abort()
    this.#stop = new AbortController()
    for (const timer of this.#again.keys()) clearTimeout(timer)
    this.#again.clear()
    for (const name of this.#asked.keys()) if (!this.#come.has(name)) this.#asked.delete(name)
  }

  #get<T>(name: string, read: (content: T) => LoadedFile): Promise<boolean> {
    let asked = this.#asked.get(name)
    if (!asked) this.#asked.set(name, (asked = this.#try(name, read, 0)))
    return asked
  }

  async #try<T>(name: string, read: (content: T) => LoadedFile, times: number): Promise<boolean> {
    const { signal } = this.#stop
    try {
      const answer = await fetch(`/mapa/${name}.json`, { signal })
      if (!answer.ok) throw new Error(`${answer.status}`)
      const content = await answer.json()
      this.#come.add(name)
      this.#onNews(read(content))
      return true
    } catch (error) {
      if (signal.aborted) return false
      if (!this.#told) console.error(`El mapa base no se ha podido cargar (${name}); se vuelve a intentar.`, error)
      this.#told = true
      const again = () => {
        clearTimeout(timer)
        this.#again.delete(timer)
        void this.#try(name, read, times + 1)
      }
      const timer = setTimeout(again, RETRY_DELAYS_MS[Math.min(times, RETRY_DELAYS_MS.length - 1)])
      this.#again.set(timer, again)
      addEventListener('online', this.#onLine, { signal })
      return false
    }
  }

  #onLine = () => {
    for (const again of this.#again.values()) again()
  }
}
