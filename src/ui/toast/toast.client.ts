import { loadStylesheet } from '#ui/stylesheet.client.ts'
import { createToastElement } from './toast-element.ts'
import { NEXT_PAGE_TOAST_KEY } from './next-page-key.ts'
import {
  applyToastDefaults,
  STACK_GAP_PX,
  STACK_MAX_TOASTS,
  SWIPE_DISMISS_PX,
  type ToastOptions,
  type ToastStyle,
} from './toast.ts'
import styles from './toast.css?url'

// `toast({ title, text?, kind?, style?, form? })` from anywhere in the browser. Which message has which style: ui/toast/toast.ts.
// Timers pause while the pointer or the focus is on the toasts, or the tab is hidden; with `ignoresPointer` the pointer does not
// count. F8 focuses the newest one, Escape dismisses the focused one.

interface OpenToast {
  element: HTMLElement
  style: ToastStyle
  ignoresPointer: boolean
  /** Remaining time, ms; it runs while `timer` is set. */
  remainingMs: number
  startedAt: number
  timer: ReturnType<typeof setTimeout> | undefined
}

/** Newest first. */
let openToasts: OpenToast[] = []
let focusedBefore: HTMLElement | null = null

const LEAVE_ANIMATION_MS = 200
const regions = { dialog: createRegion('dialog'), stack: createRegion('stack') }

/** A landmark with two live regions, which must exist before a toast is added to them. */
function createRegion(style: ToastStyle) {
  const region = document.createElement('section')
  region.className = `toasts toasts-${style}`
  region.setAttribute('aria-label', style === 'dialog' ? 'Avisos (F8)' : 'Mensajes (F8)')
  region.popover = 'manual'
  region.hidden = true
  const createLiveRegion = (role: string) => {
    const box = document.createElement('div')
    box.setAttribute('role', role)
    box.setAttribute('aria-atomic', 'false')
    region.append(box)
    return box
  }
  const polite = createLiveRegion('status')
  const urgent = createLiveRegion('alert')
  // A pointer that rests where a toast appears does not pause its timer: a toast under a pressed button would stay for ever.
  // Browsers send that pointer `pointerenter`, and some a `pointermove` with a movement of 0.
  region.addEventListener(
    'pointermove',
    ({ movementX, movementY }) => (movementX || movementY) && setExpanded(region, true),
  )
  region.addEventListener('pointerleave', () => setExpanded(region, false))
  region.addEventListener('focusin', () => setExpanded(region, true))
  region.addEventListener('focusout', () => setExpanded(region, region.matches(':hover')))
  document.body.append(region)
  region.showPopover()
  return { region, polite, urgent }
}

function setExpanded(region: HTMLElement, isExpanded: boolean) {
  region.toggleAttribute('data-expanded', isExpanded)
  updateTimers()
}

function isPaused({ style, ignoresPointer }: OpenToast): boolean {
  const { region } = regions[style]
  if (document.hidden) return true
  return ignoresPointer ? region.contains(document.activeElement) : region.hasAttribute('data-expanded')
}

function updateTimers() {
  for (const toast of openToasts) {
    if (isPaused(toast) && toast.timer !== undefined) {
      clearTimeout(toast.timer)
      toast.timer = undefined
      toast.remainingMs -= performance.now() - toast.startedAt
    } else if (!isPaused(toast) && toast.timer === undefined) {
      toast.startedAt = performance.now()
      toast.timer = setTimeout(() => dismiss(toast), Math.max(0, toast.remainingMs))
    }
  }
}

/** Moves the toasts into the topmost modal dialog, which makes everything outside it inert, and back when it closes. */
function moveToTopDialog() {
  const host = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.body
  for (const { region } of Object.values(regions)) {
    if (region.parentElement === host) continue
    host.append(region)
    region.showPopover()
  }
}

/** Sets each toast's index from the front, and its offset when the stack is expanded. */
function layoutToasts(style: ToastStyle) {
  let offset = 0
  for (const [index, { element }] of openToasts.filter((toast) => toast.style === style).entries()) {
    element.style.setProperty('--i', String(index))
    element.style.setProperty('--offset', `${offset}px`)
    element.inert = index >= STACK_MAX_TOASTS
    offset += element.offsetHeight + STACK_GAP_PX
  }
}

