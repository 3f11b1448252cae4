// Forms with `novalidate` say what is missing in the site's own words, beside each field, before anything is sent. The server says the
// rest, as it says everything where no script runs.

type Field = HTMLInputElement | HTMLTextAreaElement

const findError = (field: Field): HTMLElement | null => document.getElementById(`${field.id}-error`)

/**
 * Shows a sentence beside a field that has a `RequiredError`, or takes it away.
 * @param sentence by default the one for an empty field; null for none
 */
export function setFieldError(field: Field, sentence?: string | null): void {
  const error = findError(field)
  if (!error) return
  const isWrong = sentence !== null
  if (isWrong) error.querySelector('span')!.textContent = sentence ?? error.dataset.missing ?? ''
  error.hidden = !isWrong
  const described = (field.getAttribute('aria-describedby') ?? '').split(' ').filter((id) => id && id !== error.id)
  if (isWrong) described.unshift(error.id)
  if (described.length > 0) field.setAttribute('aria-describedby', described.join(' '))
  else field.removeAttribute('aria-describedby')
  field.ariaInvalid = isWrong ? 'true' : null
}

function watchForm(form: HTMLFormElement): void {
  // What the server refused: `autofocus` does not move where the address has a fragment.
  form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  form.addEventListener('input', ({ target }) => setFieldError(target as Field, null))
  form.addEventListener('submit', (event) => {
    if ((event.submitter as HTMLButtonElement | null)?.formNoValidate) return
    const required = form.querySelectorAll<Field>(':is(input, textarea)[required]')
    const missing = [...required].filter((field) => field.value.trim() === '' && findError(field))
    if (missing.length === 0) return
    event.preventDefault()
    for (const field of missing) setFieldError(field)
    missing[0]!.focus()
  })
}

for (const form of document.querySelectorAll<HTMLFormElement>('form[novalidate]')) watchForm(form)
