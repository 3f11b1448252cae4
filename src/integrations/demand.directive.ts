import type { ClientDirective } from 'astro'

/**
 * `client:demand="[selector]"`: loads the island's code when an element that matches the selector is pointed at or focused, and
 * hydrates it at the first click on one. After the island's event `island:ready` that click is repeated, so that the island's
 * own listener sees it. Where the code does not load, the trigger does what it does without script: a link is followed.
 *
 * Before hydration the island element fires `island:hydrating` (its `relatedTarget` is the clicked element), so that a loading state
 * can be shown at once, and `island:failed` where hydration fails. `island:cancel` cancels the click.
 */
const demand: ClientDirective = (load, { value }, island) => {
  const selector = String(value)
  let loading: ReturnType<typeof load> | undefined
  let hydrating: Promise<void> | undefined
  let waiting: HTMLElement | undefined

  // The target may be the document, which has neither `closest` nor `matches`.
  const triggerOf = (event: Event) => (event.target as Partial<Element>).closest?.<HTMLElement>(selector)
  const fetchIsland = () => (loading ??= load())
  const prefetchOnIntent = (event: Event) => {
    if (triggerOf(event)) void fetchIsland()
  }
  const prefetchByMouse = (event: PointerEvent) => event.pointerType === 'touch' || prefetchOnIntent(event)
  // Only keyboard focus: that of a tap comes right before its click.
  const prefetchByKeyboard = (event: FocusEvent) =>
    (event.target as Partial<Element>).matches?.(':focus-visible') && prefetchOnIntent(event)
  // Fetches without running: a tap follows at once, and running code would delay it.
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
    island.dispatchEvent(new FocusEvent('island:hydrating', { relatedTarget: trigger }))
    // The loading state must be painted before the code keeps the browser busy.
    await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)))
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
    // Another island may have rendered its part again meanwhile: no listener sees a click on a detached link, which is followed.
    const isDetached = !trigger.isConnected
    if (isDetached) document.body.append(trigger)
    trigger.click()
    if (isDetached) trigger.remove()
  }

  island.addEventListener('island:ready', () => {
    removeListeners()
    // Until the effect that fires the event returns, React cannot hydrate another island and stops clicks on it: the browser would
    // follow the link.
    queueMicrotask(replayClick)
  })
  island.addEventListener('island:cancel', clearPendingClick)
  island.addEventListener('astro:hydration-error', () => {
    loading = hydrating = undefined
    island.dispatchEvent(new Event('island:failed'))
    if (waiting instanceof HTMLAnchorElement) {
      removeListeners()
      replayClick()
    } else clearPendingClick()
  })
  // Passive without the option: browsers take listeners for touches on the document so.
  document.addEventListener('pointerover', prefetchByMouse)
  document.addEventListener('focusin', prefetchByKeyboard)
  document.addEventListener('touchstart', preloadOnTouch)
  document.addEventListener('click', wake)
}

export default demand
