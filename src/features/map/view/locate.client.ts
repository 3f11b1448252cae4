import type { OpenMap } from './leaflet.client.ts'

// Loaded on the first use of «Mi ubicación»: most people never use it.

const LOCATE_TEXTS = {
  denied: 'No tenemos permiso para ver tu ubicación. Puedes darlo en los ajustes del navegador o buscar tu dirección.',
  timeout: 'Tu ubicación tarda demasiado en llegar. Inténtalo otra vez o busca tu dirección.',
  unsupported: 'Este navegador no puede decirnos dónde estás. Busca tu dirección en el mapa.',
} as const

/** Geolocation (docs/product.md §25.5): how long it may take and how old a position may be. */
export const LOCATE_TIMEOUT_MS = 10_000
export const LOCATE_MAX_AGE_MS = 5 * 60_000

interface Located {
  lat: number
  lon: number
}

/** The device's position, or the sentence to show where it is refused. @throws GeolocationPositionError where it is unavailable */
function locate(): Promise<Located | string> {
  return new Promise((resolve, reject) => {
    if (!('geolocation' in navigator)) return resolve(LOCATE_TEXTS.unsupported)
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve({ lat: coords.latitude, lon: coords.longitude }),
      (error) => {
        // GeolocationPositionError: PERMISSION_DENIED, TIMEOUT.
        if (error.code === 1) resolve(LOCATE_TEXTS.denied)
        else if (error.code === 3) resolve(LOCATE_TEXTS.timeout)
        else reject(error)
      },
      { timeout: LOCATE_TIMEOUT_MS, maximumAge: LOCATE_MAX_AGE_MS, enableHighAccuracy: false },
    )
  })
}

const deviceMarkers = new WeakMap<object, { remove: () => unknown }>()

/** Rounds to about a hundred metres: the map's centre goes into the address, which people share. */
const roundCoarsely = (degrees: number) => Math.round(degrees * 1000) / 1000

/**
 * Flies near the device's position and marks the exact position with a dot, which is sent to nobody.
 * @returns the sentence to show where it is refused, else null
 * @throws where the position is unavailable
 */
export async function showDevice({ L, map, flyTo }: OpenMap, zoom: number): Promise<string | null> {
  const position = await locate()
  if (typeof position === 'string') return position
  const { lat, lon } = position
  deviceMarkers.get(map)?.remove()
  const icon = L.divIcon({ className: 'map-me', iconSize: [22, 22] })
  deviceMarkers.set(map, L.marker([lat, lon], { icon, keyboard: false, interactive: false }).addTo(map))
  flyTo(roundCoarsely(lat), roundCoarsely(lon), zoom)
  return null
}
