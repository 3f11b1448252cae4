import type * as Leaflet from 'leaflet'

/** Consecutive failed tiles before the failure is reported. */
const FAILURES_TO_REPORT = 6
/** Time without any response before the failure is reported. */
const SILENCE_TIMEOUT_MS = 10_000

/**
 * Handlers of a tile layer's events, by Leaflet's names.
 * @param onFailure called once, after several consecutive failures or a while without any tile
 */
export function tileFailureHandlers(onFailure: () => void) {
  let failures = 0
  let hasLoaded = false
  let isReported = false
  let silence: ReturnType<typeof setTimeout> | undefined
  const endSilence = () => {
    clearTimeout(silence)
    silence = undefined
  }
  const report = () => {
    endSilence()
    if (isReported) return
    isReported = true
    onFailure()
  }
  return {
    loading: () => {
      hasLoaded = false
    },
    tileloadstart: () => {
      if (!isReported) silence ??= setTimeout(report, SILENCE_TIMEOUT_MS)
    },
    tileload: () => {
      hasLoaded = true
      failures = 0
      endSilence()
    },
    tileerror: () => {
      if (++failures >= FAILURES_TO_REPORT) report()
    },
    // In a small view all tiles may have failed before FAILURES_TO_REPORT.
    load: () => (hasLoaded || !failures ? endSilence() : report()),
    remove: endSilence,
  } satisfies Leaflet.LeafletEventHandlerFnMap
}

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
