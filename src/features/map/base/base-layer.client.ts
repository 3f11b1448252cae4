import './base.css'
import type * as Leaflet from 'leaflet'
import type { GeoPoint } from '#lib/geo.ts'
import type { Box } from '#lib/topology.ts'
import { drawTile, fontOf, TILE_PX } from './draw-tile.client.ts'
import { BaseMapFiles } from './base-map-files.client.ts'
import { BaseTiles } from './base-tiles.client.ts'
import { type LabelKind, LABEL_STYLES } from './label-placement.ts'
import { project } from './geometry.ts'
import { PlaceNames } from './place-names.ts'
import { DARK, LIGHT, type Palette } from './palette.ts'

export { streetTiles } from './street-tiles.ts'

/** A font that takes longer does not delay the map. */
const FONT_TIMEOUT_MS = 1500

/**
 * The embedded map (data/README.md, «The base map»), drawn on canvas tiles from this server's files without any other network.
 * Until the files are loaded, or if they fail, there is sea. The layer gives the map's container the sea's colour.
 */
export function baseLayer(L: typeof Leaflet, { dark }: { dark: boolean }) {
  let colours: Palette = dark ? DARK : LIGHT
  const names = new PlaceNames(createTextMeasurer())
  const tiles = new BaseTiles()
  const files = new BaseMapFiles(names, () => tiles.redraw())
  let fontReady: Promise<unknown> | undefined
  const layer = L.gridLayer({
    className: 'base-tiles',
    tileSize: TILE_PX,
    maxZoom: 18,
    // Drawing is cheap: tiles are added while the map is dragged, on phones too.
    updateWhenIdle: false,
    updateInterval: 100,
    attribution: '© IGN (CC BY 4.0), Natural Earth, GeoNames (CC BY)',
  })
  const paintSea = () => {
    const map = layer.getContainer()?.closest<HTMLElement>('.leaflet-container')
    if (map) map.style.backgroundColor = colours.sea
  }
  layer.on({
    add: paintSea,
    remove: () => files.stop(),
    tileunload: ({ tile }) => tiles.remove(tile as unknown as HTMLCanvasElement),
  })
  return Object.assign(layer, {
    createTile(coords: Leaflet.Coords, done: Leaflet.DoneCallback) {
      const canvas = document.createElement('canvas')
      const ratio = Math.min(3, Math.max(1, window.devicePixelRatio || 1))
      canvas.width = canvas.height = Math.round(TILE_PX * ratio)
      const context = canvas.getContext('2d', { alpha: false })!
      const zoom = coords.z
      const corner = (by: number) => L.CRS.EPSG3857.pointToLatLng(coords.add([by, by]).multiplyBy(TILE_PX), zoom)
      const [northWest, southEast] = [corner(0), corner(1)]
      const draw = () => {
        context.setTransform(canvas.width / TILE_PX, 0, 0, canvas.height / TILE_PX, 0, 0)
        files.loadArea(zoom, [northWest.lng, southEast.lat, southEast.lng, northWest.lat])
        drawTile(context, coords, files, names, colours)
      }
      tiles.add(canvas, { zoom, draw, onDrawn: () => done(undefined, canvas) })
      fontReady ??= loadFont()
      void Promise.all([files.loadZoom(zoom), fontReady]).then(() => tiles.requestDraw(canvas))
      return canvas
    },
    /** Draws the map again in light or dark colours. */
    setDark(isDark: boolean): void {
      colours = isDark ? DARK : LIGHT
      paintSea()
      tiles.redraw()
    },
    /** Shows no name under these marks of dogs. @param boxes in pixels of the zoom's world */
    setMarks(zoom: number, boxes: readonly Box[]): void {
      if (names.setMarks(zoom, boxes)) tiles.redraw()
    },
    /** The municipality at a point, abroad the country; null in the sea and where its files are not loaded. */
    townAt: ({ lat, lon }: GeoPoint): string | null => names.townAt(...project(lon, lat)),
  })
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
