import type { ClientDirective } from 'astro'

/**
 * `client:demand="[selector]"`: the island's code comes when something matching the selector is pointed at or focused,
 * and the island wakes at the first click on one. That click is played again once the island says `island:ready`, so
 * that its own listener sees it and nobody clicks twice. Should the code not arrive, the trigger does what it does
 * without script: a link is followed.
 *
 * Meanwhile the island element says `island:waking` (its `relatedTarget` is what was clicked) and, if nothing comes of
 * it, `island:asleep`, so that something can be shown at once; `island:never-mind` takes the click back.
 */
const demand: ClientDirective = (load, { value }, island) => {
  const selector = String(value)
  let loading: ReturnType<typeof load> | undefined
  let hydrating: Promise<void> | undefined
  let waiting: HTMLElement | undefined

  const triggerOf = (event: Event) =>
    event.target instanceof Element ? event.target.closest<HTMLElement>(selector) : null
  const fetchIsland = () => (loading ??= load())
  const prefetchOnIntent = (event: Event) => {
    if (triggerOf(event)) void fetchIsland()
  }
  const prefetchByMouse = (event: PointerEvent) => event.pointerType === 'touch' || prefetchOnIntent(event)
  // The focus that a tap brings comes right before its click.
  const prefetchByKeyboard = (event: FocusEvent) =>
    event.target instanceof Element && event.target.matches(':focus-visible') && prefetchOnIntent(event)
  // A tap follows at once, and code that runs meanwhile would hold it up: only fetch.
  const preloadOnTouch = (event: TouchEvent) => {
    if (!triggerOf(event) || loading) return
    document.removeEventListener('touchstart', preloadOnTouch)
    for (const name of ['component-url', 'renderer-url'])
      document.head.append(
        Object.assign(document.createElement('link'), { rel: 'modulepreload', href: island.getAttribute(name) }),
      )
  }

  const wake = async (event: MouseEvent) => {
    const trigger = triggerOf(event)
    if (!trigger || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    const isFirst = !waiting
    waiting?.removeAttribute('aria-busy')
    waiting = trigger
    trigger.setAttribute('aria-busy', 'true')
    if (!isFirst) return
    island.dispatchEvent(new FocusEvent('island:waking', { relatedTarget: trigger }))
    // What is shown at once must be on the screen before the code keeps the browser busy.
    await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))
    hydrating ??= fetchIsland().then((hydrate) => hydrate())
    await hydrating
  }
  const removeListeners = () => {
    document.removeEventListener('pointerover', prefetchByMouse)
    document.removeEventListener('focusin', prefetchByKeyboard)
    document.removeEventListener('touchstart', preloadOnTouch)
    document.removeEventListener('click', wake)
  }
  const clearPendingClick = () => {
    waiting?.removeAttribute('aria-busy')
    waiting = undefined
  }
  const replayClick = () => {
    const trigger = waiting
    clearPendingClick()
    if (!trigger) return
    // Another island may have drawn its part anew meanwhile: a link outside the page is heard by nobody, and followed.
    const isGone = !trigger.isConnected
    if (isGone) document.body.append(trigger)
    trigger.click()
    if (isGone) trigger.remove()
  }

  island.addEventListener('island:ready', () => {
    removeListeners()
    replayClick()
  })
  island.addEventListener('island:never-mind', clearPendingClick)
  island.addEventListener('astro:hydration-error', () => {
    loading = hydrating = undefined
    island.dispatchEvent(new Event('island:asleep'))
    if (waiting instanceof HTMLAnchorElement) {
      removeListeners()
      replayClick()
    } else clearPendingClick()
  })
  document.addEventListener('pointerover', prefetchByMouse, { passive: true })
  document.addEventListener('focusin', prefetchByKeyboard, { passive: true })
  document.addEventListener('touchstart', preloadOnTouch, { passive: true })
  document.addEventListener('click', wake)
}

export default demand
