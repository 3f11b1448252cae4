import { inBackground } from '#lib/background.client.ts'
import { paths } from '#lib/paths.ts'
import { greeting, type Person, personTexts } from './person.ts'

// Pages that are the same for everyone learn here who is looking at them: the user block, the emoji, the greeting, the bell.

interface SessionAnswer {
  user: (Omit<Person, 'counts'> & { id: string }) | null
  /** These of a member only. */
  counts?: Person['counts']
  unread?: number
  live?: number
}

async function fillIn() {
  const response = await fetch(paths.api.session, { headers: { Accept: 'application/json' } })
  if (!response.ok) return
  const { user, counts, unread = 0, live = 0 }: SessionAnswer = await response.json()
  const block = document.querySelector<HTMLElement>(`[data-me-block=${user ? 'member' : 'visitor'}]`)
  if (user) {
    const texts = personTexts({ ...user, counts: counts ?? { dogs: 0, breeds: 0, total: 0 } })
    const shown = { ...texts, greeting: greeting(texts.alias) }
    for (const element of document.querySelectorAll<HTMLElement>('[data-me]'))
      element.textContent = shown[element.dataset.me as keyof typeof shown]
    document.querySelector('[data-me=alias]')?.classList.toggle('alone', texts.email === '')
    document.body.dataset.member = user.id
    document.body.dataset.live = String(live)
    const bell = document.querySelector<HTMLElement>('[data-bell]')
    if (bell) {
      bell.dataset.bell = String(unread)
      bell.hidden = false
    }
    inBackground(import('./member.client.ts'))
  }
  if (block) block.hidden = false
}

// Without an answer the frame stays a visitor's; nothing on the page depends on it.
fillIn().catch(() => {})
