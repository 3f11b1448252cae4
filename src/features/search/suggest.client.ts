// Makes a combobox of the search field: htmx asks for the list while somebody types (SearchField.astro says how), arrows
// walk through it, Enter opens what is marked, Escape closes the list and then leaves.
import { htmx } from '#ui/htmx.client.ts'
import { stepOption } from '#lib/combobox.ts'
import { SUGGEST_MIN_CHARS } from './search.ts'

const form = document.querySelector<HTMLFormElement>('[data-search]')!
const field = form.querySelector<HTMLInputElement>('[name=q]')!
const list = form.querySelector<HTMLElement>('#search-list')!
const liveRegion = form.querySelector<HTMLElement>('[data-search-said]')!

field.setAttribute('role', 'combobox')
field.setAttribute('aria-autocomplete', 'list')
field.setAttribute('aria-controls', list.id)
field.setAttribute('aria-expanded', 'false')

const options = () => [...list.querySelectorAll<HTMLElement>('[role=option]')]
const isOpen = () => !list.hidden

function highlight(option: HTMLElement | undefined) {
  for (const one of options()) one.setAttribute('aria-selected', String(one === option))
  if (option) field.setAttribute('aria-activedescendant', option.id)
  else field.removeAttribute('aria-activedescendant')
  option?.scrollIntoView({ block: 'nearest' })
}

function toggleList(isShown: boolean) {
  list.hidden = !isShown
  field.setAttribute('aria-expanded', String(isShown))
  highlight(undefined)
  if (!isShown) liveRegion.textContent = ''
}

/** What the list was asked for; an answer to anything else is old. */
const isExpectingSuggestions = () => document.activeElement === field && field.value.trim().length >= SUGGEST_MIN_CHARS

document.addEventListener('htmx:before:swap', (event) => {
  const { ctx } = (event as CustomEvent<{ ctx: { target: Element; response: { status: number } } }>).detail
  if (ctx.target === list && ctx.response.status !== 200) event.preventDefault()
})
document.addEventListener('htmx:after:swap', (event) => {
  const { ctx } = (event as CustomEvent<{ ctx: { target: Element } }>).detail
  if (ctx.target !== list) return
  const count = options().length
  toggleList(count > 0 && isExpectingSuggestions())
  if (!isExpectingSuggestions()) return
  liveRegion.textContent = count === 0 ? 'Sin sugerencias' : `${count} ${count === 1 ? 'sugerencia' : 'sugerencias'}`
})

field.addEventListener('input', () => {
  highlight(undefined)
  if (!isExpectingSuggestions()) toggleList(false)
})
field.addEventListener('focus', () => {
  if (options().length > 0 && isExpectingSuggestions()) toggleList(true)
})
form.addEventListener('focusout', ({ relatedTarget }) => {
  if (!(relatedTarget instanceof Node) || !form.contains(relatedTarget)) toggleList(false)
})
// A press on a line must not take the focus, which would close the list before the press is a click.
list.addEventListener('pointerdown', (event) => event.pointerType === 'mouse' && event.preventDefault())

field.addEventListener('keydown', (event) => {
  // Enter may choose a letter of an alphabet that is composed.
  if (event.isComposing) return
  const all = options()
  const at = all.findIndex((option) => option.getAttribute('aria-selected') === 'true')
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    if (all.length === 0 || !isExpectingSuggestions()) return
    event.preventDefault()
    if (!isOpen()) toggleList(true)
    // A step past either end returns to the field: no option is active.
    highlight(all[stepOption(at, event.key === 'ArrowDown' ? 1 : -1, all.length, true)])
  } else if (event.key === 'Enter' && isOpen() && at >= 0) {
    event.preventDefault()
    all[at]!.click()
  } else if (event.key === 'Escape') {
    // The browser's own would empty the field.
    event.preventDefault()
    if (isOpen()) toggleList(false)
    else field.blur()
  }
})

// What was typed while this was on its way.
htmx.process(form)
if (isExpectingSuggestions()) htmx.trigger(field, 'suggest')
