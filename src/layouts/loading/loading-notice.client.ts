import { findLoadingText } from './loading-text.ts'

/** A page that loads within this time shows no notice, ms. */
const NOTICE_DELAY_MS = 600

let timer: ReturnType<typeof setTimeout> | undefined
let notice: HTMLElement | undefined

document.addEventListener('click', (event) => {
  const link = (event.target as Element).closest?.('a')
  if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
  if (link.origin !== location.origin || link.target || link.hasAttribute('download')) return
  // A place on this page loads nothing.
  if (link.hash && link.pathname + link.search === location.pathname + location.search) return
  const text = findLoadingText(link.pathname)
  if (!text) return
  clearTimeout(timer)
  timer = setTimeout(() => showNotice(text), NOTICE_DELAY_MS)
})

// A page that returns from the back/forward cache shows no old notice.
addEventListener('pageshow', () => {
  clearTimeout(timer)
  notice?.remove()
})

function showNotice(text: string) {
  notice ??= Object.assign(document.createElement('p'), { className: 'loading-notice' })
  notice.setAttribute('role', 'status')
  document.body.append(notice)
  notice.textContent = text
}
