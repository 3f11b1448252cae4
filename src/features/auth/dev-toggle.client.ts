import { paths } from '#lib/paths.ts'

// Development only: see integrations/dev-toggle.ts. Its styles are inline, so that no style sheet carries them.

const button = document.createElement('button')
button.type = 'button'
button.textContent = 'DEV'
button.style.cssText =
  'min-height:44px;padding:0 12px;border:2px dashed currentColor;border-radius:99px;background:none;font-weight:700'

async function refresh(): Promise<void> {
  const { user } = await (await fetch(paths.api.session)).json()
  button.setAttribute('aria-pressed', String(user !== null))
  button.title = user ? `Cerrar la sesión de ${user.email ?? user.alias}` : 'Entrar con un usuario de prueba'
  button.textContent = user ? 'DEV ●' : 'DEV ○'
}

button.addEventListener('click', async () => {
  button.disabled = true
  button.textContent = 'DEV …'
  await fetch('/api/auth/dev', { method: 'POST' })
  location.reload()
})

const header = document.querySelector('header.top')
if (header) {
  header.append(button)
  void refresh()
}
