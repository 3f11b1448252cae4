import { SEARCH_MIN_CHARS } from '#features/places/places.ts'
import type { GeoPoint } from '#lib/geo.ts'
import { paths } from '#lib/paths.ts'
import { SECOND_MS } from '#lib/time.ts'

// The point of a form: the device's position, or a press on a map. It stands in for the field that `data-instead` names.

/** Some three kilometres across: the names of quarters and the coast are in sight. */
const CHOSEN_ZOOM = 14
/** A typed place may be a whole province. */
const TYPED_ZOOM = 12
const SPAIN = { center: { lat: 40.2, lon: -3.7 }, zoom: 6 }
const LOCATE_OPTIONS = { timeout: 10_000, maximumAge: 60_000, enableHighAccuracy: true }
const GEOCODE_TIMEOUT_MS = 3 * SECOND_MS
/** Some ten centimetres. */
const DECIMALS = 6

const TEXTS = {
  chosen: (town: string | null) => `Punto elegido en el mapa${town ? `, en ${town}` : ''}.`,
  here: 'Punto elegido: donde estás ahora.',
  open: 'Sin elegir. Acércate y pulsa en el mapa el sitio donde se le vio.',
  denied: 'No tenemos permiso para ver tu posición. Elige el lugar en el mapa.',
  failed: 'No hemos podido saber dónde estás. Elige el lugar en el mapa.',
} as const

interface View {
  center: GeoPoint
  zoom: number
}

/** Where a typed place is; null for an unknown one and without network. */
async function findTyped(text: string): Promise<View | null> {
  if (text.length < SEARCH_MIN_CHARS) return null
  try {
    const response = await fetch(paths.api.geocode(text), { signal: AbortSignal.timeout(GEOCODE_TIMEOUT_MS) })
    const found = response.ok ? ((await response.json()) as { center: [lon: number, lat: number] } | null) : null
    return found && { center: { lat: found.center[1], lon: found.center[0] }, zoom: TYPED_ZOOM }
  } catch {
    return null
  }
}

function setUpPicker(root: HTMLElement): void {
  const find = <T extends HTMLElement>(selector: string) => root.querySelector<T>(selector)!
  const [lat, lon] = ['lat', 'lon'].map((name) => find<HTMLInputElement>(`[name=${name}]`)) as [
    HTMLInputElement,
    HTMLInputElement,
  ]
  const form = lat.form!
  const other = form.elements.namedItem(root.dataset.instead ?? '') as HTMLInputElement | null
  const isOtherRequired = other?.hasAttribute('data-required') ?? false
  const [locateButton, openButton, clearButton] = ['locate', 'open', 'clear'].map((name) =>
    find(`[data-point-${name}]`),
  ) as [HTMLElement, HTMLElement, HTMLElement]
  const status = find('[data-point-status]')
  let isOpened = false
  let showPoint: ((point: GeoPoint | null) => void) | undefined

  const say = (text: string): void => {
    status.textContent = text
  }
  const chosen = (): GeoPoint | null => (lat.value === '' ? null : { lat: Number(lat.value), lon: Number(lon.value) })
  const setRequired = (): void => {
    if (other) other.required = isOtherRequired && !chosen()
    clearButton.hidden = !chosen()
  }
  const setPoint = (point: GeoPoint | null, text: string) => {
    lat.value = point ? point.lat.toFixed(DECIMALS) : ''
    lon.value = point ? point.lon.toFixed(DECIMALS) : ''
    if (point && other) {
      other.value = ''
      // What was said of it holds no longer.
      other.dispatchEvent(new Event('input', { bubbles: true }))
    }
    setRequired()
    say(text)
  }
  const clearPoint = (): void => {
    if (!chosen()) return
    setPoint(null, isOpened ? TEXTS.open : '')
    showPoint?.(null)
  }
  const readNear = (): View | null => {
    const [nearLat, nearLon, zoom] = (root.dataset.near ?? '').split(',').map(Number)
    return root.dataset.near ? { center: { lat: nearLat!, lon: nearLon! }, zoom: zoom! } : null
  }
  const findView = async (): Promise<View> => {
    const point = chosen()
    if (point) return { center: point, zoom: CHOSEN_ZOOM }
    return (other && (await findTyped(other.value.trim()))) ?? readNear() ?? SPAIN
  }

  /** Where the keyboard goes on from a button, unless its person has gone elsewhere meanwhile. */
  const goOn = (from: HTMLElement, to: HTMLElement): void => {
    if (document.activeElement === from || document.activeElement === document.body) to.focus()
  }

  locateButton.addEventListener('click', () => {
    if (!('geolocation' in navigator)) {
      say(TEXTS.failed)
      return
    }
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        const point = { lat: coords.latitude, lon: coords.longitude }
        setPoint(point, TEXTS.here)
        showPoint?.(point)
        goOn(locateButton, status)
      },
      // PERMISSION_DENIED
      ({ code }) => {
        say(code === 1 ? TEXTS.denied : TEXTS.failed)
        goOn(locateButton, openButton)
      },
      LOCATE_OPTIONS,
    )
  })
  openButton.addEventListener('click', async () => {
    const map = find('[data-point-map]')
    find('[data-point-frame]').hidden = false
    openButton.setAttribute('aria-expanded', 'true')
    if (isOpened) return map.focus()
    isOpened = true
    if (!chosen()) say(TEXTS.open)
    const [{ openPickerMap }, view] = await Promise.all([import('./picker-map.client.ts'), findView()])
    showPoint = await openPickerMap(map, {
      ...view,
      point: chosen(),
      tiles: root.dataset.tiles ? (JSON.parse(root.dataset.tiles) as { url: string; attribution: string }) : null,
      onPick: (point, town) => setPoint(point, TEXTS.chosen(town)),
    })
    goOn(openButton, map)
  })
  clearButton.addEventListener('click', () => {
    clearPoint()
    // The button is gone.
    openButton.focus()
  })
  other?.addEventListener('input', () => other.value !== '' && clearPoint())
  setRequired()
  find('[data-point-ways]').hidden = false
}

for (const root of document.querySelectorAll<HTMLElement>('[data-point-picker]')) setUpPicker(root)
