import { addSheet } from '#ui/sheet.client.ts'
import { INSTALL_KEY, INSTALL_TEXTS } from './install.ts'
import styles from './install.css?url'

// The invitation to install (docs/product.md §20.1): shown when the browser offers installation and the app is not standalone, gone
// after acceptance or «No mostrar más».

/** What Chromium hands out; no library types it. */
interface InstallEvent extends Event {
  prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }>
}

const isStandalone = () =>
  matchMedia('(display-mode: standalone)').matches || (navigator as { standalone?: boolean }).standalone === true

/** Where it would lie over what the person came for: the code of a sign-in, the page after it, the page without network. */
const isUnwelcome = (): boolean =>
  location.pathname.startsWith('/login') ||
  URL.parse(document.referrer)?.pathname.startsWith('/login') === true ||
  document.querySelector('[data-offline-retry]') !== null

function isRefused(): boolean {
  try {
    return localStorage.getItem(INSTALL_KEY) !== null || sessionStorage.getItem(INSTALL_KEY) !== null
  } catch {
    return false
  }
}

function remember(where: () => Storage): void {
  try {
    where().setItem(INSTALL_KEY, 'no')
  } catch {
    // A device that keeps nothing asks again.
  }
}

let card: HTMLElement | undefined
function hide(): void {
  // The button that was pressed goes with it.
  if (card?.contains(document.activeElement))
    document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true })
  card?.remove()
  card = undefined
  makeRoom()
}
/** As much room below the page as the card takes, so that nothing that has the focus lies behind it. */
function makeRoom(): void {
  const room = card?.isConnected ? `${Math.ceil(innerHeight - card.getBoundingClientRect().top + 8)}px` : ''
  document.documentElement.style.scrollPaddingBottom = room
  document.body.style.paddingBottom = room
}
const never = () => {
  remember(() => localStorage)
  hide()
}
const later = () => {
  remember(() => sessionStorage)
  hide()
}

const element = (tag: string, className: string, text = ''): HTMLElement =>
  Object.assign(document.createElement(tag), { className, textContent: text })

function button(text: string, className: string, onPress: () => void): HTMLElement {
  const made = element('button', className, text)
  made.setAttribute('type', 'button')
  made.addEventListener('click', onPress)
  return made
}

async function show(text: Node, install: HTMLElement | null): Promise<void> {
  if (card || isStandalone() || isUnwelcome() || isRefused()) return
  card = element('aside', 'install')
  card.setAttribute('aria-label', 'Instalar Perrario')
  const icon = Object.assign(new Image(56, 56), { src: '/icon-192.png', alt: '' })
  const words = element('div', 'install-words')
  const lead = element('p', 'soft')
  lead.append(text)
  words.append(element('b', '', INSTALL_TEXTS.title), lead)
  const row = element('div', 'install-row')
  if (install) row.append(install)
  row.append(button(INSTALL_TEXTS.later, 'btn', later), button(INSTALL_TEXTS.never, 'btn ghost', never))
  card.append(icon, words, row)
  await addSheet(styles)
  if (!card) return
  document.body.append(card)
  makeRoom()
}

/** The browser offers installation. */
export function offer(event: Event): void {
  const install = button(INSTALL_TEXTS.install, 'btn pri', async () => {
    // An offer works once: whatever the answer, the card goes.
    const { outcome } = await (event as InstallEvent).prompt()
    if (outcome === 'accepted') never()
    else later()
  })
  void show(document.createTextNode(INSTALL_TEXTS.text), install)
}

const SHARE =
  '<svg viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" role="img" aria-label="(un cuadrado con una flecha hacia arriba)"><path d="M12 15V3M8 7l4-4 4 4M7 11H5v10h14V11h-2"/></svg>'

/** How it is done where the browser offers nothing: iPhone and iPad. */
export function explain(): void {
  const template = document.createElement('template')
  const [first, then] = INSTALL_TEXTS.byHand
  template.innerHTML = `${first} ${SHARE} ${then}`
  void show(template.content, null)
}

addEventListener('appinstalled', never)
addEventListener('resize', makeRoom)
