import { isTyping } from '#ui/typing.client.ts'
import { DRAWER_MEDIA, SIDEBAR_COOKIE, SIDEBAR_DAYS, SIDEBAR_KEY } from './sidebar.ts'

// ⌘/Ctrl+B and the button collapse the sidebar; a cookie stores that for the server. On phones the shortcut opens the drawer, whose
// button needs no script (popovertarget).

const root = document.documentElement
const side = document.querySelector<HTMLElement>('#side')
const app = document.querySelector<HTMLElement>('.app')
const button = document.querySelector('[data-sidebar-toggle]')
const drawer = matchMedia(DRAWER_MEDIA)

const isOpen = () => root.dataset.sidebar !== 'closed'
const updateExpandedState = () => button?.setAttribute('aria-expanded', String(isOpen()))

function toggleSidebar() {
  if (drawer.matches) return void side?.togglePopover()
  const state = isOpen() ? 'closed' : 'open'
  app?.classList.add('moving')
  root.dataset.sidebar = state
  const secure = location.protocol === 'https:' ? '; secure' : ''
  document.cookie = `${SIDEBAR_COOKIE}=${state}; path=/; max-age=${SIDEBAR_DAYS * 86_400}; samesite=lax${secure}`
  updateExpandedState()
}

button?.addEventListener('click', toggleSidebar)
document.addEventListener('keydown', (event) => {
  if (event.key.toLowerCase() !== SIDEBAR_KEY || !(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey)
    return
  if (isTyping(event)) return
  event.preventDefault()
  toggleSidebar()
})
// The drawer must not cover the add-dog dialog that it opens. A wider window has the sidebar instead.
side?.addEventListener('click', (event) => {
  if (event.target instanceof Element && event.target.closest('[data-add-dog]') && side.matches(':popover-open'))
    side.hidePopover()
})
drawer.addEventListener('change', () => {
  if (side?.matches(':popover-open')) side.hidePopover()
})
updateExpandedState()
