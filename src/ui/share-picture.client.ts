// Shares a picture with its words by the system's sheet. Shown only where the browser shares files, in place of a link after it.

const PICTURE_TYPE = 'image/jpeg'

const probe = () => ({ files: [new File([''], 'tarjeta.jpg', { type: PICTURE_TYPE })] })

if (navigator.canShare?.(probe()))
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-share-picture]')) {
    button.hidden = false
    button.addEventListener('click', () => void sharePicture(button))
  }

async function sharePicture(button: HTMLButtonElement): Promise<void> {
  const { sharePicture: address = '', shareName = 'tarjeta.jpg', shareWords = '' } = button.dataset
  button.disabled = true
  try {
    const response = await fetch(address)
    if (!response.ok) throw new Error(`The card's picture answered ${response.status}`)
    const file = new File([await response.blob()], shareName, { type: PICTURE_TYPE })
    await navigator.share({ files: [file], text: shareWords })
  } catch (error) {
    // The sheet was closed. A browser also refuses one whose picture took too long after the press: that is said.
    if (error instanceof DOMException && error.name === 'AbortError') return
    const { toast } = await import('#ui/toast/toast.client.ts')
    toast({ title: 'No se pudo compartir', text: 'Descárgala y compártela desde tus fotos.', kind: 'error' })
  } finally {
    button.disabled = false
  }
}
