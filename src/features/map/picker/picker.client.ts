import type { GeoPoint } from '#lib/geo.ts'

// The point of a form: the device's position, or the middle of a map. It stands in for the field that `data-instead` names.

/** Farther out a finger covers whole towns. */
const POINT_ZOOM_MIN = 12
/** Some three kilometres across: the names of quarters and the coast are in sight. */
const LOCATED_ZOOM = 14
const NEAR_ZOOM = 13
const SPAIN = { center: { lat: 40.2, lon: -3.7 }, zoom: 6 }
const LOCATE_OPTIONS = { timeout: 10_000, maximumAge: 60_000, enableHighAccuracy: true }
/** Some ten centimetres. */
const DECIMALS = 6
/** Some metres: what a status says of it. */
const SAID_DECIMALS = 4

const TEXTS = {
  chosen: ({ lat, lon }: GeoPoint) =>
    `Hay un punto del mapa elegido: ${lat.toFixed(SAID_DECIMALS)}, ${lon.toFixed(SAID_DECIMALS)}.`,
  near: 'Acércate más y deja el lugar en el centro.',
  none: '',
  denied: 'No tenemos permiso para ver tu posición. Elige el lugar en el mapa.',
  failed: 'No hemos podido saber dónde estás. Elige el lugar en el mapa.',
} as const

function setUpPicker(root: HTMLElement): void {
  const find = <T extends HTMLElement>(selector: string) => root.querySelector<T>(selector)!
  const [lat, lon] = ['lat', 'lon'].map((name) => find<HTMLInputElement>(`[name=${name}]`)) as [
    HTMLInputElement,
    HTMLInputElement,
  ]
  const form = lat.form!
  const other = form.elements.namedItem(root.dataset.instead ?? '') as HTMLInputElement | null
  const isOtherRequired = other?.hasAttribute('data-required') ?? false
  const clearButton = find('[data-point-clear]')
  let isOpened = false
  let showPoint: ((point: GeoPoint, zoom: number) => void) | undefined

  const say = (text: string): void => {
    find('[data-point-status]').textContent = text
  }
  const chosen = (): GeoPoint | null => (lat.value === '' ? null : { lat: Number(lat.value), lon: Number(lon.value) })
  const setPoint = (point: GeoPoint | null, text: string = point ? TEXTS.chosen(point) : TEXTS.none) => {
    lat.value = point ? point.lat.toFixed(DECIMALS) : ''
    lon.value = point ? point.lon.toFixed(DECIMALS) : ''
    if (point && other) other.value = ''
    if (other) other.required = isOtherRequired && !point
    clearButton.hidden = !point
    say(text)
  }
  const readNear = (): GeoPoint | null => {
    const [nearLat, nearLon] = (root.dataset.near ?? '').split(',').map(Number)
    return root.dataset.near ? { lat: nearLat!, lon: nearLon! } : null
  }

  find('[data-point-locate]').addEventListener('click', () => {
    if (!('geolocation' in navigator)) {
      say(TEXTS.failed)
      return
    }
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        const point = { lat: coords.latitude, lon: coords.longitude }
        setPoint(point)
        showPoint?.(point, LOCATED_ZOOM)
      },
      // PERMISSION_DENIED
      ({ code }) => say(code === 1 ? TEXTS.denied : TEXTS.failed),
      LOCATE_OPTIONS,
    )
  })
  find('[data-point-open]').addEventListener('click', async ({ currentTarget }) => {
    find('[data-point-frame]').hidden = false
    ;(currentTarget as HTMLElement).setAttribute('aria-expanded', 'true')
    if (isOpened) return
    isOpened = true
    const { openPickerMap } = await import('./picker-map.client.ts')
    const [point, near] = [chosen(), readNear()]
    showPoint = await openPickerMap(find('[data-point-map]'), {
      center: point ?? near ?? SPAIN.center,
      zoom: point ? LOCATED_ZOOM : near ? NEAR_ZOOM : SPAIN.zoom,
      tiles: root.dataset.tiles ? (JSON.parse(root.dataset.tiles) as { url: string; attribution: string }) : null,
      onMove: (center, zoom) => (zoom < POINT_ZOOM_MIN ? setPoint(null, TEXTS.near) : setPoint(center)),
    })
    if (!point) say(TEXTS.near)
  })
  clearButton.addEventListener('click', () => setPoint(null))
  other?.addEventListener('input', () => other.value !== '' && setPoint(null))
  if (chosen()) setPoint(chosen())
  find('[data-point-ways]').hidden = false
}

for (const root of document.querySelectorAll<HTMLElement>('[data-point-picker]')) setUpPicker(root)
