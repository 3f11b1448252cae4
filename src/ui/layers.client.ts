// Back closes the top layer over the page (a dialog, popover, lightbox, popup of the map) and leaves the page only without one. One
// history entry, the guard, stands for all that are open; its state holds the address of the page's own entry below. It stays when the
// last one closes otherwise: taking it away could break off a navigation that begins in the same moment. The next layer uses it, or Back
// goes over it.

export interface Layer {
  isOpen: () => boolean
  /** Closes it, or asks first, as Escape does. */
  close: () => void
}

let layers: Layer[] = []
const addressBelow = (): string | undefined => (history.state as { layerOver?: string } | null)?.layerOver
let guarded = addressBelow()

/** Lets Back close a layer that has just opened. */
export function addLayer(...opened: Layer[]): void {
  layers = [...layers, ...opened].filter(({ isOpen }) => isOpen())
  if (layers.length === 0 || addressBelow() !== undefined) return
  // Going back to the entry below must not scroll to where it was left.
  history.scrollRestoration = 'manual'
  history.pushState({ ...(history.state as object | null), layerOver: location.href }, '')
  history.scrollRestoration = 'auto'
  guarded = location.href
}

const goBack = (event: Event): void => {
  const left = guarded
  guarded = addressBelow()
  if (guarded !== undefined || left !== location.href) return
  // The page's own content stays as it is.
  event.stopImmediatePropagation()
  const top = layers.findLast(({ isOpen }) => isOpen())
  if (!top) return history.back()
  history.scrollRestoration = 'auto'
  top.close()
  // For one below it, or itself, when it asks first.
  setTimeout(addLayer)
}
addEventListener('popstate', goBack, { capture: true })

const addOpen = (target: unknown): void => {
  if (target instanceof HTMLDialogElement && target.open)
    addLayer({ isOpen: () => target.open, close: () => (target.requestClose ?? target.close).call(target) })
  else if (target instanceof HTMLElement && target.popover === 'auto' && target.matches(':popover-open'))
    addLayer({ isOpen: () => target.matches(':popover-open'), close: () => target.hidePopover() })
}
document.addEventListener('toggle', ({ target }) => addOpen(target), { capture: true })
new MutationObserver((changes) => changes.forEach(({ target }) => addOpen(target))).observe(document, {
  subtree: true,
  attributeFilter: ['open'],
})
// What the interaction has opened that loads this.
document.querySelectorAll('dialog[open], :popover-open').forEach(addOpen)
