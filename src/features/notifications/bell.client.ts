import { onLive } from '#features/live/live.client.ts'
import { inBackground } from '#lib/background.client.ts'
import { bellLabel, shownUnread } from './bell.ts'
import { $bell, hear } from './bell.store.ts'
import { badgeText } from './notifications.ts'

// The bell of every page of a member: a link to the list that becomes the button of a panel, with its badge kept true.
// The panel is the island (NotificationBell.tsx), whose code comes with the first interest in it.

/** News that come close together are announced once, ms. */
const ANNOUNCE_AFTER = 1500

const bell = document.querySelector<HTMLElement>('[data-bell]')
const badge = bell?.querySelector('[data-bell-count]')
const said = document.querySelector('[data-bell-said]')

let shown = Number(bell?.dataset.bell)
let announced = shown
let timer: ReturnType<typeof setTimeout> | undefined

/** Says how many came since it last said something; what is read meanwhile says nothing. */
function announce(): void {
  const news = shown - announced
  announced = shown
  if (said && news > 0) said.textContent = news === 1 ? '1 notificación nueva' : `${news} notificaciones nuevas`
}

function write(unread: number): void {
  badge!.textContent = unread ? badgeText(unread) : ''
  bell!.setAttribute('aria-label', bellLabel(unread))
}

function paint(): void {
  const unread = shownUnread($bell.get())
  if (!bell || unread === shown) return
  write(unread)
  // Restarts the swing of a bell that still swings.
  bell.classList.remove('rings')
  if (unread > shown) {
    void bell.offsetWidth
    bell.classList.add('rings')
    clearTimeout(timer)
    timer = setTimeout(announce, ANNOUNCE_AFTER)
  } else announced = Math.min(announced, unread)
  shown = unread
}

if (bell) {
  bell.setAttribute('role', 'button')
  bell.setAttribute('aria-haspopup', 'dialog')
  bell.setAttribute('aria-expanded', 'false')
  bell.addEventListener('keydown', (event) => {
    if (event.key !== ' ') return
    event.preventDefault()
    bell.click()
  })
  write(shown)
  $bell.set({ ...$bell.get(), unread: shown })
  $bell.listen(paint)
  onLive('notification', hear)
  onLive('resync', () => inBackground(import('./panel.client.ts').then(({ loadBell }) => loadBell())))
}
