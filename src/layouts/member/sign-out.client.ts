import { paths } from '#lib/paths.ts'
import { showToast } from '#ui/toast/show-toast.client.ts'
import { rememberMember } from './same-member.client.ts'

/** Time to read the toast before the home page loads, ms (docs/product.md §10.6). */
const SIGN_OUT_DELAY_MS = 1200

// `form[data-sign-out]` signs out with a toast; without script it is a plain form.
document.addEventListener('submit', async (event) => {
  const form = event.target
  if (!(form instanceof HTMLFormElement) || !form.matches('[data-sign-out]')) return
  event.preventDefault()
  const buttons = form.querySelectorAll('button')
  for (const button of buttons) button.disabled = true
  try {
    const response = await fetch(form.action, { method: 'POST', headers: { Accept: 'application/json' } })
    // Ending all sessions asks for a recent authentication, which the page was opened with.
    if (response.status === 403) return location.assign(paths.accountConfirm('pide'))
    if (!response.ok) throw new Error(`sign-out answered ${response.status}`)
    window.dispatchEvent(new Event('perrario:signed-out'))
    rememberMember('')
    await showToast({ title: 'Sesión cerrada correctamente', text: '¡Hasta pronto!', kind: 'success' })
    // Without the code the drafts stay, but only their member is offered them.
    await clearDrafts().catch(() => {})
    setTimeout(() => location.assign(paths.home), SIGN_OUT_DELAY_MS)
  } catch (error) {
    console.error('Error al cerrar sesión:', error)
    for (const button of buttons) button.disabled = false
    await showToast({ title: 'Error al cerrar sesión', text: 'Intenta de nuevo.', kind: 'error' })
  }
})

async function clearDrafts() {
  const { clearMemberDrafts } = await import('#features/dogs/form/draft.client.ts')
  await clearMemberDrafts(document.body.dataset.member!)
}
