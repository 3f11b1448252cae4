import type { ClientDirective } from 'astro'

const WARMING = ['pointerover', 'focusin', 'touchstart'] as const

/**
 * `client:demand="[selector]"`: the island's code comes when something matching the selector is pointed at or focused,
 * and the island wakes at the first click on one. That click is played again once the island says `island:ready`, so
 * that its own listener sees it and nobody clicks twice. Should the code not arrive, the trigger does what it does
 * without script: a link is followed.
 */
const demand: ClientDirective = (load, { value }, island) => {
  const selector = String(value)
  let loading: ReturnType<typeof load> | undefined
  let waiting: HTMLElement | undefined

  const triggerOf = (event: Event) =>
    event.target instanceof Element ? event.target.closest<HTMLElement>(selector) : null
  const fetchIsland = () => (loading ??= load())
  const warm = (event: Event) => {
    if (triggerOf(event)) void fetchIsland()
  }

  const wake = async (event: MouseEvent) => {
    const trigger = triggerOf(event)
    if (!trigger || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    const isFirst = !waiting
    waiting?.removeAttribute('aria-busy')
    waiting = trigger
    trigger.setAttribute('aria-busy', 'true')
    if (isFirst) await (await fetchIsland())()
  }
  const stop = () => {
    for (const name of WARMING) document.removeEventListener(name, warm)
    document.removeEventListener('click', wake)
  }
  const playAgain = () => {
    const trigger = waiting
    waiting = undefined
    trigger?.removeAttribute('aria-busy')
    trigger?.click()
  }

  island.addEventListener('island:ready', () => {
    stop()
    playAgain()
  })
  island.addEventListener('astro:hydration-error', () => {
    loading = undefined
    if (waiting instanceof HTMLAnchorElement) {
      stop()
      playAgain()
    } else waiting = undefined
  })
  for (const name of WARMING) document.addEventListener(name, warm, { passive: true })
  document.addEventListener('click', wake)
}

export default demand