function dismiss(toast: OpenToast) {
  if (!openToasts.includes(toast)) return
  clearTimeout(toast.timer)
  const { element } = toast
  const hadFocus = element.contains(document.activeElement)
  openToasts = openToasts.filter((other) => other !== toast)
  element.dataset.leaving = ''
  setTimeout(() => element.remove(), LEAVE_ANIMATION_MS)
  if (hadFocus) (openToasts[0]?.element ?? focusedBefore)?.focus()
  layoutToasts(toast.style)
}

/** Shows a message. @returns a function that dismisses it */
export function toast(options: ToastOptions): () => void {
  const { style, kind, duration, title, text, form, ignoresPointer = false } = applyToastDefaults(options)
  moveToTopDialog()
  if (style === 'dialog') for (const other of openToasts.filter((toast) => toast.style === 'dialog')) dismiss(other)
  const element = createToastElement({ title, text, kind }, () => dismiss(entry))
  const entry: OpenToast = { element, style, ignoresPointer, remainingMs: duration, startedAt: 0, timer: undefined }
  enableSwipe(entry)
  for (const change of ['input', 'submit']) form?.addEventListener(change, () => dismiss(entry), { once: true })
  regions[style][kind === 'error' ? 'urgent' : 'polite'].append(element)
  openToasts = [entry, ...openToasts]
  layoutToasts(style)
  updateTimers()
  return () => dismiss(entry)
}

/** Drags the toast with the finger; past the threshold, sideways or towards its edge, letting go dismisses it. */
function enableSwipe(toast: OpenToast) {
  const { element } = toast
  let start: { x: number; y: number } | undefined
  const distance = (event: PointerEvent) => {
    const y = event.clientY - start!.y
    return { x: event.clientX - start!.x, y: toast.style === 'dialog' ? Math.min(0, y) : Math.max(0, y) }
  }
  const moveTo = (x: number, y: number) => {
    element.style.setProperty('--x', `${x}px`)
    element.style.setProperty('--y', `${y}px`)
  }
  const end = (event: PointerEvent) => {
    if (!start) return
    const { x, y } = distance(event)
    start = undefined
    delete element.dataset.dragged
    if (event.type === 'pointerup' && Math.max(Math.abs(x), Math.abs(y)) >= SWIPE_DISMISS_PX) dismiss(toast)
    else moveTo(0, 0)
  }
  element.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 || (event.target as Element).closest('button, a')) return
    start = { x: event.clientX, y: event.clientY }
    element.dataset.dragged = ''
    element.setPointerCapture(event.pointerId)
  })
  // WebKit would select the page's text during the swipe.
  element.addEventListener('mousedown', (event) => start && event.preventDefault())
  element.addEventListener('pointermove', (event) => {
    if (!start) return
    const { x, y } = distance(event)
    if (Math.abs(x) >= Math.abs(y)) moveTo(x, 0)
    else moveTo(0, y)
  })
  element.addEventListener('pointerup', end)
  element.addEventListener('pointercancel', end)
}

document.addEventListener('visibilitychange', updateTimers)
document.addEventListener('close', moveToTopDialog, { capture: true })
document.addEventListener('keydown', (event) => {
  const newest = openToasts[0]
  if (event.key === 'F8' && newest) {
    event.preventDefault()
    if (!newest.element.contains(document.activeElement)) focusedBefore = document.querySelector(':focus')
    newest.element.focus()
  }
  if (event.key !== 'Escape') return
  const focused = openToasts.find(({ element }) => element.contains(document.activeElement))
  if (!focused) return
  event.preventDefault()
  dismiss(focused)
})

// The styles load after the first paint, which has no toast. The regions stay hidden until then: an unstyled popover is a box in
// the middle of the page.
void loadStylesheet(styles).then(() => {
  for (const { region } of Object.values(regions)) region.hidden = false
  for (const style of ['dialog', 'stack'] as const) layoutToasts(style)
})

/** Shows the message on the next page, for actions that end with a reload or a navigation. */
export function toastOnNextPage(options: ToastOptions): void {
  try {
    sessionStorage.setItem(NEXT_PAGE_TOAST_KEY, JSON.stringify(options))
  } catch {
    // Storage is blocked: the next page shows by itself what has changed.
  }
}

function takeNextPageToast(): string | null {
  try {
    const taken = sessionStorage.getItem(NEXT_PAGE_TOAST_KEY)
    sessionStorage.removeItem(NEXT_PAGE_TOAST_KEY)
    return taken
  } catch {
    return null
  }
}

const nextPageToast = takeNextPageToast()
if (nextPageToast) toast(JSON.parse(nextPageToast) as ToastOptions)
