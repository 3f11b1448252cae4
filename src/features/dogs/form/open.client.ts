import { paths } from '#lib/paths.ts'

// `paths.addDog` leads to the list with the dialog open: a page's own add-dog button is pressed for the person. The
// island listens soon after the page has come, so the press is repeated until it answers.

const EVERY = 60
const PRESSES = 100
/** In the address when another app shared photos: `si`, or `no` where they did not arrive. */
const SHARED = 'compartido'

const isOpen = (dialog = '.df') => document.querySelector(`${dialog}[open]`) !== null

/** Whoever answers to the press has heard it when it comes here. Where nobody did yet, its link is not followed. */
const stay = (event: Event) => event.preventDefault()

function press(button: HTMLElement, left: number): void {
  window.addEventListener('click', stay)
  button.click()
  window.removeEventListener('click', stay)
  if (left > 0 && !button.ariaBusy && !isOpen(':is(.df, .df-frame)')) setTimeout(() => press(button, left - 1), EVERY)
}

function open(): void {
  if (location.hash !== new URL(paths.addDog, location.href).hash) return
  const address = new URL(location.href)
  if (address.searchParams.get(SHARED) === 'no') void tellLost()
  address.searchParams.delete(SHARED)
  // A reload or Back should not open it again.
  history.replaceState(history.state, '', address.pathname + address.search)
  const buttons = [...document.querySelectorAll<HTMLElement>('[data-add-dog]')]
  const button = buttons.find((b) => b.checkVisibility()) ?? buttons[0]
  if (!button) return
  // The dialog gives the focus back to where it was.
  button.focus({ preventScroll: true })
  press(button, PRESSES)
}

/** Over the dialog, so not before it. */
async function tellLost(left = PRESSES): Promise<void> {
  if (!isOpen() && left > 0) return void setTimeout(() => void tellLost(left - 1), EVERY)
  const { toast } = await import('#ui/toast.client.ts')
  toast({ title: 'La foto no ha llegado', text: 'Elígela aquí desde tu galería.', kind: 'error' })
}

open()
addEventListener('hashchange', open)
