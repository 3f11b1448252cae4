import { PhotoField } from '#features/photos/field/photo-field.client.ts'
import { fromStored } from '#lib/stored-file.client.ts'
import { formatDateTime } from '#lib/dates.ts'
import { requireElement } from '#lib/require-element.client.ts'
import { HerePoint } from '#ui/here-point.client.ts'
import { setFieldError } from '#ui/required-fields.client.ts'
import type { QueuedSighting } from './queue/queue.ts'

const LOCATED_TEXT = 'Tenemos el sitio. Solo lo verá su familia.'
/** The option of «¿Cuándo?» with the time of a sighting that is edited from the queue. */
const QUEUED_TIME = 'guardada'

/** The fields of a sighting's form with «Estoy aquí ahora» and the photo's preview. */
export class FormFields {
  readonly #form: HTMLFormElement
  readonly #here: HerePoint
  readonly #zone: HTMLInputElement
  readonly #ago: HTMLSelectElement
  readonly #photo: PhotoField

  constructor(form: HTMLFormElement) {
    this.#form = form
    this.#here = new HerePoint(form, LOCATED_TEXT)
    this.#zone = requireElement(form, '[data-zone]')
    this.#ago = requireElement(form, '[name=ago]')
    this.#photo = new PhotoField(form)
  }

  get file(): HTMLInputElement {
    return this.#photo.input
  }
  /** The photo, shrunk; null without one. */
  get photo(): Promise<File | null> {
    return this.#photo.shrunk
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

  /** Says beside the photo what is wrong with it. */
  refusePhoto(sentence: string): void {
    this.#photo.refuse(sentence)
  }

  reset(): void {
    this.#form.reset()
    for (const option of this.#ago.querySelectorAll(`[value=${QUEUED_TIME}]`)) option.remove()
    this.#here.set('', '', '')
    this.#photo.remove()
  }

  /** Shows a sighting that waits on the device. */
  fill({ fields, photo }: QueuedSighting): void {
    this.reset()
    this.#here.set(fields.lat, fields.lon, fields.lat && LOCATED_TEXT)
    this.#zone.value = fields.zone
    requireElement<HTMLTextAreaElement>(this.#form, '[name=words]').value = fields.words
    this.#ago.prepend(new Option(formatDateTime(Date.parse(fields.at)), QUEUED_TIME, true, true))
    this.#photo.show(fromStored(photo, 'foto.jpg'))
    this.#zone.focus()
  }
}
