import { useEffect } from 'react'
import { inBackground } from '#lib/background.client.ts'

/** Several dogs may arrive at once, and the map's index takes about a second to include them. */
const REFRESH_DELAY_MS = 2500

/** Calls `refresh` after a dog is saved: by this member, or by others where live events reach the page. */
export function useLiveDogs(refresh: () => void): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isUnmounted = false
    let stop = () => {}
    const scheduleRefresh = () => {
      clearTimeout(timer)
      timer = setTimeout(refresh, REFRESH_DELAY_MS)
    }
    window.addEventListener('perrario:dog-saved', scheduleRefresh)
    // Only members receive live events.
    if (document.body.dataset.member)
      inBackground(
        import('#features/live/live.client.ts').then((live) => {
          if (!isUnmounted) stop = live.onLive('dog', scheduleRefresh)
        }),
      )
    return () => {
      isUnmounted = true
      clearTimeout(timer)
      window.removeEventListener('perrario:dog-saved', scheduleRefresh)
      stop()
    }
  }, [refresh])
}
