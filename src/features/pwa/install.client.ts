import { INSTALL_KEY, isReturning } from '#lib/visits.client.ts'
import { loadStylesheet } from '#ui/stylesheet.client.ts'
import { INSTALL_TEXTS } from './install.ts'
import styles from './install.css?url'

// The invitation to install (docs/product.md §20.1): shown when the browser offers installation and the app is not standalone, gone
// after acceptance or «No mostrar más».

/** Chromium's BeforeInstallPromptEvent, which TypeScript's library lacks. */
interface InstallEvent extends Event {
  prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }>
}

const isStandalone = () =>
  matchMedia('(display-mode: standalone)').matches || (navigator as { standalone?: boolean }).standalone === true

/** Who reads these pages is in a hurry, or is sent here for one thing: sign-in, lost and found dogs. */
const EXCLUDED_PATHS = /^\/(?:login|perdidos|encontrados|p)(?:\/|$)/

/** Pages where the card would cover what matters; the page after sign-in and the offline page among them. */
const isExcludedPage = (): boolean =>
  EXCLUDED_PATHS.test(location.pathname) ||
  URL.parse(document.referrer)?.pathname.startsWith('/login') === true ||
  document.querySelector('[data-offline-retry], [data-passkey-offer]:not([hidden])') !== null

function isDismissed(): boolean {
  try {
    return localStorage.getItem(INSTALL_KEY) === 'no' || sessionStorage.getItem(INSTALL_KEY) !== null
  } catch {
    return false
  }
}

/** Whether the card is shown, not only the line that opens it: from the third visit on, or with an own sticker. */
function isCardDue(): boolean {
  try {
    return isReturning() || localStorage.getItem(INSTALL_KEY) === 'si'
  } catch {
    return false
  }
}

/** A quiet line at the page's end, where it moves nothing. */
function showLine(open: () => void): void {
  const line = element('p', 'more')
  const openIt = button(INSTALL_TEXTS.title, 'btn ghost', () => {
    line.remove()
    open()
  })
  line.append(openIt)
  document.querySelector('main')?.append(line)
}

function rememberDismissal(where: () => Storage): void {
  try {
    where().setItem(INSTALL_KEY, 'no')
  } catch {
    // Without storage the card is shown again.
  }
}

let installCard: HTMLElement | undefined
function hide(): void {
  // The focused button is removed together with the card.
  if (installCard?.contains(document.activeElement))
    document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true })
  installCard?.remove()
  installCard = undefined
  reserveSpace()
}
/** Adds as much padding below the page as the card is high, so that it covers nothing that has the focus. */
function reserveSpace(): void {
  const padding = installCard?.isConnected
    ? `${Math.ceil(innerHeight - installCard.getBoundingClientRect().top + 8)}px`
    : ''
  document.documentElement.style.scrollPaddingBottom = padding
  document.body.style.paddingBottom = padding
}
const dismissForever = () => {
  rememberDismissal(() => localStorage)
  hide()
}
const dismissForVisit = () => {
  rememberDismissal(() => sessionStorage)
  hide()
}

const element = (tag: string, className: string, text = ''): HTMLElement =>
  Object.assign(document.createElement(tag), { className, textContent: text })

function button(text: string, className: string, onPress: () => void): HTMLElement {
  const node = element('button', className, text)
  node.setAttribute('type', 'button')
  node.addEventListener('click', onPress)
  return node
}

async function showCard(text: Node, install: HTMLElement | null, isDue = isCardDue()): Promise<void> {
  if (installCard || isStandalone() || isExcludedPage() || isDismissed()) return
  if (!isDue) return showLine(() => void showCard(text, install, true))
  installCard = element('aside', 'install')
  installCard.setAttribute('aria-label', 'Instalar Perrario')
  const icon = Object.assign(new Image(56, 56), { src: '/icon-192.png', alt: '' })
  const textBox = element('div', 'install-words')
  const lead = element('p', 'soft')
  lead.append(text)
  textBox.append(element('b', '', INSTALL_TEXTS.title), lead)
  const row = element('div', 'install-row')
  if (install) row.append(install)
  row.append(
    button(INSTALL_TEXTS.later, 'btn', dismissForVisit),
    button(INSTALL_TEXTS.never, 'btn ghost', dismissForever),
  )
  installCard.append(icon, textBox, row)
  await loadStylesheet(styles)
  if (!installCard) return
  document.body.append(installCard)
  reserveSpace()
}

/** Shows the card for the browser's own install prompt. @param event a `beforeinstallprompt` event */
export function offerInstall(event: Event): void {
  const install = button(INSTALL_TEXTS.install, 'btn pri', async () => {
    // A prompt works once, so the card is removed whatever the answer.
    const { outcome } = await (event as InstallEvent).prompt()
    if (outcome === 'accepted') dismissForever()
    else dismissForVisit()
  })
  void showCard(document.createTextNode(INSTALL_TEXTS.text), install)
}

const SHARE_ICON =
  '<svg viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" role="img" aria-label="(un cuadrado con una flecha hacia arriba)"><path d="M12 15V3M8 7l4-4 4 4M7 11H5v10h14V11h-2"/></svg>'

/** Shows the card with manual steps, for browsers without an install prompt: iPhone and iPad. */
export function showInstallSteps(): void {
  const template = document.createElement('template')
  const [first, then] = INSTALL_TEXTS.byHand
  template.innerHTML = `${first} ${SHARE_ICON} ${then}`
  void showCard(template.content, null)
}

addEventListener('appinstalled', dismissForever)
addEventListener('resize', reserveSpace)
