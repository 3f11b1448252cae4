/**
 * True while the page holds input that loading it anew would lose. Islands and enhanced forms say so themselves, by
 * `data-unsaved` on any element; a plain form that posts is looked at field by field.
 */
export function hasUnsavedInput(): boolean {
  if (document.querySelector('[data-unsaved]')) return true
  const posting = [...document.forms].filter((form) => form.method === 'post')
  return posting.some((form) => [...form.elements].some((field) => isChanged(field) && field.checkVisibility()))
}

function isChanged(field: Element): boolean {
  if (field instanceof HTMLTextAreaElement) return field.value !== field.defaultValue
  if (field instanceof HTMLSelectElement) return [...field.options].some((o) => o.selected !== o.defaultSelected)
  if (!(field instanceof HTMLInputElement) || field.type === 'hidden') return false
  if (field.type === 'checkbox' || field.type === 'radio') return field.checked !== field.defaultChecked
  return field.value !== field.defaultValue
}
