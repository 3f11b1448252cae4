import { inBackground } from '#lib/background.client.ts'
import { inviteToInstall } from '#lib/visits.client.ts'
import { connectShare } from '#ui/share-picture.client.ts'
import { loadStylesheet } from '#ui/stylesheet.client.ts'
import styles from './landing.css?url'
import { landingPath } from './landing.ts'

/** The form takes a few frames to close. */
const MAX_FRAMES = 120
/** A sticker that comes later than this lands no more: the person does something else by then, ms. */
const MAX_WAIT_MS = 5000

/** Fetches the landing of a member's new dog into the page, closed; undefined where there is none. */
async function fetchLanding(dogId: string): Promise<HTMLDialogElement | undefined> {
  const [response] = await Promise.all([
    fetch(landingPath(dogId), { cache: 'no-store', signal: AbortSignal.timeout(MAX_WAIT_MS) }),
    loadStylesheet(styles),
  ])
  if (!response.ok) return undefined
  const html = new DOMParser().parseFromString(await response.text(), 'text/html')
  const dialog = html.querySelector<HTMLDialogElement>('dialog.landing')
  if (!dialog) return undefined
  // Its picture loads, and a new version of the page waits for it (`data-unsaved`).
  document.body.append(dialog)
  return dialog
}

/**
 * Loads what lands while the form still confirms the save.
 * @returns opens it once the form has closed, unless another dialog is open by then
 */
export function prepareLanding(dogId: string): () => Promise<void> {
  const fetched = fetchLanding(dogId).catch(() => undefined)
  return async () => {
    const dialog = await fetched
    // The form returns the focus as it goes, and the landing returns it there.
    for (let frame = 0; frame < MAX_FRAMES && document.querySelector('dialog.df'); frame++)
      await new Promise((done) => requestAnimationFrame(done))
    if (document.querySelector('dialog:modal')) dialog?.remove()
    else if (dialog) open(dialog)
  }
}

function open(dialog: HTMLDialogElement): void {
  connectShare(dialog.querySelector<HTMLAnchorElement>('[data-share-picture]')!, true)
  // The click goes on to the form, which opens over the page alone.
  dialog.querySelector('[data-add-dog]')!.addEventListener('click', () => dialog.close())
  dialog.addEventListener('close', () => dialog.remove())
  dialog.showModal()
  inviteToInstall()
  inBackground(import('#features/likes/feedback.client.ts').then(({ playLick }) => playLick()))
}
