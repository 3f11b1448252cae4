import { useEffect } from 'react'
import { inBackground } from '#lib/background.client.ts'
import { paths } from '#lib/paths.ts'

/** Several dogs may arrive at once, and the map's index takes about a second to include them. */
const REFRESH_DELAY_MS = 2500

/** How often a visitor's map asks whether there are new dogs, ms: only members receive live events. */
const VISITOR_POLL_MS = 20_000

/** Calls `refresh` after a dog is saved, by this member or by others; for a visitor, while the map is seen, at intervals. */
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
    let interval: ReturnType<typeof setInterval> | undefined
    if (document.body.dataset.member)
      inBackground(
        import('#features/live/live.client.ts').then((live) => {
          if (!isUnmounted) stop = live.onLive('dog', scheduleRefresh)
        }),
      )
    else {
      let dogs: number | undefined
      const poll = async () => {
        if (document.hidden) return
        const response = await fetch(paths.api.today)
        if (!response.ok || isUnmounted) return
        const before = dogs
        dogs = (await response.json()).dogs
        if (before !== undefined && before !== dogs) scheduleRefresh()
      }
      inBackground(poll())
      interval = setInterval(() => inBackground(poll()), VISITOR_POLL_MS)
    }
    return () => {
      isUnmounted = true
      clearTimeout(timer)
      clearInterval(interval)
      window.removeEventListener('perrario:dog-saved', scheduleRefresh)
      stop()
    }
  }, [refresh])
}
