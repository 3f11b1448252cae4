import type { OpenMap } from './leaflet.client.ts'

// Comes when somebody asks where they are: most people who look at the map never do.

const LOCATE_TEXTS = {
  denied: 'No tenemos permiso para ver tu ubicación. Puedes darlo en los ajustes del navegador o buscar tu dirección.',
  timeout: 'Tu ubicación tarda demasiado en llegar. Inténtalo otra vez o busca tu dirección.',
  unsupported: 'Este navegador no puede decirnos dónde estás. Busca tu dirección en el mapa.',
} as const

/** Geolocation (docs/product.md §25.5): how long it may take and how old it may be, ms. */
export const LOCATE_TIMEOUT = 10_000
export const LOCATE_MAX_AGE = 5 * 60_000

interface Located {
  lat: number
  lon: number
}

/** Where this device is, or the sentence why it is not told. @throws where it cannot be found out */
function locate(): Promise<Located | string> {
  return new Promise((found, failed) => {
    if (!('geolocation' in navigator)) return found(LOCATE_TEXTS.unsupported)
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => found({ lat: coords.latitude, lon: coords.longitude }),
      (error) => {
        // GeolocationPositionError: PERMISSION_DENIED, TIMEOUT.
        if (error.code === 1) found(LOCATE_TEXTS.denied)
        else if (error.code === 3) found(LOCATE_TEXTS.timeout)
        else failed(error)
      },
      { timeout: LOCATE_TIMEOUT, maximumAge: LOCATE_MAX_AGE, enableHighAccuracy: false },
    )
  })
}

const deviceMarkers = new WeakMap<object, { remove: () => unknown }>()

/** A hundred metres or so: the middle of the map goes into the address, which people share. */
const roundCoarsely = (degrees: number) => Math.round(degrees * 1000) / 1000

/**
 * Goes near where this device is and leaves a dot at the very place, which is told to nobody.
 * @returns the sentence why it does not, or null
 * @throws where the place cannot be found out
 */
export async function showDevice({ L, map, go }: OpenMap, zoom: number): Promise<string | null> {
  const place = await locate()
  if (typeof place === 'string') return place
  const { lat, lon } = place
  deviceMarkers.get(map)?.remove()
  const icon = L.divIcon({ className: 'map-me', iconSize: [22, 22] })
  deviceMarkers.set(map, L.marker([lat, lon], { icon, keyboard: false, interactive: false }).addTo(map))
  go(roundCoarsely(lat), roundCoarsely(lon), zoom)
  return null
}
