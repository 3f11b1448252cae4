import { showToast } from '#ui/toast/show-toast.client.ts'
import { paths } from '#lib/paths.ts'

// `paths.addDog` leads to the list with the dialog open: this script presses the page's own add-dog button. The island
// listens only some time after the page has loaded, so the press is repeated until the dialog opens.

const PRESS_INTERVAL_MS = 60
const MAX_PRESSES = 100
/** Parameter of the address after another app shared photos: `si`, or `no` when they did not arrive. */
const SHARED_PARAM = 'compartido'

const isOpen = (selector = '.df') => document.querySelector(`${selector}[open]`) !== null

/** The last listener of the press: keeps the browser from following the link while the island does not listen yet. */
const preventNavigation = (event: Event) => event.preventDefault()

function pressUntilOpen(button: HTMLElement, pressesLeft: number): void {
  window.addEventListener('click', preventNavigation)
  button.click()
  window.removeEventListener('click', preventNavigation)
  if (pressesLeft > 0 && !button.ariaBusy && !isOpen(':is(.df, .df-frame)'))
    setTimeout(() => pressUntilOpen(button, pressesLeft - 1), PRESS_INTERVAL_MS)
}

function openFromAddress(): void {
  if (location.hash !== new URL(paths.addDog, location.href).hash) return
  const address = new URL(location.href)
  if (address.searchParams.get(SHARED_PARAM) === 'no') void showLostPhotoToast()
  address.searchParams.delete(SHARED_PARAM)
  // A reload or Back must not open it again.
  history.replaceState(history.state, '', address.pathname + address.search)
  // Buttons only: an empty list also has a link for the time without script, which may replace itself during the press, and the
  // press would then be followed to the sign-in.
  const buttons = [...document.querySelectorAll<HTMLElement>('button[data-add-dog]')]
  const button = buttons.find((candidate) => candidate.checkVisibility()) ?? buttons[0]
  if (!button) return
  // The dialog returns the focus to this button.
  button.focus({ preventScroll: true })
  pressUntilOpen(button, MAX_PRESSES)
}

/** Waits for the dialog, since the toast must lie above it. */
async function showLostPhotoToast(checksLeft = MAX_PRESSES): Promise<void> {
  if (!isOpen() && checksLeft > 0)
    return void setTimeout(() => void showLostPhotoToast(checksLeft - 1), PRESS_INTERVAL_MS)
  await showToast({ title: 'La foto no ha llegado', text: 'Elígela aquí desde tu galería.', kind: 'error' })
}

openFromAddress()
addEventListener('hashchange', openFromAddress)
