import { authPaths } from '#features/auth/auth-paths.ts'
import { inBackground } from '#lib/background.client.ts'
import { paths } from '#lib/paths.ts'
import { PASSKEY_TEXTS } from './passkeys.ts'
import { hasPasskeys } from './passkey-support.client.ts'

// Buttons that use passkeys: `data-passkey="enter | create | add | confirm"`. Without script they are not shown. The code of WebAuthn comes
// with the first press.

const load = () => import('./webauthn.client.ts')

const ACTIONS: Record<string, (button: HTMLElement) => Promise<void>> = {
  enter: async () => (await load()).signIn(),
  create: async () => {
    await (await load()).register()
    location.assign(paths.profile)
  },
  add: async () => {
    await (await load()).register()
    open(authPaths.accountPasskeys({ hecho: 'llave' }))
  },
  confirm: async (button) => {
    await (await load()).confirm()
    // A sheet over an action carries that out.
    if (button.dispatchEvent(new Event('perrario:proved', { bubbles: true, cancelable: true })))
      open(button.dataset.then!)
  },
}

/** Loads `address`, also where it is this page's own: browsers only scroll then. */
function open(address: string): void {
  const { pathname, search } = location
  location.assign(address)
  if (address.startsWith(`${pathname}${search}#`)) location.reload()
}

function showError(scope: HTMLElement, sentence: string): void {
  const box = scope.querySelector<HTMLElement>('[data-passkey-error] [data-error]')
  if (!box) return
  box.querySelector('[data-error-text]')!.textContent = sentence
  box.hidden = sentence === ''
  if (!sentence) return
  box.setAttribute('role', 'alert')
  const folded = scope.closest('details')
  if (folded) folded.open = true
}

for (const scope of document.querySelectorAll<HTMLElement>('[data-passkeys]')) {
  if (!hasPasskeys) {
    scope.hidden = true
    continue
  }
  let isBusy = false
  scope.addEventListener('click', async (event) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-passkey]') : null
    const act = button && ACTIONS[button.dataset.passkey!]
    if (!act || isBusy) return
    isBusy = true
    showError(scope, '')
    button.setAttribute('aria-busy', 'true')
    try {
      await act(button)
    } catch (error) {
      const { message, asksForProof } = error as Error & { asksForProof?: boolean }
      if (asksForProof) return location.assign(paths.accountConfirm('pide'))
      // Any other error: the code could not be loaded.
      showError(scope, asksForProof === undefined ? PASSKEY_TEXTS.offline : message)
    } finally {
      isBusy = false
      button.removeAttribute('aria-busy')
    }
  })
}

// On a page with a sign-in form this file comes with the first touch (sign-in/sign-in-loader.client.ts).
const form = document.querySelector<HTMLElement>('[data-passkeys="sign-in"]')
if (form && hasPasskeys)
  inBackground(load().then(({ offerInField }) => offerInField((sentence) => showError(form, sentence))))
