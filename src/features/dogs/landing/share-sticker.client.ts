/** A browser forgets the press after some five seconds: the address is shared where the picture takes longer than this, ms. */
const PICTURE_TIMEOUT_MS = 3000

const fetchPicture = async (url: string, name: string): Promise<File | undefined> => {
  const response = await fetch(url)
  return response.ok ? new File([await response.blob()], name, { type: 'image/jpeg' }) : undefined
}

const canShareFile = (file: File): boolean => navigator.canShare?.({ files: [file] }) === true

/** Shares a dog's picture, or its address, by the browser's sheet; without one the link leads to WhatsApp. */
export function connectShare(link: HTMLAnchorElement): void {
  if (!('share' in navigator)) return
  const { landingShare: url = '', text = '', picture = '', file = '' } = link.dataset
  const takesPictures = canShareFile(new File(['-'], file, { type: 'image/jpeg' }))
  const fetched = takesPictures ? fetchPicture(picture, file).catch(() => undefined) : undefined
  link.addEventListener('click', (event) => {
    event.preventDefault()
    void share()
  })

  async function share(): Promise<void> {
    const late = new Promise<undefined>((done) => setTimeout(done, PICTURE_TIMEOUT_MS))
    const image = await Promise.race([fetched, late])
    try {
      await navigator.share(image ? { files: [image], text: `${text}\n${url}` } : { text, url })
    } catch (error) {
      // Whoever closes the sheet has changed their mind.
      if (!(error instanceof DOMException && error.name === 'AbortError')) open(link.href, '_blank', 'noopener')
    }
  }
}
