import { htmx } from '#ui/htmx.client.ts'
import { requireElement } from '#lib/require-element.client.ts'

const SAVE_ERROR = 'Error al guardar los cambios'

// Saves in place: the response is the page, whose title and #raza replace the current ones. Without script the form posts and
// redirects back.
document.addEventListener('submit', async (event) => {
  const form = event.target instanceof Element && event.target.closest<HTMLFormElement>('form[data-breed-edit]')
  if (!form) return
  event.preventDefault()
  const button = event.submitter instanceof HTMLButtonElement ? event.submitter : null
  button?.setAttribute('aria-busy', 'true')
  try {
    const body = new URLSearchParams(
      [...new FormData(form, button)].map(([name, value]): [string, string] => [name, String(value)]),
    )
    const response = await fetch(form.action, { method: 'POST', body })
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    const replacement = page.querySelector('#raza')
    if (!replacement) throw new Error(`answered ${response.status}`)
    document.title = page.title
    requireElement(document, '#raza').replaceWith(replacement)
    htmx.process(replacement)
    document.querySelector<HTMLElement>('[aria-invalid=true], #editar summary')?.focus()
  } catch (error) {
    console.error(error)
    button?.removeAttribute('aria-busy')
    requireElement(form, '.status').textContent = SAVE_ERROR
  }
})
