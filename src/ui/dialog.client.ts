// What the native <dialog> lacks. `data-dialog-open="id"` opens (a link with it stays a link without
// script); `data-dialog-close` inside closes; so does a click on the backdrop, unless the dialog holds
// `data-dialog-firm` (unsaved input). Escape and the return of the focus are the browser's. Styles in ui/styles/overlays.css.

/** Opens as a modal; the focus goes back to where it was when it closes. */
export function openDialog(dialog: HTMLDialogElement): void {
  if (!dialog.open) dialog.showModal()
}

document.addEventListener('click', (event) => {
  if (!(event.target instanceof Element)) return
  const opener = event.target.closest<HTMLElement>('[data-dialog-open]')
  const target = opener && document.getElementById(opener.dataset.dialogOpen!)
  // A click that asks for a new tab keeps its meaning.
  if (target instanceof HTMLDialogElement && !(event.metaKey || event.ctrlKey || event.shiftKey)) {
    event.preventDefault()
    openDialog(target)
  } else if (event.target.closest('[data-dialog-close]')) event.target.closest('dialog')?.close()
})

// A click on the backdrop is a press and a release outside the dialog's box. A text selection that only ends outside does not
// close it.
let pressedOutside: EventTarget | null = null
const isOutside = (event: MouseEvent, dialog: HTMLDialogElement) => {
  const { left, right, top, bottom } = dialog.getBoundingClientRect()
  return event.clientX < left || event.clientX > right || event.clientY < top || event.clientY > bottom
}

document.addEventListener('pointerdown', (event) => {
  const { target } = event
  pressedOutside = target instanceof HTMLDialogElement && isOutside(event, target) ? target : null
})
document.addEventListener('pointerup', (event) => {
  const dialog = pressedOutside
  pressedOutside = null
  if (dialog instanceof HTMLDialogElement && dialog === event.target && isOutside(event, dialog))
    if (!('dialogFirm' in dialog.dataset)) dialog.close()
})
