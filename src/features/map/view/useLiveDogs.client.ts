import { useEffect } from 'react'
import { inBackground } from '#lib/background.client.ts'

/** Many dogs may come at once; the index behind the map takes about a second to know them, ms. */
const REFRESH_DELAY_MS = 2500

/** Calls `refresh` after dogs came: this member's own at once, others' where the page hears of them. */
export function useLiveDogs(refresh: () => void): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isGone = false
    let stop = () => {}
    const soon = () => {
      clearTimeout(timer)
      timer = setTimeout(refresh, REFRESH_DELAY_MS)
    }
    window.addEventListener('perrario:dog-saved', soon)
    // Members only: nobody else hears anything.
    if (document.body.dataset.member)
      inBackground(
        import('#features/live/live.client.ts').then(({ onLive }) => {
          if (!isGone) stop = onLive('dog', soon)
        }),
      )
    return () => {
      isGone = true
      clearTimeout(timer)
      window.removeEventListener('perrario:dog-saved', soon)
      stop()
    }
  }, [refresh])
}
