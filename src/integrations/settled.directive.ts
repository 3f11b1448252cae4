import type { ClientDirective } from 'astro'
import { whenFirstPhotosPainted } from '#features/photos/first-paint.client.ts'

const WAKE_EVENTS = ['pointerover', 'touchstart', 'focusin', 'keydown'] as const

/**
 * `client:settled`: hydrates the island when its first photos (those that do not load lazily) are painted and the browser is idle, so
 * that its code does not delay them; at once at the first pointer, focus or key on it.
 */
const settled: ClientDirective = (load, _options, island) => {
  let hydration: Promise<void> | undefined
  const wake = () => {
    hydration ??= load().then((hydrate) => hydrate())
    for (const name of WAKE_EVENTS) island.removeEventListener(name, wake)
  }
  for (const name of WAKE_EVENTS) island.addEventListener(name, wake, { passive: true })
  // Safari has no requestIdleCallback.
  const whenIdle = () => ('requestIdleCallback' in window ? requestIdleCallback(wake) : setTimeout(wake, 200))
  void whenFirstPhotosPainted(island).then(whenIdle)
}

export default settled
