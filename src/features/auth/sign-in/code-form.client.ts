import { readCode } from '#lib/text/typed-code.ts'

// The form of the code is sent with its sixth digit, once. Without script it has its button.

/** For how long the same code is not sent again, unless its page comes back. */
const RESEND_PAUSE_MS = 10_000

for (const form of document.querySelectorAll<HTMLFormElement>('[data-code]')) {
  const input = form.querySelector<HTMLInputElement>('[name=code]')!
  let sent: string | null = null
  const forget = () => {
    sent = null
  }
  input.addEventListener('input', () => {
    const code = readCode(input.value)
    if (code && code !== sent) form.requestSubmit()
  })
  form.addEventListener('submit', (event) => {
    // The button that asks for another mail.
    if (event.submitter?.hasAttribute('formaction')) return
    const code = readCode(input.value)
    if (code && code === sent) return event.preventDefault()
    sent = code
    setTimeout(forget, RESEND_PAUSE_MS)
  })
  addEventListener('pageshow', forget)
}
