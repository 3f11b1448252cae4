import { onLive } from '#features/live/live.client.ts'
import { inBackground } from '#lib/background.client.ts'
import { bellLabel, shownUnread } from './bell.ts'
import { $bell, receiveNotificationEvent } from './bell.store.ts'
import { badgeText } from '#features/notifications/notifications.ts'

// The bell of every page of a member: a link to the list that becomes the button of a panel, with its badge kept true.
// The panel is the island (NotificationBell.tsx), whose code comes with the first interest in it.

/** News that come close together are announced once, ms. */
const ANNOUNCE_DELAY_MS = 1500

const bell = document.querySelector<HTMLElement>('[data-bell]')
const badge = bell?.querySelector('[data-bell-count]')
const liveRegion = document.querySelector('[data-bell-said]')

let shown = Number(bell?.dataset.bell)
let announcedUnread = shown
let timer: ReturnType<typeof setTimeout> | undefined

/** Says how many came since it last said something; what is read meanwhile says nothing. */
function announceNews(): void {
  const news = shown - announcedUnread
  announcedUnread = shown
  if (liveRegion && news > 0)
    liveRegion.textContent = news === 1 ? '1 notificación nueva' : `${news} notificaciones nuevas`
}

function writeBadge(unread: number): void {
  badge!.textContent = unread ? badgeText(unread) : ''
  bell!.setAttribute('aria-label', bellLabel(unread))
}

function updateBell(): void {
  const unread = shownUnread($bell.get())
  if (!bell || unread === shown) return
  writeBadge(unread)
  // Restarts the swing of a bell that still swings.
  bell.classList.remove('rings')
  if (unread > shown) {
    void bell.offsetWidth
    bell.classList.add('rings')
    clearTimeout(timer)
    timer = setTimeout(announceNews, ANNOUNCE_DELAY_MS)
  } else announcedUnread = Math.min(announcedUnread, unread)
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
  writeBadge(shown)
  $bell.set({ ...$bell.get(), unread: shown })
  $bell.listen(updateBell)
  onLive('notification', receiveNotificationEvent)
  onLive('resync', () => inBackground(import('./bell-api.client.ts').then(({ loadBell }) => loadBell())))
}
