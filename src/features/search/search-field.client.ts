import { inBackground } from '#lib/background.client.ts'
import { isTyping } from '#ui/typing.client.ts'

// The search field's script on every page: «/» focuses the field, and the code of suggestions loads once it has the focus.

const field = document.querySelector<HTMLInputElement>('[data-search] [name=q]')

document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
  // On phones the header has a link instead of the field.
  if (!field?.checkVisibility() || isTyping(event) || document.querySelector('dialog[open]')) return
  event.preventDefault()
  field.focus()
  field.select()
})

const loadSuggest = () => inBackground(import('./suggest.client.ts'))
if (field === document.activeElement) loadSuggest()
else field?.addEventListener('focus', loadSuggest, { once: true })
