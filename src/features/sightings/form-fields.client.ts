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
  retake: 'Repetir foto',
}
/** The option of «¿Cuándo?» with the time of a sighting that is edited from the queue. */
const QUEUED_TIME = 'guardada'

/** The fields of a sighting's form with «Estoy aquí ahora», the photo's preview and «Quitar la foto». */
export class FormFields {
  readonly #form: HTMLFormElement
  readonly #here: HerePoint
  readonly #zone: HTMLInputElement
  readonly #ago: HTMLSelectElement
  readonly #hasCamera = matchMedia('(pointer: coarse)').matches
  #photo: Promise<File | null> = Promise.resolve(null)

  constructor(form: HTMLFormElement) {
    this.#form = form
    this.#here = new HerePoint(form, TEXTS.located)
    this.#zone = requireElement(form, '[data-zone]')
    this.#ago = requireElement(form, '[name=ago]')
    this.file.addEventListener('click', loadShrinker, { once: true })
    if (this.#hasCamera) this.#offerBoth()
    requireElement(form, '[data-photo-remove]').addEventListener('click', () => {
      this.#removePhoto()
      this.file.focus()
    })
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

  /** Says beside the photo what is wrong with it. */
  refusePhoto(sentence: string): void {
    setFieldError(this.file, sentence)
    this.file.focus()
  }

  reset(): void {
    this.#form.reset()
    for (const option of this.#ago.querySelectorAll(`[value=${QUEUED_TIME}]`)) option.remove()
    this.#here.set('', '', '')
    this.#removePhoto()
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

  /** On a phone the field opens the camera, and «Elegir foto» the photos: who took one a minute ago sends that. */
  #offerBoth(): void {
    const choose = requireElement<HTMLButtonElement>(this.#form, '[data-photo-choose]')
    let isChoosing = false
    this.file.addEventListener('click', () => {
      if (isChoosing) this.file.removeAttribute('capture')
      else this.file.setAttribute('capture', 'environment')
    })
    choose.hidden = false
    choose.addEventListener('click', () => {
      isChoosing = true
      this.file.click()
      isChoosing = false
    })
  }

  #removePhoto(): void {
    this.file.value = ''
    this.#showPhoto(undefined)
    this.#photo = Promise.resolve(null)
  }

  #showPhoto(photo: File | undefined): void {
    const preview = requireElement<HTMLImageElement>(this.#form, '[data-preview]')
    URL.revokeObjectURL(preview.src)
    preview.hidden = !photo
    if (photo) preview.src = URL.createObjectURL(photo)
    requireElement(this.#form, '[data-photo-remove]').hidden = !photo
    const again = this.#hasCamera ? TEXTS.retake : TEXTS.again
    requireElement(this.#form, '[data-photo-label]').textContent = photo ? again : TEXTS.photo
    setFieldError(this.file, null)
  }
}
