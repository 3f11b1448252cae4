import { PHOTO_MAX_MB, PHOTO_MAX_SIDE_PX } from '#features/photos/photos.ts'
import { inBackground } from '#lib/background.client.ts'
import { requireElement } from '#lib/require-element.client.ts'
import { offerHerePoint } from '#ui/here-point.client.ts'
import '#ui/required-fields.client.ts'
import { LOCATED_TEXT } from './found.ts'

/** Replaces the chosen photo by one as small as it is stored: a phone's own would take minutes on a bad network, or be too heavy. */
async function shrinkChosen(field: HTMLInputElement): Promise<void> {
  const [photo] = field.files ?? []
  if (!photo) return
  const { compress } = await import('#features/photos/compress.client.ts')
  // The server says what is wrong with one that the browser cannot read.
  const small = await compress(photo, PHOTO_MAX_MB, PHOTO_MAX_SIDE_PX, () => {}).catch(() => null)
  if (!small || field.files?.[0] !== photo) return
  const files = new DataTransfer()
  // The library answers a Blob.
  files.items.add(new File([small], 'foto.jpg', { type: small.type }))
  field.files = files.files
}

for (const form of document.querySelectorAll<HTMLFormElement>('[data-found-form]')) {
  offerHerePoint(form, LOCATED_TEXT)
  const photo = requireElement<HTMLInputElement>(form, '[type=file]')
  photo.addEventListener('change', () => inBackground(shrinkChosen(photo)))
}
