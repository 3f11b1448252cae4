import { clearMemberDrafts } from '#features/dogs/form/draft.client.ts'
import { LAST_MEMBER_KEY } from '#lib/offline.ts'
import { paths } from '#lib/paths.ts'
import { toast, toastOnNextPage } from '#ui/toast/toast.client.ts'
import { deletionPaths } from './deletion/deletion-paths.ts'
import { requireElement } from '#lib/require-element.client.ts'

// Deletes the account by fetch; where that is now, a toast on the home page says so. Without script the form posts and redirects.

document.addEventListener('submit', async (event) => {
  const form = event.target
  if (!(form instanceof HTMLFormElement) || !form.matches('[data-delete-account]')) return
  event.preventDefault()
  const button = requireElement<HTMLButtonElement>(form, 'button')
  const input = requireElement<HTMLInputElement>(form, '[name=alias]')
  const error = requireElement(form, '[data-error]')
  const { now, ...fields } = Object.fromEntries(new FormData(form))
  const isNow = now === 'si'
  error.hidden = true
  input.removeAttribute('aria-invalid')
  button.disabled = true
  try {
    const response = await fetch(form.action, {
      method: 'DELETE',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify({ ...fields, now: isNow }),
    })
    if (response.status === 401) return location.assign(paths.login)
    if (response.ok) {
      window.dispatchEvent(new Event('perrario:signed-out'))
      localStorage.removeItem(LAST_MEMBER_KEY)
      await clearMemberDrafts(document.body.dataset.member!)
      // The page says until when it can be undone, and how.
      if (!isNow) return location.assign(deletionPaths.requested)
      toastOnNextPage({ title: 'Tu cuenta se ha eliminado', text: '¡Hasta siempre!', kind: 'success' })
      return location.assign(paths.home)
    }
    const { detail, errors }: { detail: string; errors?: { alias?: string; code?: string } } = await response.json()
    if (response.status === 403 && errors?.code) return location.assign(paths.accountConfirm('pide'))
    if (response.status === 409) return location.reload()
    if (!errors?.alias) throw new Error(detail)
    requireElement(error, 'span').textContent = errors.alias
    error.hidden = false
    input.setAttribute('aria-invalid', 'true')
    input.focus()
  } catch (problem) {
    console.error('Error al eliminar la cuenta:', problem)
    toast({ title: 'Error al eliminar la cuenta', text: 'Intenta de nuevo.', kind: 'error' })
  }
  button.disabled = false
})
