import './base.css'
import type * as Leaflet from 'leaflet'

/** Tiles in a row that failed, or milliseconds without any answer, before one is told. */
const FAILURES_TO_REPORT = 6
const SILENCE_TIMEOUT_MS = 10_000

/**
 * Street tiles of an operator's choosing (`TILE_URL`), over the base map: a tile that fails or never comes stays invisible
 * and leaves that one to be seen. `onTrouble` is called once, when several have failed in a row or none has come for a while.
 */
export function streetTiles(
  L: typeof Leaflet,
  { url, attribution, onTrouble }: { url: string; attribution: string; onTrouble(): void },
): Leaflet.TileLayer {
  const layer = L.tileLayer(url, {
    attribution,
    maxZoom: 18,
    className: 'street-tiles',
    // Tile servers want to know which site asks.
    referrerPolicy: 'strict-origin-when-cross-origin',
  })
  let failures = 0
  let hasCome = false
  let told = false
  let silence: ReturnType<typeof setTimeout> | undefined
  const hush = () => {
    clearTimeout(silence)
    silence = undefined
  }
  const tell = () => {
    hush()
    if (told) return
    told = true
    onTrouble()
  }
  layer.on({
    loading: () => (hasCome = false),
    tileloadstart: () => {
      if (!told) silence ??= setTimeout(tell, SILENCE_TIMEOUT_MS)
    },
    tileload: () => {
      hasCome = true
      failures = 0
      hush()
    },
    tileerror: () => {
      if (++failures >= FAILURES_TO_REPORT) tell()
    },
    // Every tile of a small view has failed.
    load: () => (hasCome || !failures ? hush() : tell()),
    remove: hush,
  })
  return layer
}
