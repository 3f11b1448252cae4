import { requireElement } from '#lib/require-element.client.ts'
import { MINUTE_MS } from '#lib/time.ts'
import { setFieldError } from './required-fields.client.ts'

const TEXTS = {
  locating: 'Buscando dónde estás…',
  denied:
    'No tenemos permiso para ver dónde estás: dalo en los ajustes del navegador, o escribe el pueblo o el barrio.',
  refused: 'No hemos podido saber dónde estás: escribe el pueblo o el barrio.',
}
/** A fix that is older than this is looked for anew. */
const FIX_MAX_AGE_MS = MINUTE_MS
const FIX_TIMEOUT_MS = 20_000

/** «Estoy aquí ahora» of a form: the device's position in `data-lat` and `data-lon`, in place of the zone's field (`data-zone`, `data-required`). */
export class HerePoint {
  readonly #point: [lat: HTMLInputElement, lon: HTMLInputElement]
  readonly #zone: HTMLInputElement
  readonly #status: HTMLElement
  readonly #isZoneRequired: boolean

  /** @param located what is said of a position that was found */
  constructor(form: HTMLFormElement, located: string) {
    this.#point = [requireElement(form, '[data-lat]'), requireElement(form, '[data-lon]')]
    this.#zone = requireElement(form, '[data-zone]')
    this.#status = requireElement(form, '[data-here-status]')
    this.#isZoneRequired = this.#zone.hasAttribute('data-required')
    this.#zone.required = this.#isZoneRequired && !this.isSet
    // Who then types a place means that one.
    this.#zone.addEventListener('input', () => this.set('', '', ''))
    if (!('geolocation' in navigator)) return
    const button = requireElement(form, '[data-here]')
    button.hidden = false
    button.addEventListener('click', () => {
      this.#status.textContent = TEXTS.locating
      navigator.geolocation.getCurrentPosition(
        ({ coords }) => this.set(coords.latitude.toFixed(6), coords.longitude.toFixed(6), located),
        // PERMISSION_DENIED
        ({ code }) => (this.#status.textContent = code === 1 ? TEXTS.denied : TEXTS.refused),
        { enableHighAccuracy: true, maximumAge: FIX_MAX_AGE_MS, timeout: FIX_TIMEOUT_MS },
      )
    })
  }

  get isSet(): boolean {
    return this.#point[0].value !== ''
  }

  /** @param text what is said of it */
  set(lat: string, lon: string, text: string): void {
    this.#point[0].value = lat
    this.#point[1].value = lon
    this.#status.textContent = text
    this.#zone.required = this.#isZoneRequired && lat === ''
    setFieldError(this.#zone, null)
  }
}

/** Prepares the button of a form whose script needs nothing more of it. */
export const offerHerePoint = (form: HTMLFormElement, located: string): HerePoint => new HerePoint(form, located)
