import { SUGGEST_MIN_CHARS } from './places.ts'
import { paths } from '#lib/paths.ts'

// Suggests zones while the member types. The form takes any text without it.

/** Waits for a pause in typing, so that one word is one request. */
const DEBOUNCE_MS = 150

async function fetchPlaceNames(text: string, signal: AbortSignal): Promise<string[]> {
  const response = await fetch(paths.api.places(text), { signal, headers: { Accept: 'application/json' } })
  if (!response.ok) return []
  const { places } = (await response.json()) as { places: { name: string }[] }
  return places.map(({ name }) => name)
}

function suggestPlaces(input: HTMLInputElement, list: HTMLDataListElement): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let pending: AbortController | undefined
  input.addEventListener('input', () => {
    clearTimeout(timer)
    pending?.abort()
    const text = input.value.trim()
    if (text.length < SUGGEST_MIN_CHARS) return
    timer = setTimeout(() => {
      const controller = (pending = new AbortController())
      fetchPlaceNames(text, controller.signal)
        .then((names) => list.replaceChildren(...names.map((name) => new Option(name, name))))
        // Offline there are no suggestions.
        .catch(() => {})
    }, DEBOUNCE_MS)
  })
}

// Of a form's field with a datalist.
const input = document.querySelector<HTMLInputElement>('[data-places]')
if (input?.list instanceof HTMLDataListElement) suggestPlaces(input, input.list)
