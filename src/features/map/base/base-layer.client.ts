import type * as Leaflet from 'leaflet'
import { doBoxesOverlap, type Box } from '#features/map/topology.ts'
import { drawTile, fontOf, TILE_PX, type TileCoords } from './draw-tile.client.ts'
import { BaseMapFiles, type LoadedFile } from './base-map-files.client.ts'
import { type LabelKind, LABEL_STYLES } from './label-placement.ts'
import { PlaceNames } from './place-names.ts'
import { DARK, LIGHT, type Palette } from './palette.ts'
import { FrameQueue } from './frame-queue.client.ts'

export { streetTiles } from './street-tiles.client.ts'

export type BaseLayer = Leaflet.GridLayer & {
  /** Draws the map anew in its day or night colours. */
  setDark(dark: boolean): void
}

/** What a new province may change beyond its box: the names that reach out of it, in pixels. */
const NAME_OVERHANG_PX = 200
/** Files come one after the other: tiles wait this long for the next. */
const REDRAW_DELAY_MS = 60

/**
 * The embedded map (data/README.md, «The base map»): drawn on canvas tiles from files of this server, with no network
 * beyond it. Until they have come, and if they do not, there is sea. It gives the map's container the sea's colour.
 */
export function baseLayer(L: typeof Leaflet, { dark }: { dark: boolean }): BaseLayer {
  let colours: Palette = dark ? DARK : LIGHT
  const widths = new Map<string, number>()
  const ruler = document.createElement('canvas').getContext('2d')!
  const widthOf = (text: string, kind: LabelKind) => {
    const key = kind + text
    let width = widths.get(key)
    if (width === undefined) {
      ruler.font = fontOf(kind)
      width = ruler.measureText(text).width + text.length * LABEL_STYLES[kind].spacing
      widths.set(key, width)
    }
    return width
  }
  const names = new PlaceNames(widthOf)
  const tiles = new Map<HTMLCanvasElement, { place: TileCoords; box: Box; reach: number; done: (() => void) | null }>()
  /** While the layer is on one. */
  let map: Leaflet.Map | null = null
  let zoom = 0
  /** Flying through zooms leaves tiles behind that nobody will see for long. */
  const isCurrent = (tile: HTMLCanvasElement) => tiles.get(tile)?.place.z === zoom
  const slices = new FrameQueue<HTMLCanvasElement>((tile) => {
    const known = tiles.get(tile)
    if (!known) return
    const context = tile.getContext('2d', { alpha: false })!
    const ratio = tile.width / TILE_PX
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    files.loadArea(known.place.z, known.box)
    drawTile(context, known.place, files, names, colours)
    known.done?.()
    known.done = null
  }, isCurrent)
  let gathering: ReturnType<typeof setTimeout> | undefined
  const changed = new Set<HTMLCanvasElement>()
  /** Draws again the tiles that stand already. */
  const redraw = (box: Box | null) => {
    for (const [tile, known] of tiles)
      if (!known.done && (!box || doBoxesOverlap(widenBox(known.box, known.reach), box))) changed.add(tile)
    gathering ??= setTimeout(() => {
      gathering = undefined
      for (const tile of changed) slices.add(tile)
      changed.clear()
    }, REDRAW_DELAY_MS)
  }
  const onNews = (news: LoadedFile) => {
    if (news.file === 'world') names.addCountries(news.content.countries)
    if (news.file === 'names') names.addFile(news.content)
    if (news.file === 'quarters') names.addQuarters(news.content)
    if (news.file === 'cities') names.addCities(news.content)
    if (news.file === 'towns') names.addTowns(news.content)
    redraw(news.box)
  }
  const files = new BaseMapFiles(onNews)
  let fontReady: Promise<unknown> | undefined

  const Base = L.GridLayer.extend({
    onAdd(this: Leaflet.GridLayer, on: Leaflet.Map) {
      map = on
      map.getContainer().style.backgroundColor = colours.sea
      return L.GridLayer.prototype.onAdd.call(this, map)
    },
    onRemove(this: Leaflet.GridLayer, from: Leaflet.Map) {
      slices.clear()
      clearTimeout(gathering)
      gathering = undefined
      const layer = L.GridLayer.prototype.onRemove.call(this, from)
      map = null
      return layer
    },
    createTile(coords: Leaflet.Coords, done: Leaflet.DoneCallback) {
      zoom = coords.z
      const tile = document.createElement('canvas')
      const ratio = Math.min(3, Math.max(1, window.devicePixelRatio || 1))
      tile.width = tile.height = Math.round(TILE_PX * ratio)
      const corner = (x: number, y: number) => map!.unproject([x * TILE_PX, y * TILE_PX], coords.z)
      const northWest = corner(coords.x, coords.y)
      const southEast = corner(coords.x + 1, coords.y + 1)
      const reach = ((southEast.lng - northWest.lng) * NAME_OVERHANG_PX) / TILE_PX
      const box: Box = [northWest.lng, southEast.lat, southEast.lng, northWest.lat]
      tiles.set(tile, {
        place: { x: coords.x, y: coords.y, z: coords.z },
        box,
        reach,
        done: () => done(undefined, tile),
      })
      fontReady ??= loadFont()
      void Promise.all([files.loadZoom(coords.z), fontReady]).then(() => {
        if (tiles.has(tile)) slices.add(tile)
      })
      return tile
    },
  })
  const layer = new (Base as unknown as new (options: Leaflet.GridLayerOptions) => BaseLayer)({
    className: 'base-tiles',
    tileSize: TILE_PX,
    maxZoom: 18,
    // Drawing is cheap: the map grows while it is dragged, on phones too.
    updateWhenIdle: false,
    updateInterval: 100,
    attribution: '© IGN (CC BY 4.0), Natural Earth, GeoNames (CC BY)',
  })
  layer.on('tileunload', ({ tile }: Leaflet.TileEvent) => {
    tiles.delete(tile as unknown as HTMLCanvasElement)
    slices.remove(tile as unknown as HTMLCanvasElement)
  })
  layer.on('remove', () => {
    files.stop()
    tiles.clear()
  })
  layer.setDark = (on) => {
    colours = on ? DARK : LIGHT
    if (map) map.getContainer().style.backgroundColor = colours.sea
    redraw(null)
  }
  return layer
}

const widenBox = ([west, south, east, north]: Box, by: number): Box => [west - by, south - by, east + by, north + by]

/** The page's font, which a canvas does not ask for; a slow one is not waited for. */
const loadFont = () =>
  Promise.race([
    Promise.all([600, 700].map((weight) => document.fonts.load(`${weight} 13px "Figtree Variable"`, 'aé'))).catch(
      () => null,
    ),
    new Promise((resolve) => setTimeout(resolve, 1500)),
  ])
