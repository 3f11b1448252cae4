// Makes the search field a combobox: htmx loads the list while the user types (attributes in SearchField.astro), arrows move
// through it, Enter opens the active option, Escape closes the list and then leaves the field.
import { htmx } from '#ui/htmx.client.ts'
import { stepOption } from '#lib/combobox.ts'
import { isComposing } from '#ui/typing.client.ts'
import { SUGGEST_MIN_CHARS } from './search.ts'

const form = document.querySelector<HTMLFormElement>('[data-search]')!
const field = form.querySelector<HTMLInputElement>('[name=q]')!
const list = form.querySelector<HTMLElement>('#search-list')!
const liveRegion = form.querySelector<HTMLElement>('[role=status]')!

field.setAttribute('role', 'combobox')
field.setAttribute('aria-autocomplete', 'list')
field.setAttribute('aria-controls', list.id)
field.setAttribute('aria-expanded', 'false')

const options = () => [...list.querySelectorAll<HTMLElement>('[role=option]')]
const isOpen = () => !list.hidden

function highlight(option: HTMLElement | undefined) {
  for (const each of options()) each.setAttribute('aria-selected', String(each === option))
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

/** Whether suggestions are still wanted: an answer that comes after the field was left or emptied is outdated. */
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
// A press on an option must not move the focus: the list would close before the click.
list.addEventListener('pointerdown', (event) => event.pointerType === 'mouse' && event.preventDefault())

field.addEventListener('keydown', (event) => {
  if (isComposing(event)) return
  const all = options()
  const index = all.findIndex((option) => option.getAttribute('aria-selected') === 'true')
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    if (all.length === 0 || !isExpectingSuggestions()) return
    event.preventDefault()
    if (!isOpen()) toggleList(true)
    // A step past either end returns to the field: no option is active.
    highlight(all[stepOption(index, event.key === 'ArrowDown' ? 1 : -1, all.length, true)])
  } else if (event.key === 'Enter' && isOpen() && index >= 0) {
    event.preventDefault()
    all[index]?.click()
  } else if (event.key === 'Escape') {
    // The browser's default would clear the field.
    event.preventDefault()
    if (isOpen()) toggleList(false)
    else field.blur()
  }
})

// Handles what was typed while this module was loading.
htmx.process(form)
if (isExpectingSuggestions()) htmx.trigger(field, 'suggest')
