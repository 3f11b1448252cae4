import { onLive } from '#features/live/live.client.ts'
import { inBackground } from '#lib/background.client.ts'
import { bellLabel, shownUnread } from './bell.ts'
import { $bell, receiveNotificationEvent } from './bell.store.ts'
import { badgeText } from '#features/notifications/notifications.ts'

// The bell of a member's pages: turns the link to the list into the button of a panel, and updates its badge.
// The panel is an island (NotificationBell.tsx), whose code loads with the first interaction.

/** Notifications within this time are announced together, ms. */
const ANNOUNCE_DELAY_MS = 1500

const bell = document.querySelector<HTMLElement>('[data-bell]')
const badge = bell?.querySelector('[data-bell-count]')
const liveRegion = document.querySelector('[data-bell-status]')

let shownCount = Number(bell?.dataset.bell)
let announcedUnread = shownCount
let timer: ReturnType<typeof setTimeout> | undefined

/** Announces how many notifications came since the last announcement; fewer unread ones are not announced. */
function announceNew(): void {
  const newCount = shownCount - announcedUnread
  announcedUnread = shownCount
  if (liveRegion && newCount > 0)
    liveRegion.textContent = newCount === 1 ? '1 notificación nueva' : `${newCount} notificaciones nuevas`
}

function writeBadge(unread: number): void {
  badge!.textContent = unread ? badgeText(unread) : ''
  bell!.setAttribute('aria-label', bellLabel(unread))
}

function updateBell(): void {
  const unread = shownUnread($bell.get())
  if (!bell || unread === shownCount) return
  writeBadge(unread)
  // Restarts the animation of a bell that still swings.
  bell.classList.remove('rings')
  if (unread > shownCount) {
    void bell.offsetWidth
    bell.classList.add('rings')
    clearTimeout(timer)
    timer = setTimeout(announceNew, ANNOUNCE_DELAY_MS)
  } else announcedUnread = Math.min(announcedUnread, unread)
  shownCount = unread
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
  writeBadge(shownCount)
  $bell.set({ ...$bell.get(), unread: shownCount })
  $bell.listen(updateBell)
  onLive('notification', receiveNotificationEvent)
  onLive('resync', () => inBackground(import('./bell-api.client.ts').then(({ loadBell }) => loadBell())))
}
