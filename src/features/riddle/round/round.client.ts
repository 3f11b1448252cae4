// Goes from question to question without loading whole pages. Forms of a round work without this script; htmx is loaded by the first answer,
// because the page is there before anybody needs it.

async function send(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  const values = Object.fromEntries(new FormData(form, submitter)) as Record<string, string>
  const { swapRound } = await import('./round-swap.client.ts')
  await swapRound(form.action, values)
  const title = document.querySelector<HTMLElement>('#ronda-titulo')
  // An answer without a round, for example that there were too many.
  if (!title) return location.reload()
  title.focus({ preventScroll: true })
  document.querySelector('#ronda')!.scrollIntoView({ block: 'nearest' })
}

let isSending = false
document.addEventListener('submit', (event) => {
  const form = event.target instanceof HTMLFormElement && event.target.matches('[data-round]') ? event.target : null
  if (!form) return
  event.preventDefault()
  // A second press of the same moment would answer the next question unseen.
  if (isSending) return
  isSending = true
  send(form, event.submitter)
    .catch((error: unknown) => {
      console.error(error)
      location.reload()
    })
    .finally(() => {
      isSending = false
    })
})
