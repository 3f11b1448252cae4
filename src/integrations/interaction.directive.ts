import type { ClientDirective } from 'astro'

const WAKE_EVENTS = ['pointerover', 'focusin', 'keydown', 'island:wake'] as const

/**
 * `client:interaction`: the island wakes at the first pointer, focus or key on it, or when a script tells it
 * `island:wake`. A button clicked before it is awake is clicked again once the island says `island:ready`, so that nobody
 * clicks twice; links just lead where they lead.
 */
const interaction: ClientDirective = (load, _options, island) => {
  let waking: Promise<void> | undefined
  let waiting: HTMLElement | undefined

  const wake = () => {
    waking ??= load().then((hydrate) => hydrate())
  }
  const holdClick = (event: MouseEvent) => {
    wake()
    const button = event.target instanceof Element ? event.target.closest('button') : null
    if (!button) return
    event.preventDefault()
    waiting = button
  }

  island.addEventListener('island:ready', () => {
    for (const name of WAKE_EVENTS) island.removeEventListener(name, wake)
    island.removeEventListener('click', holdClick)
    waiting?.click()
    waiting = undefined
  })
  // The next sign tries again.
  island.addEventListener('astro:hydration-error', () => {
    waking = waiting = undefined
  })
  for (const name of WAKE_EVENTS) island.addEventListener(name, wake, { passive: true })
  island.addEventListener('click', holdClick)
}

export default interaction
