import { showToast } from '#ui/toast/show-toast.client.ts'
import { sendWithProof } from '#features/moderation/proof-of-work/with-proof.client.ts'
import { PhotoField } from '#features/photos/field/photo-field.client.ts'
import { inBackground } from '#lib/background.client.ts'
import { lostPaths } from '#lib/lost-paths.ts'
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

/**
 * Sends the form by script, which can prove work where the network has to. What else is refused goes once more as a page, which says why
 * beside the fields.
 */
async function send(form: HTMLFormElement): Promise<void> {
  const answer = await sendWithProof(async (headers) => {
    const response = await fetch(lostPaths.api.found, {
      method: 'POST',
      body: new FormData(form),
      headers: { Accept: 'application/json', ...headers },
    })
    return { status: response.status, body: (await response.json()) as { path?: string; detail?: string } }
  }).catch(() => null)
  if (answer?.body.path) return location.assign(`${answer.body.path}?hecho=enviado`)
  if (answer?.status !== 429) return form.submit()
  await showToast({ title: answer.body.detail ?? '', kind: 'error' })
}

for (const form of document.querySelectorAll<HTMLFormElement>('[data-found-form]')) {
  offerHerePoint(form, LOCATED_TEXT)
  const photo = new PhotoField(form)
  // After navigating back the field may have its file again.
  let replacing = replaceByShrunk(photo)
  inBackground(replacing)
  photo.input.addEventListener('change', () => inBackground((replacing = replaceByShrunk(photo))))
  let isBusy = false
  // After what says which fields are missing.
  document.addEventListener('submit', (event) => {
    if (event.target !== form || event.defaultPrevented) return
    event.preventDefault()
    if (isBusy) return
    isBusy = true
    const { submitter } = event
    submitter?.setAttribute('aria-busy', 'true')
    const sending = replacing.catch(() => {}).then(() => send(form))
    inBackground(
      sending.finally(() => {
        isBusy = false
        submitter?.removeAttribute('aria-busy')
      }),
    )
  })
}
