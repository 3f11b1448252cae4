import { OFFERED_PASSKEY_KEY } from './passkeys.ts'
import { hasPasskeys } from './passkey-support.client.ts'

// The offer of a passkey after a sign-in by mail. It is made once on a device: «Ahora no», and the next sign-in, end it.

for (const offer of document.querySelectorAll<HTMLElement>('[data-passkey-offer]')) {
  const signIn = offer.dataset.passkeyOffer!
  const offered = localStorage.getItem(OFFERED_PASSKEY_KEY)
  if (!hasPasskeys || (offered !== null && offered !== signIn)) continue
  localStorage.setItem(OFFERED_PASSKEY_KEY, signIn)
  offer.hidden = false
  offer.querySelector('[data-passkey-later]')!.addEventListener('click', () => {
    localStorage.setItem(OFFERED_PASSKEY_KEY, 'no')
    offer.remove()
  })
}
