/** How long the share toast stays, milliseconds (docs/product.md §18.1). */
const SHARE_TOAST_MS = 2000

// `[data-share]` buttons copy the page's address (`{origin}{path}`) and show a toast; phones also open the share sheet.
for (const button of document.querySelectorAll<HTMLElement>('[data-share]'))
  button.addEventListener('click', () => void share(location.origin + button.dataset.share!))

async function share(address: string): Promise<void> {
  // First of all the copy: whatever becomes of the sheet, the link is there to paste, and no sheet takes the focus from it.
  try {
    await navigator.clipboard.writeText(address)
  } catch {
    copyWithSelection(address)
  }
  openShareSheet(address)
  const { toast } = await import('#ui/toast/toast.client.ts')
  toast({
    title: '¡Enlace copiado!',
    text: 'Puedes compartirlo donde quieras.',
    kind: 'success',
    duration: SHARE_TOAST_MS,
    // The pointer is on the button that was pressed, and the toast may come under it.
    ignoresPointer: true,
  })
}

/** Only where fingers are: a desktop's sheet offers less than the copied link does. Closed or refused, nothing is lost. */
function openShareSheet(url: string): void {
  if (!('share' in navigator) || !matchMedia('(pointer: coarse)').matches) return
  navigator.share({ title: document.title, url }).catch((error: unknown) => {
    if (!(error instanceof DOMException)) console.error(error)
  })
}

/** On plain http the clipboard API is closed; a selected field and the old command still copy. */
function copyWithSelection(text: string) {
  const field = document.body.appendChild(document.createElement('textarea'))
  field.value = text
  field.select()
  document.execCommand('copy')
  field.remove()
}
