import './base.css'
import type * as Leaflet from 'leaflet'
import { tileFailureHandlers } from './tile-failures.ts'

/**
 * Street tiles of the operator's choice (`TILE_URL`) over the base map, which shows through where a tile fails. `onFailure` is
 * called once, after several consecutive failures or a while without any tile.
 */
export function streetTiles(
  L: typeof Leaflet,
  { url, attribution, onFailure }: { url: string; attribution: string; onFailure(): void },
): Leaflet.TileLayer {
  const layer = L.tileLayer(url, {
    attribution,
    maxZoom: 18,
    className: 'street-tiles',
    // Tile servers require the site's origin.
    referrerPolicy: 'strict-origin-when-cross-origin',
  })
  layer.on(tileFailureHandlers(onFailure))
  return layer
}
