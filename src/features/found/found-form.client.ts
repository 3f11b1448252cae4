import { shrink } from '#features/photos/shrink.client.ts'
import { inBackground } from '#lib/background.client.ts'
import { requireElement } from '#lib/require-element.client.ts'
import { offerHerePoint } from '#ui/here-point.client.ts'
import { setFieldError } from '#ui/required-fields.client.ts'
import { LOCATED_TEXT } from './found.ts'

/** Replaces the chosen photo in its field by the shrunk one. */
async function shrinkChosen(field: HTMLInputElement): Promise<void> {
  const [photo] = field.files ?? []
  if (!photo) return
  const small = await shrink(photo)
  if (small === photo || field.files?.[0] !== photo) return
  const files = new DataTransfer()
  // The library answers a Blob.
  files.items.add(new File([small], 'foto.jpg', { type: small.type }))
  field.files = files.files
}

for (const form of document.querySelectorAll<HTMLFormElement>('[data-found-form]')) {
  offerHerePoint(form, LOCATED_TEXT)
  const photo = requireElement<HTMLInputElement>(form, '[type=file]')
  const remove = requireElement(form, '[data-photo-remove]')
  const showRemove = () => (remove.hidden = !photo.files?.length)
  // After navigating back the field may still have its file.
  showRemove()
  photo.addEventListener('change', () => {
    showRemove()
    inBackground(shrinkChosen(photo))
  })
  remove.addEventListener('click', () => {
    photo.value = ''
    setFieldError(photo, null)
    showRemove()
    photo.focus()
  })
}
