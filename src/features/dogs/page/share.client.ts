/** How long the share toast stays, milliseconds (spec.md §8, successes). */
const SHARE_TOAST = 2000

/** `[data-share]` copies the page's address (`{origin}{path}`) and says so. */
export function startShare(): void {
  for (const button of document.querySelectorAll<HTMLElement>('[data-share]'))
    button.addEventListener('click', async () => {
      const address = location.origin + button.dataset.share!
      try {
        await navigator.clipboard.writeText(address)
      } catch {
        copyByHand(address)
      }
      const { toast } = await import('#ui/toast.client.ts')
      toast({
        title: '¡Enlace copiado!',
        text: 'Puedes compartirlo donde quieras.',
        kind: 'success',
        duration: SHARE_TOAST,
      })
    })
}

/** On plain http the clipboard API is closed; a selected field and the old command still copy. */
function copyByHand(text: string) {
  const field = document.body.appendChild(document.createElement('textarea'))
  field.value = text
  field.select()
  document.execCommand('copy')
  field.remove()
}
