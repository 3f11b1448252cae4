/** Duration of the share toast (docs/product.md §18.1). */
const SHARE_TOAST_MS = 2000

// `[data-share]` buttons copy the page's address (`{origin}{path}`) and show a toast; phones also open the share sheet. With
// `data-share-text` that text stands before the address. A button that is hidden in the HTML is shown.
for (const button of document.querySelectorAll<HTMLElement>('[data-share]')) {
  button.addEventListener('click', () => void share(location.origin + button.dataset.share!, button.dataset.shareText))
  button.hidden = false
}

async function share(address: string, text?: string): Promise<void> {
  const copied = text ? `${text}\n${address}` : address
  // The copy comes first: the share sheet takes the focus, which the clipboard needs.
  const isCopied = await navigator.clipboard?.writeText(copied).then(
    () => true,
    () => false,
  )
  const isDone = isCopied || copyWithSelection(copied)
  openShareSheet(address, text)
  const { toast } = await import('#ui/toast/toast.client.ts')
  if (!isDone) return void toast({ title: 'No se ha podido copiar', text: `Cópialo a mano: ${copied}`, kind: 'error' })
  toast({
    title: text ? '¡Resultado copiado!' : '¡Enlace copiado!',
    text: 'Puedes compartirlo donde quieras.',
    kind: 'success',
    duration: SHARE_TOAST_MS,
    // The pointer rests on the pressed button, where the toast may appear.
    ignoresPointer: true,
  })
}

/** Opens the share sheet on touch devices only: a desktop's offers less than the copied link. Closing it is no error. */
function openShareSheet(url: string, text?: string): void {
  if (!('share' in navigator) || !matchMedia('(pointer: coarse)').matches) return
  navigator.share({ title: document.title, url, ...(text && { text }) }).catch((error: unknown) => {
    if (!(error instanceof DOMException)) console.error(error)
  })
}

/** Copies without the clipboard API, which plain http does not have: selects a field and runs the old command. @returns whether it did */
function copyWithSelection(text: string): boolean {
  const field = document.body.appendChild(document.createElement('textarea'))
  field.value = text
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  return isCopied
}
