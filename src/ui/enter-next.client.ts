// Enter in a field with `enterkeyhint="next"` goes on to the form's next field, where it would send a form of which more is to be filled in.

import { isComposing } from './typing.client.ts'

const isField = (element: Element): element is HTMLElement =>
  element.matches('textarea, select, input:not([type="hidden"])') && element.getClientRects().length > 0

// `keypress` is what sends a form. Browsers take a suggestion on `keydown`, which stays theirs.
document.addEventListener('keypress', (event) => {
  if (event.key !== 'Enter' || isComposing(event) || !(event.target instanceof HTMLInputElement)) return
  const { form, enterKeyHint } = event.target
  if (!form || enterKeyHint !== 'next') return
  event.preventDefault()
  const elements = [...form.elements]
  elements
    .slice(elements.indexOf(event.target) + 1)
    .find(isField)
    ?.focus()
})
