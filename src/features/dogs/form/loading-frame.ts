/** The dialog without its fields, which stands from the tap on until the form's code has come (DogFormHost.astro). */
export const FRAME_SELECTOR = 'dialog.df-frame'

/** Takes it away; true when it was there. The focus goes back to what opened it. */
export function closeFrame(): boolean {
  const frame = document.querySelector<HTMLDialogElement>(FRAME_SELECTOR)
  if (!frame?.open) return false
  frame.close()
  return true
}
