// Shares a picture with its words by the system's sheet. A button is shown only where that takes files. A link leads on by itself where there
// is no sheet, and shares its words alone where the sheet takes no files or the picture takes too long.

const PICTURE_TYPE = 'image/jpeg'
/** A browser forgets the press after some five seconds: a link shares its words where the picture takes longer than this, ms. */
const PICTURE_TIMEOUT_MS = 3000

const canShareFile = (): boolean =>
  navigator.canShare?.({ files: [new File(['-'], 'foto.jpg', { type: PICTURE_TYPE })] }) === true

async function fetchPicture({ sharePicture = '', shareName = 'foto.jpg' }: DOMStringMap): Promise<File | undefined> {
  const response = await fetch(sharePicture).catch(() => null)
  return response?.ok ? new File([await response.blob()], shareName, { type: PICTURE_TYPE }) : undefined
}

/** @param isEarly fetches the picture before the press, where it is expected soon */
export function connectShare(element: HTMLElement, isEarly = false): void {
  const takesFiles = canShareFile()
  const link = element instanceof HTMLAnchorElement ? element : null
  if (link ? !('share' in navigator) : !takesFiles) return
  element.hidden = false
  const early = isEarly && takesFiles ? fetchPicture(element.dataset) : undefined
  let isBusy = false
  element.addEventListener('click', (event) => {
    event.preventDefault()
    if (isBusy) return
    isBusy = true
    void share().finally(() => (isBusy = false))
  })

  async function share(): Promise<void> {
    const picture = early ?? (takesFiles ? fetchPicture(element.dataset) : undefined)
    const late = new Promise<undefined>((done) => setTimeout(done, PICTURE_TIMEOUT_MS))
    const image = await (link ? Promise.race([picture, late]) : picture)
    const text = element.dataset.shareWords
    try {
      if (!image && !link) throw new Error('The picture could not be fetched')
      await navigator.share({ ...(image && { files: [image] }), ...(text && { text }) })
    } catch (error) {
      // The sheet was closed. A browser also refuses one whose picture took too long after the press: that is said.
      if (error instanceof DOMException && error.name === 'AbortError') return
      if (link) return void open(link.href, '_blank', 'noopener')
      const { toast } = await import('#ui/toast/toast.client.ts')
      toast({ title: 'No se pudo compartir', text: 'Descárgala y compártela desde tus fotos.', kind: 'error' })
    }
  }
}

for (const element of document.querySelectorAll<HTMLElement>('[data-share-picture]')) connectShare(element)
