import { RECENT_AUTH_MINUTES } from '#features/auth/auth.ts'
import { MINUTE_MS } from '#lib/time.ts'

// Opens the step that confirms the member's identity over an action with `data-proof`, and carries the action out afterwards, with what was
// typed. The server decides: without script, or where the time is over by its clock, it leads to the step in the page.

const sheet = document.querySelector<HTMLDialogElement>('dialog#confirma')
/** The action that waits for the proof, and what its button says. */
let pending: (() => void) | undefined
let label = ''

const isProved = (step: HTMLElement) => Date.now() < Number(step.dataset.provedUntil)

if (sheet) {
  const nameAction = () => {
    sheet.querySelector('[data-action]')!.textContent = label && `· ${label}`
  }
  const hold = (event: Event, button: HTMLElement | null, action: () => void) => {
    event.preventDefault()
    event.stopImmediatePropagation()
    pending = action
    label = button?.innerText.trim() ?? ''
    nameAction()
    sheet.showModal()
  }
  const proceed = (until: number) => {
    sheet.dataset.provedUntil = String(until)
    const action = pending
    sheet.close()
    action?.()
  }

  // Before all other listeners: some send the form themselves.
  addEventListener(
    'submit',
    (event) => {
      const form = event.target
      if (!(form instanceof HTMLFormElement) || !('proof' in form.dataset) || isProved(sheet)) return
      const { submitter } = event
      hold(event, submitter, () => form.requestSubmit(submitter))
    },
    { capture: true },
  )
  addEventListener(
    'click',
    (event) => {
      const target =
        event.target instanceof Element ? event.target.closest<HTMLElement>('[data-proof]:not(form)') : null
      if (target && !isProved(sheet)) hold(event, target, () => target.click())
    },
    { capture: true },
  )
  sheet.addEventListener('close', () => (pending = undefined))
  sheet.addEventListener('perrario:proved', (event) => {
    event.preventDefault()
    proceed(Date.now() + RECENT_AUTH_MINUTES * MINUTE_MS)
  })

  // The forms of the step as they are; of the page that answers only the step is shown.
  sheet.addEventListener('submit', async (event) => {
    event.preventDefault()
    const form = event.target as HTMLFormElement
    const body = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]))
    const response = await fetch(form.action, { method: 'POST', body }).catch(() => null)
    const page = response && new DOMParser().parseFromString(await response.text(), 'text/html')
    const step = page?.querySelector<HTMLElement>('#confirma')
    // Signed out meanwhile, or no network: the form goes its own way.
    if (!step) return form.submit()
    if (isProved(step)) return proceed(Number(step.dataset.provedUntil))
    const close = sheet.querySelector('[data-dialog-close]')!
    sheet.replaceChildren(...step.childNodes, close)
    nameAction()
    sheet.querySelector<HTMLElement>('[name=code]')?.focus()
  })
}
