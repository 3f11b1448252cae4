/**
 * True while the page has input that a reload would lose. Islands and enhanced forms set `data-unsaved` on any element; the fields of
 * plain forms that post are checked here.
 */
export function hasUnsavedInput(): boolean {
  if (document.querySelector('[data-unsaved]')) return true
  const postForms = [...document.forms].filter((form) => form.method === 'post')
  return postForms.some((form) => [...form.elements].some((field) => isChanged(field) && field.checkVisibility()))
}

function isChanged(field: Element): boolean {
  if (field instanceof HTMLTextAreaElement) return field.value !== field.defaultValue
  if (field instanceof HTMLSelectElement) return [...field.options].some((o) => o.selected !== o.defaultSelected)
  if (!(field instanceof HTMLInputElement) || field.type === 'hidden') return false
  if (field.type === 'checkbox' || field.type === 'radio') return field.checked !== field.defaultChecked
  return field.value !== field.defaultValue
}
