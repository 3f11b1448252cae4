import { paths } from '#lib/paths.ts'

// `paths.addDog` leads to the list with the dialog open: a page's own add-dog button is pressed for the person. The
// island listens soon after the page has come, so the press is repeated until it answers.

const PRESS_INTERVAL_MS = 60
const MAX_PRESSES = 100
/** In the address when another app shared photos: `si`, or `no` where they did not arrive. */
const SHARED_PARAM = 'compartido'

const isOpen = (dialog = '.df') => document.querySelector(`${dialog}[open]`) !== null

/** Whoever answers to the press has heard it when it comes here. Where nobody did yet, its link is not followed. */
const preventNavigation = (event: Event) => event.preventDefault()

function pressUntilOpen(button: HTMLElement, left: number): void {
  window.addEventListener('click', preventNavigation)
  button.click()
  window.removeEventListener('click', preventNavigation)
  if (left > 0 && !button.ariaBusy && !isOpen(':is(.df, .df-frame)'))
    setTimeout(() => pressUntilOpen(button, left - 1), PRESS_INTERVAL_MS)
}

function openFromAddress(): void {
  if (location.hash !== new URL(paths.addDog, location.href).hash) return
  const address = new URL(location.href)
  if (address.searchParams.get(SHARED_PARAM) === 'no') void showLostPhotoToast()
  address.searchParams.delete(SHARED_PARAM)
  // A reload or Back should not open it again.
  history.replaceState(history.state, '', address.pathname + address.search)
  const buttons = [...document.querySelectorAll<HTMLElement>('[data-add-dog]')]
  const button = buttons.find((b) => b.checkVisibility()) ?? buttons[0]
  if (!button) return
  // The dialog gives the focus back to where it was.
  button.focus({ preventScroll: true })
  pressUntilOpen(button, MAX_PRESSES)
}

/** Over the dialog, so not before it. */
async function showLostPhotoToast(left = MAX_PRESSES): Promise<void> {
  if (!isOpen() && left > 0) return void setTimeout(() => void showLostPhotoToast(left - 1), PRESS_INTERVAL_MS)
  const { toast } = await import('#ui/toast/toast.client.ts')
  toast({ title: 'La foto no ha llegado', text: 'Elígela aquí desde tu galería.', kind: 'error' })
}

openFromAddress()
addEventListener('hashchange', openFromAddress)
