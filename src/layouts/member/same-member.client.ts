import { inBackground } from '#lib/background.client.ts'
import { LAST_MEMBER_KEY, pageStoredAt } from '#lib/offline.ts'
import { paths } from '#lib/paths.ts'
import { hasUnsavedInput } from '#ui/unsaved-input.ts'

// Every tab follows who signs in or out in another: the device remembers whose pages it shows, and tabs hear of a change. A member's
// page asks the server as well, when it is seen again or was refused something: the session may have ended elsewhere.

/** The id of the page's member, '' for a visitor; undefined while a page that is the same for everyone has not asked. */
const pageMember = (): string | undefined => document.body.dataset.member

/** Remembers who is signed in here, '' for nobody; a dog that is added without network belongs to them. */
export function rememberMember(id: string): void {
  try {
    if (id === '') localStorage.removeItem(LAST_MEMBER_KEY)
    else localStorage.setItem(LAST_MEMBER_KEY, id)
  } catch {
    // Without storage there is no queue of dogs either.
  }
}

/** Loads the page anew where it is another's than `id`. What somebody is typing stays, without the member's name and address. */
function follow(id: string, isKept = hasUnsavedInput()): void {
  const member = pageMember()
  if (!member ? id === '' || member === undefined : id === member) return
  for (const block of document.querySelectorAll<HTMLElement>('[data-me-block=member]')) block.hidden = true
  if (isKept) return
  document.body.hidden = member !== ''
  location.reload()
}

function followStorage(): void {
  try {
    follow(localStorage.getItem(LAST_MEMBER_KEY) ?? '')
  } catch {
    // Storage is blocked: it names nobody.
  }
}

async function askServer(isKept?: boolean): Promise<void> {
  if (!pageMember()) return
  const response = await fetch(paths.api.session, { headers: { Accept: 'application/json' } })
  if (!response.ok) return
  const id = (await response.json()).user?.id ?? ''
  rememberMember(id)
  follow(id, isKept)
}

// A page fresh from the server, rendered for a visitor: nobody is signed in. One that Back shows again may be of before.
const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
if (navigation?.type === 'back_forward') followStorage()
else if (pageMember() === '' && pageStoredAt() === undefined) rememberMember('')

addEventListener('storage', ({ key }) => (key === LAST_MEMBER_KEY || key === null) && followStorage())
addEventListener('pageshow', ({ persisted }) => persisted && followStorage())
document.addEventListener('visibilitychange', () => {
  if (document.hidden) return
  followStorage()
  inBackground(askServer())
})
// The page that was refused says so itself.
addEventListener('perrario:refused', () => inBackground(askServer(true)))
