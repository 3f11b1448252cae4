import { loadShrinker, shrink } from '#features/photos/shrink.client.ts'
import { fromStored } from '#features/photos/stored-file.client.ts'
import { formatDateTime } from '#lib/dates.ts'
import { requireElement } from '#lib/require-element.client.ts'
import { HerePoint } from '#ui/here-point.client.ts'
import { setFieldError } from '#ui/required-fields.client.ts'
import type { QueuedSighting } from './queue/queue.ts'

const TEXTS = {
  located: 'Tenemos el sitio. Solo lo verá su familia.',
  photo: 'Hacer foto',
  again: 'Cambiar la foto',
}
/** The option of «¿Cuándo?» with the time of a sighting that is edited from the queue. */
const QUEUED_TIME = 'guardada'

/** The fields of a sighting's form with «Estoy aquí ahora» and the photo's preview. */
export class FormFields {
  readonly #form: HTMLFormElement
  readonly #here: HerePoint
  readonly #zone: HTMLInputElement
  readonly #ago: HTMLSelectElement
  #photo: Promise<File | null> = Promise.resolve(null)

  constructor(form: HTMLFormElement) {
    this.#form = form
    this.#here = new HerePoint(form, TEXTS.located)
    this.#zone = requireElement(form, '[data-zone]')
    this.#ago = requireElement(form, '[name=ago]')
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
    return this.#here.isSet || this.#zone.value.trim() !== ''
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
    this.#here.set('', '', '')
    this.#showPhoto(undefined)
    this.#photo = Promise.resolve(null)
  }

  /** Shows a sighting that waits on the device. */
  fill({ fields, photo }: QueuedSighting): void {
    this.reset()
    this.#here.set(fields.lat, fields.lon, fields.lat && TEXTS.located)
    this.#zone.value = fields.zone
    requireElement<HTMLTextAreaElement>(this.#form, '[name=words]').value = fields.words
    this.#ago.prepend(new Option(formatDateTime(Date.parse(fields.at)), QUEUED_TIME, true, true))
    const stored = fromStored(photo, 'foto.jpg')
    this.#showPhoto(stored)
    this.#photo = Promise.resolve(stored ?? null)
    this.#zone.focus()
  }

  #showPhoto(photo: File | undefined): void {
    const preview = requireElement<HTMLImageElement>(this.#form, '[data-preview]')
    URL.revokeObjectURL(preview.src)
    preview.hidden = !photo
    if (photo) preview.src = URL.createObjectURL(photo)
    requireElement(this.#form, '[data-photo-label]').textContent = photo ? TEXTS.again : TEXTS.photo
  }
}
