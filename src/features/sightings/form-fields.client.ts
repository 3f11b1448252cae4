import { fromStored } from '#features/photos/stored-file.client.ts'
import { formatDateTime } from '#lib/dates.ts'
import { requireElement } from '#lib/require-element.client.ts'
import { MINUTE_MS } from '#lib/time.ts'
import { setFieldError } from '#ui/required-fields.client.ts'
import type { QueuedSighting } from './queue/queue.ts'
import { loadShrinker, shrink } from './send-sighting.client.ts'

const TEXTS = {
  locating: 'Buscando dónde estás…',
  located: 'Tenemos el sitio. Solo lo verá su familia.',
  refused: 'No hemos podido saber dónde estás: escribe el pueblo o el barrio.',
  photo: 'Hacer foto',
  again: 'Cambiar la foto',
}
/** A fix that is older than this is looked for anew. */
const FIX_MAX_AGE_MS = MINUTE_MS
const FIX_TIMEOUT_MS = 20_000
/** The choice of «¿Cuándo?» that keeps the time of a sighting taken up from the queue. */
const QUEUED_TIME = 'guardada'

/** The fields of a sighting's form with «Estoy aquí ahora» and the photo's preview. */
export class FormFields {
  readonly #form: HTMLFormElement
  readonly #point: [lat: HTMLInputElement, lon: HTMLInputElement]
  readonly #zone: HTMLInputElement
  readonly #status: HTMLElement
  readonly #ago: HTMLSelectElement
  #photo: Promise<File | null> = Promise.resolve(null)

  constructor(form: HTMLFormElement) {
    this.#form = form
    this.#point = [requireElement(form, '[data-lat]'), requireElement(form, '[data-lon]')]
    this.#zone = requireElement(form, '[data-zone]')
    this.#status = requireElement(form, '[data-here-status]')
    this.#ago = requireElement(form, '[name=ago]')
    if ('geolocation' in navigator) this.#offerLocation()
    // Who then types a place means that one.
    this.#zone.addEventListener('input', () => this.#setPoint('', '', ''))
    this.file.addEventListener('click', loadShrinker, { once: true })
    this.file.addEventListener('change', () => {
      const [chosen] = this.file.files ?? []
      this.#showPhoto(chosen)
      // While the person goes on: on a slow network the bytes count.
      this.#photo = chosen ? shrink(chosen) : Promise.resolve(null)
    })
  }

  get file(): HTMLInputElement {
    return requireElement(this.#form, 'input[type=file]')
  }
  /** The photo, shrunk; null without one. */
  get photo(): Promise<File | null> {
    return this.#photo
  }
  get hasPlace(): boolean {
    return this.#point[0].value !== '' || this.#zone.value.trim() !== ''
  }
  /** Whether the time is that of the sighting which `fill` took up. */
  get keepsTime(): boolean {
    return this.#ago.value === QUEUED_TIME
  }

  /** Says beside the zone's field what is wrong with the place. */
  refusePlace(sentence: string): void {
    setFieldError(this.#zone, sentence)
    this.#zone.focus()
  }

  reset(): void {
    this.#form.reset()
    for (const option of this.#ago.querySelectorAll(`[value=${QUEUED_TIME}]`)) option.remove()
    this.#setPoint('', '', '')
    this.#showPhoto(undefined)
    this.#photo = Promise.resolve(null)
  }

  /** Shows a sighting that waits on the device. */
  fill({ fields, photo }: QueuedSighting): void {
    this.reset()
    this.#setPoint(fields.lat, fields.lon, fields.lat && TEXTS.located)
    this.#zone.value = fields.zone
    requireElement<HTMLTextAreaElement>(this.#form, '[name=words]').value = fields.words
    this.#ago.prepend(new Option(formatDateTime(Date.parse(fields.at)), QUEUED_TIME, true, true))
    const stored = fromStored(photo, 'foto.jpg')
    this.#showPhoto(stored)
    this.#photo = Promise.resolve(stored ?? null)
    this.#zone.focus()
  }

  #setPoint(lat: string, lon: string, text: string): void {
    this.#point[0].value = lat
    this.#point[1].value = lon
    this.#status.textContent = text
    setFieldError(this.#zone, null)
  }

  #offerLocation(): void {
    const here = requireElement(this.#form, '[data-here]')
    here.hidden = false
    here.addEventListener('click', () => {
      this.#status.textContent = TEXTS.locating
      navigator.geolocation.getCurrentPosition(
        ({ coords }) => this.#setPoint(coords.latitude.toFixed(6), coords.longitude.toFixed(6), TEXTS.located),
        () => (this.#status.textContent = TEXTS.refused),
        { enableHighAccuracy: true, maximumAge: FIX_MAX_AGE_MS, timeout: FIX_TIMEOUT_MS },
      )
    })
  }

  #showPhoto(photo: File | undefined): void {
    const preview = requireElement<HTMLImageElement>(this.#form, '[data-preview]')
    URL.revokeObjectURL(preview.src)
    preview.hidden = !photo
    if (photo) preview.src = URL.createObjectURL(photo)
    requireElement(this.#form, '[data-photo-label]').textContent = photo ? TEXTS.again : TEXTS.photo
  }
}
