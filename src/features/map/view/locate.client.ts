import type { OpenMap } from './leaflet.client.ts'
import { VIEW_TEXTS } from './texts.ts'

/** Geolocation (spec.md §9): how long it may take and how old it may be, ms. */
export const LOCATE_TIMEOUT = 10_000
export const LOCATE_MAX_AGE = 5 * 60_000

/** Where this device is. @throws Error whose message is the sentence for the person */
function locate(): Promise<{ lat: number; lon: number }> {
  return new Promise((found, failed) => {
    if (!('geolocation' in navigator)) return failed(new Error(VIEW_TEXTS.unsupported))
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => found({ lat: coords.latitude, lon: coords.longitude }),
      ({ code }) => failed(new Error(sentence(code))),
      { timeout: LOCATE_TIMEOUT, maximumAge: LOCATE_MAX_AGE, enableHighAccuracy: false },
    )
  })
}

function sentence(code: number): string {
  if (code === 1) return VIEW_TEXTS.denied
  return code === 3 ? VIEW_TEXTS.timeout : VIEW_TEXTS.unavailable
}

const devices = new WeakMap<object, { remove: () => unknown }>()

/** A hundred metres or so: the middle of the map goes into the address, which people share. */
const coarse = (degrees: number) => Math.round(degrees * 1000) / 1000

/** Goes near where this device is and leaves a dot at the very place, which is told to nobody. @throws Error as `locate` */
export async function showDevice({ L, map, go }: OpenMap, zoom: number): Promise<void> {
  const { lat, lon } = await locate()
  devices.get(map)?.remove()
  const icon = L.divIcon({ className: 'map-me', iconSize: [22, 22] })
  devices.set(map, L.marker([lat, lon], { icon, keyboard: false, interactive: false }).addTo(map))
  go(coarse(lat), coarse(lon), zoom)
}
