import { inBackground } from '#lib/background.client.ts'
import { paths } from '#lib/paths.ts'
import { formatGreeting, type SignedInMember, formatMemberTexts } from '#features/account/member-frame.ts'

// Fills in what depends on the member on pages that are the same for everyone: the user block, the emoji, the greeting, the bell and
// the counters.

interface SessionResponse {
  user: (Omit<SignedInMember, 'counts'> & { id: string }) | null
  /** The following fields only for members. */
  counts?: SignedInMember['counts']
  unread?: number
  live?: number
}

/** Loads the header's counters where they fit. */
async function loadCounters(): Promise<void> {
  const finderLink = document.querySelector('.top .finder-link')
  if (!finderLink || !matchMedia('(min-width: 769px)').matches) return
  const response = await fetch(paths.counters)
  if (response.ok) finderLink.insertAdjacentHTML('beforebegin', await response.text())
}

async function fillSession() {
  const countersLoaded = loadCounters().catch(() => {})
  const response = await fetch(paths.api.session, { headers: { Accept: 'application/json' } })
  if (!response.ok) return
  const { user, counts, unread = 0, live = 0 }: SessionResponse = await response.json()
  const block = document.querySelector<HTMLElement>(`[data-me-block=${user ? 'member' : 'visitor'}]`)
  if (block) block.hidden = false
  document.body.dataset.member = user?.id ?? ''
  if (user) {
    const texts = formatMemberTexts({ ...user, counts: counts ?? { dogs: 0, breeds: 0, total: 0 } })
    const shown = { ...texts, greeting: formatGreeting(texts.alias) }
    for (const element of document.querySelectorAll<HTMLElement>('[data-me]'))
      element.textContent = shown[element.dataset.me as keyof typeof shown]
    document.querySelector('[data-me=alias]')?.classList.toggle('alone', texts.email === '')
    document.body.dataset.live = String(live)
    const bell = document.querySelector<HTMLElement>('[data-bell]')
    if (bell) {
      bell.dataset.bell = String(unread)
      bell.hidden = false
    }
    await countersLoaded
    inBackground(import('./member.client.ts'))
  }
}

// Without an answer the frame stays a visitor's.
fillSession().catch(() => {})
