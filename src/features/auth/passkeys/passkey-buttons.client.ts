import { paths } from '#lib/paths.ts'
import { PASSKEY_TEXTS } from './passkeys.ts'

// Buttons that use passkeys: `data-passkey="enter | create | add | confirm"`. Without script they are not shown. The code of WebAuthn comes
// with the first press, and where a page signs in with its first touch.

const load = () => import('./webauthn.client.ts')
const isSupported = 'PublicKeyCredential' in window

const ACTIONS: Record<string, (button: HTMLElement) => Promise<void>> = {
  enter: async () => (await load()).signIn(),
  create: async () => {
    await (await load()).register()
    location.assign(paths.profile)
  },
  add: async () => {
    await (await load()).register()
    open(paths.accountPasskeys({ hecho: 'llave' }))
  },
  confirm: async (button) => {
    await (await load()).confirm()
    open(button.dataset.then!)
  },
}

/** Loads `address`, also where it is this page's own: browsers only scroll then. */
function open(address: string): void {
  const { pathname, search } = location
  location.assign(address)
  if (address.startsWith(`${pathname}${search}#`)) location.reload()
}

function showError(scope: ParentNode, sentence: string): void {
  const box = scope.querySelector<HTMLElement>('[data-passkey-error] [data-error]')
  if (!box) return
  box.querySelector('[data-error-text]')!.textContent = sentence
  box.hidden = sentence === ''
  if (sentence) box.setAttribute('role', 'alert')
}

for (const scope of document.querySelectorAll<HTMLElement>('[data-passkeys]')) {
  if (!isSupported) {
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

/** The field in which browsers offer passkeys. */
const field = document.querySelector<HTMLElement>('input[autocomplete~="webauthn"]')
const fieldScope = document.querySelector<HTMLElement>('[data-passkeys="sign-in"]')
if (isSupported && field && fieldScope) {
  const EVENTS = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const
  const offer = async () => {
    for (const name of EVENTS) removeEventListener(name, offer)
    const { offerInField } = await load()
    await offerInField((sentence) => showError(fieldScope, sentence))
  }
  for (const name of EVENTS) addEventListener(name, offer, { passive: true })
}
