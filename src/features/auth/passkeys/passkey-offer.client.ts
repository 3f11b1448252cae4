import { isReturning } from '#lib/visits.client.ts'
import { OFFERED_PASSKEY_KEY } from './passkeys.ts'
import { hasPasskeys } from './passkey-support.client.ts'

// The offer of a passkey to who signed in by mail, from their third visit on. It is made once on a device: «Ahora no», and the next sign-in,
// end it.

/** Whether it may be offered after this sign-in; never where storage is blocked: it could not be ended. */
function isOfferedAt(signIn: string): boolean {
  try {
    const offered = localStorage.getItem(OFFERED_PASSKEY_KEY)
    if (offered !== null && offered !== signIn) return false
    localStorage.setItem(OFFERED_PASSKEY_KEY, signIn)
    return true
  } catch {
    return false
  }
}

for (const offer of document.querySelectorAll<HTMLElement>('[data-passkey-offer]')) {
  const signIn = offer.dataset.passkeyOffer!
  if (!hasPasskeys || !isReturning() || document.querySelector('.install') || !isOfferedAt(signIn)) continue
  offer.hidden = false
  offer.querySelector('[data-passkey-later]')!.addEventListener('click', () => {
    localStorage.setItem(OFFERED_PASSKEY_KEY, 'no')
    offer.remove()
  })
}
