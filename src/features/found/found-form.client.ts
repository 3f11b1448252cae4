import { PhotoField } from '#features/photos/field/photo-field.client.ts'
import { PHOTO_UPLOAD_MAX_BYTES } from '#features/photos/photos.ts'
import { inBackground } from '#lib/background.client.ts'
import { offerHerePoint } from '#ui/here-point.client.ts'
import { LOCATED_TEXT } from './found.ts'

/** Replaces the chosen photo in its field by the shrunk one, which the browser sends. */
async function replaceByShrunk({ input, shrunk }: PhotoField): Promise<void> {
  const chosen = input.files?.[0]
  const small = await shrunk
  if (!small || small === chosen || input.files?.[0] !== chosen) return
  const files = new DataTransfer()
  files.items.add(small)
  input.files = files.files
}

for (const form of document.querySelectorAll<HTMLFormElement>('[data-found-form]')) {
  offerHerePoint(form, LOCATED_TEXT)
  const photo = new PhotoField(form)
  // After navigating back the field may have its file again.
  let replacing = replaceByShrunk(photo)
  inBackground(replacing)
  photo.input.addEventListener('change', () => inBackground((replacing = replaceByShrunk(photo))))
  let state: 'filled' | 'waiting' | 'sending' = 'filled'
  form.addEventListener('submit', (event) => {
    const chosen = photo.input.files?.[0]
    // Only what the server would refuse has to wait until it is shrunk.
    if (state === 'sending' || event.defaultPrevented || !chosen || chosen.size <= PHOTO_UPLOAD_MAX_BYTES) return
    event.preventDefault()
    if (state === 'waiting') return
    state = 'waiting'
    const { submitter } = event
    submitter?.setAttribute('aria-busy', 'true')
    const send = () => {
      state = 'sending'
      form.requestSubmit(submitter)
      // A field that is missing keeps it here.
      state = 'filled'
      submitter?.removeAttribute('aria-busy')
    }
    inBackground(replacing.then(send, send))
  })
}
