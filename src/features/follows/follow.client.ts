import { showToast } from '#ui/toast/show-toast.client.ts'
import { announce } from '#ui/live-region.client.ts'
import { FOLLOW, UNFOLLOW } from './follows.ts'

// Follow buttons without a page load. A form that the call refuses for want of a session is sent as it is: it leads to the sign-in.

document.addEventListener('submit', (event) => {
  const form = event.target
  const button = form instanceof HTMLFormElement && form.querySelector<HTMLButtonElement>('[data-follow]')
  if (!button || form.dataset.plain === 'true') return
  event.preventDefault()
  if (!button.ariaBusy || button.ariaBusy === 'false') void change(form, button)
})

async function change(form: HTMLFormElement, button: HTMLButtonElement): Promise<void> {
  const isFollow = button.value === FOLLOW
  button.ariaBusy = 'true'
  try {
    const response = await fetch(form.action, {
      method: isFollow ? 'PUT' : 'DELETE',
      headers: { Accept: 'application/json' },
    })
    if (response.status === 401) {
      form.dataset.plain = 'true'
      return form.requestSubmit(button)
    }
    if (!response.ok) return await showError(await response.json().catch(() => ({})))
    button.value = isFollow ? UNFOLLOW : FOLLOW
    announce(isFollow ? 'Siguiendo' : 'Has dejado de seguir')
  } catch {
    await showError({})
  } finally {
    button.ariaBusy = 'false'
  }
}

async function showError({ detail }: { detail?: string }): Promise<void> {
  await showToast({
    title: 'No se pudo guardar',
    text: detail ?? 'No se pudo conectar con el servidor.',
    kind: 'error',
    style: 'dialog',
  })
}
