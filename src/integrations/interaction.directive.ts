import type { ClientDirective } from 'astro'

const WAKE_EVENTS = ['pointerover', 'focusin', 'keydown', 'island:wake'] as const

/**
 * `client:interaction`: hydrates the island at the first pointer, focus or key on it, or at the event `island:wake`. A click on a button
 * before hydration is repeated after the island's event `island:ready`; links work without it.
 */
const interaction: ClientDirective = (load, _options, island) => {
  let hydration: Promise<void> | undefined
  let waiting: HTMLElement | undefined

  const wake = () => {
    hydration ??= load().then((hydrate) => hydrate())
  }
  const deferClick = (event: MouseEvent) => {
    wake()
    const button = event.target instanceof Element ? event.target.closest('button') : null
    if (!button) return
    event.preventDefault()
    waiting = button
  }

  island.addEventListener('island:ready', () => {
    for (const name of WAKE_EVENTS) island.removeEventListener(name, wake)
    island.removeEventListener('click', deferClick)
    waiting?.click()
    waiting = undefined
  })
  // The next interaction tries again.
  island.addEventListener('astro:hydration-error', () => {
    hydration = waiting = undefined
  })
  for (const name of WAKE_EVENTS) island.addEventListener(name, wake, { passive: true })
  island.addEventListener('click', deferClick)
}

export default interaction
