/** localStorage key: how many visits this device has made, and when it was here last, ms. */
const VISITS_KEY = 'perrario-visitas'
/** Key in localStorage: «no» after «No mostrar más» or an accepted installation, «si» after an own sticker; and in sessionStorage for «Ahora no». */
export const INSTALL_KEY = 'perrario-instalar'
/** A pause that ends a visit, ms. */
const PAUSE_MS = 30 * 60_000
/** From this visit on somebody is asked for what is worth it only to who comes back. */
const RETURNING_VISIT = 3

/** Counts the visit, and says whether it is the third at least; never where storage is blocked. */
export function isReturning(now = Date.now()): boolean {
  try {
    const [visits, at = 0] = (localStorage.getItem(VISITS_KEY) ?? '').split(' ').map((part) => Number(part) || 0)
    const visit = now - at > PAUSE_MS ? visits! + 1 : visits!
    localStorage.setItem(VISITS_KEY, `${visit} ${now}`)
    return visit >= RETURNING_VISIT
  } catch {
    return false
  }
}

/** Has who has a sticker of their own invited to install the app. */
export function inviteToInstall(): void {
  try {
    if (localStorage.getItem(INSTALL_KEY) === null) localStorage.setItem(INSTALL_KEY, 'si')
  } catch {
    // Storage is blocked: nobody is invited.
  }
}
