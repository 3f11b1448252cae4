import { inBackground } from '#lib/background.client.ts'
import { paths } from '#lib/paths.ts'
import { HONEYPOT_FIELD } from '#lib/honeypot.ts'
import type { ToastOptions } from '#ui/toast/toast.ts'
import { emailError, toSendingError, SIGN_IN_TEXTS } from './sign-in.ts'

// The sign-in forms work as they are. This adds: the button waits for an address, errors show in place, and after
// sending the code field takes the form's place without a new page.

const LABEL = 'Recibir enlace mágico'
const BUSY_LABEL = 'Enviando...'

/** The box says it, too: the toasts' code comes with the first sign of somebody (layouts/load-toasts.client.ts), not with the page. */
const showToast = (options: ToastOptions) =>
  inBackground(import('#ui/toast/toast.client.ts').then(({ toast }) => toast(options)))

function showError(form: HTMLFormElement, message: string): void {
  const box = form.querySelector<HTMLElement>('[data-error]')!
  box.querySelector('[data-error-text]')!.textContent = message
  box.hidden = message === ''
  form.querySelector('.input')!.toggleAttribute('aria-invalid', false)
  if (message) form.querySelector('.input')!.setAttribute('aria-invalid', 'true')
}

/** Asks for the mail. Answers the sentence of what went wrong, or null. */
async function requestMail(email: string, trap: string): Promise<string | null> {
  try {
    const response = await fetch(paths.api.magicLink, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email, ...(trap && { [HONEYPOT_FIELD]: trap }) }),
    })
    if (response.ok) return null
    const { detail }: { detail?: string } = await response.json()
    return toSendingError(response.status, detail)
  } catch {
    return SIGN_IN_TEXTS.failed
  }
}

function enhance(root: HTMLElement): void {
  const form = root.querySelector<HTMLFormElement>('[data-magic-link]')!
  const sent = root.querySelector<HTMLElement>('[data-sent]')!
  const input = form.querySelector<HTMLInputElement>('[name=email]')!
  const button = form.querySelector<HTMLButtonElement>('[type=submit]')!
  const label = button.querySelector('[data-label]')!
  const idle = label.textContent ?? LABEL
  let busy = false

  const refresh = () => {
    button.disabled = busy || input.value.trim() === ''
    button.toggleAttribute('aria-busy', busy)
    label.textContent = busy ? BUSY_LABEL : idle
  }
  const refuse = (message: string) => {
    showError(form, message)
    showToast({ title: message, kind: 'error' })
    input.focus()
  }
  input.addEventListener('input', () => {
    showError(form, '')
    refresh()
  })
  // A disabled button swallows Enter: say why nothing happens.
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && input.value.trim() === '') refuse(SIGN_IN_TEXTS.blankEmail)
  })
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    if (busy) return
    const wrong = emailError(input.value)
    if (wrong) return refuse(wrong)
    busy = true
    refresh()
    const failure = await requestMail(
      input.value,
      form.querySelector<HTMLInputElement>(`[name=${HONEYPOT_FIELD}]`)!.value,
    )
    busy = false
    refresh()
    if (failure) return refuse(failure)
    showError(form, '')
    // Above: below it would lie over the code field on a phone.
    showToast({ title: SIGN_IN_TEXTS.sent, kind: 'success', style: 'dialog' })
    form.hidden = true
    sent.hidden = false
    sent.querySelector('[data-sent-to]')!.textContent = input.value.trim()
    sent.querySelector<HTMLInputElement>('[name=email]')!.value = input.value.trim()
    sent.querySelector<HTMLElement>('h2')!.focus()
  })
  sent.querySelector('[data-again]')!.addEventListener('click', () => {
    sent.hidden = true
    form.hidden = false
    input.focus()
  })
  refresh()
  // The browser may put an address back after this ran (Back, autofill).
  addEventListener('pageshow', refresh)
}

for (const root of document.querySelectorAll<HTMLElement>('[data-sign-in]')) enhance(root)
