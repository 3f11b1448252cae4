import { sendWithProof } from '#features/moderation/proof-of-work/with-proof.client.ts'
import { inBackground } from '#lib/background.client.ts'
import { paths } from '#lib/paths.ts'
import { HONEYPOT_FIELD } from '#lib/honeypot.ts'
import { showToast } from '#ui/toast/show-toast.client.ts'
import { isComposing } from '#ui/typing.client.ts'
import './code-form.client.ts'
import { emailError, toSendingError, SIGN_IN_TEXTS } from './sign-in.ts'

// Enhances the sign-in forms, which also work without script: the button is disabled without an address, errors show in
// place, and after sending the code field replaces the form without a new page.

const DEFAULT_LABEL = 'Recibir enlace mágico'
const BUSY_LABEL = 'Enviando...'

function showError(form: HTMLFormElement, message: string): void {
  const box = form.querySelector<HTMLElement>('[data-error]')!
  box.querySelector('[data-error-text]')!.textContent = message
  box.hidden = message === ''
  form.querySelector('.input')!.toggleAttribute('aria-invalid', false)
  if (message) form.querySelector('.input')!.setAttribute('aria-invalid', 'true')
}

/** Requests the mail. @returns the Spanish error, or what to say instead of that it was sent; neither where it was */
async function requestMail(email: string, honeypot: string): Promise<{ failure?: string; notice?: string }> {
  try {
    const { status, body } = await sendWithProof(async (headers) => {
      const response = await fetch(paths.api.magicLink, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify({ email, ...(honeypot && { [HONEYPOT_FIELD]: honeypot }) }),
      })
      return { status: response.status, body: (await response.json()) as { detail?: string; notice?: string } }
    })
    return status < 300 ? body : { failure: toSendingError(status, body.detail) }
  } catch {
    return { failure: SIGN_IN_TEXTS.failed }
  }
}

function enhanceSignIn(root: HTMLElement): void {
  const form = root.querySelector<HTMLFormElement>('[data-magic-link]')!
  const sent = root.querySelector<HTMLElement>('[data-sent]')!
  const input = form.querySelector<HTMLInputElement>('[name=email]')!
  const button = form.querySelector<HTMLButtonElement>('[type=submit]')!
  const label = button.querySelector('[data-label]')!
  const idleLabel = label.textContent ?? DEFAULT_LABEL
  let isBusy = false

  const refresh = () => {
    button.disabled = isBusy || input.value.trim() === ''
    button.toggleAttribute('aria-busy', isBusy)
    label.textContent = isBusy ? BUSY_LABEL : idleLabel
  }
  const showRefusal = (message: string) => {
    showError(form, message)
    inBackground(showToast({ title: message, kind: 'error', form }))
    input.focus()
  }
  const tellSent = (notice: string, success: string) => {
    // The dialog style shows the toast at the top: at the bottom it would cover the code field on a phone.
    if (!notice) inBackground(showToast({ title: success, kind: 'success', style: 'dialog' }))
    sent.querySelector<HTMLElement>('[data-sent-line]')!.hidden = notice !== ''
    const line = sent.querySelector<HTMLElement>('[data-notice]')!
    line.hidden = notice === ''
    line.textContent = notice
  }
  input.addEventListener('input', () => {
    showError(form, '')
    refresh()
  })
  // A disabled button swallows Enter: the message explains why nothing happens.
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && !isComposing(event) && input.value.trim() === '') showRefusal(SIGN_IN_TEXTS.blankEmail)
  })
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    if (isBusy) return
    const problem = emailError(input.value)
    if (problem) return showRefusal(problem)
    isBusy = true
    refresh()
    const { failure, notice = '' } = await requestMail(
      input.value,
      form.querySelector<HTMLInputElement>(`[name=${HONEYPOT_FIELD}]`)!.value,
    )
    isBusy = false
    refresh()
    if (failure) return showRefusal(failure)
    showError(form, '')
    tellSent(notice, SIGN_IN_TEXTS.sent)
    form.hidden = true
    sent.hidden = false
    sent.querySelector('[data-sent-to]')!.textContent = input.value.trim()
    sent.querySelector<HTMLInputElement>('[name=email]')!.value = input.value.trim()
    sent.querySelector<HTMLElement>('h2')!.focus()
  })
  sent.querySelector('form')!.addEventListener('submit', async (event) => {
    if (!event.submitter?.hasAttribute('formaction')) return
    event.preventDefault()
    if (isBusy) return
    isBusy = true
    const { failure, notice = '' } = await requestMail(input.value, '')
    isBusy = false
    if (failure) inBackground(showToast({ title: failure, kind: 'error' }))
    else tellSent(notice, SIGN_IN_TEXTS.sentAgain)
  })
  sent.querySelector('[data-again]')!.addEventListener('click', () => {
    sent.hidden = true
    form.hidden = false
    input.focus()
  })
  refresh()
  // The browser may restore an address after this script has run (Back, autofill).
  addEventListener('pageshow', refresh)
}

for (const root of document.querySelectorAll<HTMLElement>('[data-sign-in]')) enhanceSignIn(root)
