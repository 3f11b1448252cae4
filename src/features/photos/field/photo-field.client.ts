import { NO_CAMERA } from '#features/photos/camera.ts'
import { explainError } from '#lib/error-text.ts'
import { requireElement } from '#lib/require-element.client.ts'
import { setFieldError } from '#ui/required-fields.client.ts'
import { compressPhoto } from '../photos.client.ts'
import { PHOTO_TEXTS } from '../photos.ts'

const TEXTS = {
  take: 'Hacer foto',
  retake: 'Repetir foto',
  choose: 'Elegir foto',
  chooseAgain: 'Cambiar la foto',
  preview: 'La foto que vas a enviar',
}

/** The photo of a form (PhotoField.astro): its preview, «Quitar la foto», and on phones «Elegir foto» beside «Hacer foto». */
export class PhotoField {
  readonly input: HTMLInputElement
  readonly #root: HTMLElement
  readonly #hasCamera = matchMedia('(pointer: coarse)').matches
  #shrunk: Promise<File | null> = Promise.resolve(null)

  constructor(form: HTMLFormElement) {
    this.#root = requireElement(form, '[data-photo-field]')
    this.input = requireElement<HTMLInputElement>(this.#root, 'input[type=file]')
    this.input.addEventListener('cancel', () => {
      if (this.input.hasAttribute('capture') && !this.input.value) setFieldError(this.input, NO_CAMERA)
    })
    if (this.#hasCamera) this.#offerBoth()
    requireElement(this.#root, '[data-photo-remove]').addEventListener('click', () => {
      this.remove()
      this.input.focus()
    })
    this.input.addEventListener('change', () => {
      this.#take(this.input.files?.[0])
      setFieldError(this.input, null)
    })
    // After navigating back the field may still have its file.
    this.#take(this.input.files?.[0])
    this.#root.dataset.ready = ''
  }

  /** The photo, shrunk; null without one. */
  get shrunk(): Promise<File | null> {
    return this.#shrunk
  }

  /** Says beside the photo what is wrong with it. */
  refuse(sentence: string): void {
    setFieldError(this.input, sentence)
    this.input.focus()
  }

  remove(): void {
    this.input.value = ''
    this.show(undefined)
    setFieldError(this.input, null)
  }

  /** Shows a photo that is not the field's, which is sent as it is. */
  show(photo: File | undefined): void {
    this.#render(photo)
    this.#shrunk = Promise.resolve(photo ?? null)
  }

  #take(chosen: File | undefined): void {
    this.#render(chosen)
    const refuse = (error: unknown) => {
      if (this.input.files?.[0] === chosen) setFieldError(this.input, explainError(error, PHOTO_TEXTS.unreadable))
      // The server refuses it, too, where it is sent nevertheless.
      return chosen ?? null
    }
    // While the person goes on: on a slow network the bytes count.
    this.#shrunk = chosen ? compressPhoto(chosen).catch(refuse) : Promise.resolve(null)
  }

  /** On a phone the field opens the camera, and «Elegir foto» the photos: who took one a minute ago sends that. */
  #offerBoth(): void {
    const choose = requireElement<HTMLButtonElement>(this.#root, '[data-photo-choose]')
    let isChoosing = false
    this.input.addEventListener('click', () => {
      if (isChoosing) this.input.removeAttribute('capture')
      else this.input.setAttribute('capture', 'environment')
    })
    choose.hidden = false
    choose.addEventListener('click', () => {
      isChoosing = true
      this.input.click()
      isChoosing = false
    })
  }

  #render(photo: File | undefined): void {
    const preview = requireElement(this.#root, '[data-preview]')
    for (const { src } of preview.querySelectorAll('img')) URL.revokeObjectURL(src)
    preview.hidden = !photo
    preview.replaceChildren(...(photo ? [createPreview(photo)] : []))
    requireElement(this.#root, '[data-photo-remove]').hidden = !photo
    const [first, again] = this.#hasCamera ? [TEXTS.take, TEXTS.retake] : [TEXTS.choose, TEXTS.chooseAgain]
    requireElement(this.#root, '[data-photo-label]').textContent = photo ? again : first
  }
}

function createPreview(photo: File): HTMLImageElement {
  const image = new Image()
  image.src = URL.createObjectURL(photo)
  image.alt = TEXTS.preview
  return image
}
