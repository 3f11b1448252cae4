import { inBackground } from '#lib/background.client.ts'

// The search field's first step, on every page that has one: «/» goes there, and what makes suggestions of what is typed
// comes once somebody is in it.

const field = document.querySelector<HTMLInputElement>('[data-search] [name=q]')

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable], dialog, em-emoji-picker')

document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
  // On a phone the header has a link in its place.
  if (!field?.checkVisibility() || isTyping(event.target) || document.querySelector('dialog[open]')) return
  event.preventDefault()
  field.focus()
  field.select()
})

const loadSuggest = () => inBackground(import('./suggest.client.ts'))
if (field === document.activeElement) loadSuggest()
else field?.addEventListener('focus', loadSuggest, { once: true })
