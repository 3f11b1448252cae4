import type * as Leaflet from 'leaflet'
import type { GeoPoint } from '#lib/geo.ts'
import type { Box } from '#lib/topology.ts'
import { drawTile, fontOf, TILE_PX } from './draw-tile.client.ts'
import { BaseMapFiles, type LoadedFile } from './base-map-files.client.ts'
import { BaseTiles } from './base-tiles.client.ts'
import { type LabelKind, LABEL_STYLES } from './label-placement.ts'
import { project } from './geometry.ts'
import { PlaceNames } from './place-names.ts'
import { DARK, LIGHT, type Palette } from './palette.ts'

export { streetTiles } from './street-tiles.client.ts'

export type BaseLayer = Leaflet.GridLayer & {
  /** Draws the map again in light or dark colours. */
  setDark(isDark: boolean): void
  /** Shows no name under these marks of dogs. @param boxes in pixels of the zoom's world */
  setMarks(zoom: number, boxes: readonly Box[]): void
  /** The municipality at a point, abroad the country; null in the sea and where its files are not loaded. */
  townAt(point: GeoPoint): string | null
}

/** How far names reach out of their province's box, in pixels: a new province may change tiles up to there. */
const NAME_OVERHANG_PX = 200
/** A font that takes longer does not delay the map. */
const FONT_TIMEOUT_MS = 1500

/**
 * The embedded map (data/README.md, «The base map»), drawn on canvas tiles from this server's files without any other network.
 * Until the files are loaded, or if they fail, there is sea. The layer gives the map's container the sea's colour.
 */
export function baseLayer(L: typeof Leaflet, { dark }: { dark: boolean }): BaseLayer {
  let colours: Palette = dark ? DARK : LIGHT
  const names = new PlaceNames(createTextMeasurer())
  const tiles = new BaseTiles((canvas, { coords, box }) => {
    const context = canvas.getContext('2d', { alpha: false })!
    const ratio = canvas.width / TILE_PX
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    files.loadArea(coords.z, box)
    drawTile(context, coords, files, names, colours)
  })
  const files = new BaseMapFiles((loaded) => {
    addNames(names, loaded)
    tiles.redraw(loaded.box)
  })
  /** The map while the layer is on it. */
  let map: Leaflet.Map | null = null
  let fontReady: Promise<unknown> | undefined

  const Base = L.GridLayer.extend({
    onAdd(this: Leaflet.GridLayer, target: Leaflet.Map) {
      map = target
      map.getContainer().style.backgroundColor = colours.sea
      return L.GridLayer.prototype.onAdd.call(this, map)
    },
    onRemove(this: Leaflet.GridLayer, source: Leaflet.Map) {
      tiles.stop()
      const layer = L.GridLayer.prototype.onRemove.call(this, source)
      map = null
      return layer
    },
    createTile({ x, y, z }: Leaflet.Coords, done: Leaflet.DoneCallback) {
      const canvas = document.createElement('canvas')
      const ratio = Math.min(3, Math.max(1, window.devicePixelRatio || 1))
      canvas.width = canvas.height = Math.round(TILE_PX * ratio)
      const northWest = map!.unproject([x * TILE_PX, y * TILE_PX], z)
      const southEast = map!.unproject([(x + 1) * TILE_PX, (y + 1) * TILE_PX], z)
      const reach = ((southEast.lng - northWest.lng) * NAME_OVERHANG_PX) / TILE_PX
      const box: Box = [northWest.lng, southEast.lat, southEast.lng, northWest.lat]
      tiles.add(canvas, { coords: { x, y, z }, box, reach }, () => done(undefined, canvas))
      fontReady ??= loadFont()
      void Promise.all([files.loadZoom(z), fontReady]).then(() => tiles.requestDraw(canvas))
      return canvas
    },
  })
  const layer = new (Base as unknown as new (options: Leaflet.GridLayerOptions) => BaseLayer)({
    className: 'base-tiles',
    tileSize: TILE_PX,
    maxZoom: 18,
    // Drawing is cheap: tiles are added while the map is dragged, on phones too.
    updateWhenIdle: false,
    updateInterval: 100,
    attribution: '© IGN (CC BY 4.0), Natural Earth, GeoNames (CC BY)',
  })
  layer.on('tileunload', ({ tile }: Leaflet.TileEvent) => tiles.remove(tile as unknown as HTMLCanvasElement))
  layer.on('remove', () => {
    files.stop()
    tiles.clear()
  })
  layer.setDark = (isDark) => {
    colours = isDark ? DARK : LIGHT
    if (map) map.getContainer().style.backgroundColor = colours.sea
    tiles.redraw(null)
  }
  layer.setMarks = (zoom, boxes) => {
    if (names.setMarks(zoom, boxes)) tiles.redraw(null)
  }
  layer.townAt = ({ lat, lon }) => names.townAt(...project(lon, lat))
  return layer
}

function addNames(names: PlaceNames, loaded: LoadedFile): void {
  if (loaded.file === 'world') names.addCountries(loaded.content.countries)
  if (loaded.file === 'names') names.addFile(loaded.content)
  if (loaded.file === 'quarters') names.addQuarters(loaded.content)
  if (loaded.file === 'cities') names.addCities(loaded.content)
  if (loaded.file === 'towns') names.addTowns(loaded.content)
}

/** Creates a function that measures labels, in pixels, and measures each only once. */
function createTextMeasurer() {
  const widths = new Map<string, number>()
  const context = document.createElement('canvas').getContext('2d')!
  return (text: string, kind: LabelKind): number => {
    const key = kind + text
    let width = widths.get(key)
    if (width === undefined) {
      context.font = fontOf(kind)
      width = context.measureText(text).width + text.length * LABEL_STYLES[kind].spacing
      widths.set(key, width)
    }
    return width
  }
}

/** Loads the page's font, which drawing on a canvas does not do. */
const loadFont = () =>
  Promise.race([
    Promise.all([600, 700].map((weight) => document.fonts.load(`${weight} 13px "Figtree Variable"`, 'aé'))).catch(
      () => null,
    ),
    new Promise((resolve) => setTimeout(resolve, FONT_TIMEOUT_MS)),
  ])
