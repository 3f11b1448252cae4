import { paths } from '#lib/paths.ts'

// `paths.addDog` leads to the list with the dialog open: a page's own add-dog button is pressed for the person. The
// island listens soon after the page has come, so the press is repeated until it answers.

const EVERY = 60
const PRESSES = 100

function press(button: HTMLElement, left: number): void {
  button.click()
  if (left > 0 && !button.ariaBusy && !document.querySelector('dialog.df[open]'))
    setTimeout(() => press(button, left - 1), EVERY)
}

function open(): void {
  if (location.hash !== new URL(paths.addDog, location.href).hash) return
  // A reload or Back should not open it again.
  history.replaceState(history.state, '', location.pathname + location.search)
  const buttons = [...document.querySelectorAll<HTMLElement>('[data-add-dog]')]
  const button = buttons.find((b) => b.checkVisibility()) ?? buttons[0]
  if (!button) return
  // The dialog gives the focus back to where it was.
  button.focus({ preventScroll: true })
  press(button, PRESSES)
}

open()
addEventListener('hashchange', open)
