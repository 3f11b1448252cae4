import { paths } from '#lib/paths.ts'
import { type Liker, LIKERS_PAGE_SIZE, type LikerPage, likerSummary } from './likes.ts'

const FAILED_TEXT = 'No se han podido cargar. Inténtalo de nuevo.'
const NOBODY_TEXT = 'No hay nadie a quien puedas ver.'
/** The shortest time between two requests for a dog's likers, ms. */
const RELOAD_INTERVAL_MS = 2000

async function loadLikers(dogId: string, query: Record<string, string>): Promise<LikerPage> {
  const address = `${paths.api.dogLikes(dogId)}?${new URLSearchParams(query)}`
  const response = await fetch(address, { headers: { Accept: 'application/json' } })
  if (!response.ok) throw new Error(`likes answered ${response.status}`)
  return await response.json()
}

function likerRow({ id, alias, emoji }: Liker): HTMLLIElement {
  const item = document.createElement('li')
  const link = document.createElement('a')
  const face = document.createElement('span')
  item.dataset.liker = id
  link.href = paths.member(id)
  face.textContent = emoji
  face.ariaHidden = 'true'
  const name = document.createElement('bdi')
  name.textContent = alias
  link.append(face, name)
  item.append(link)
  return item
}

/** Detail of `perrario:liked` (hearts.client.ts): a member likes a dog of the page, or no longer does; `userId` is empty where not said. */
interface LikedDetail {
  id: string
  likes: number
  userId: string
  liked: boolean
}

/** Starts the summary beside the heart and the dialog with all likers (LikerSummary.astro). */
export function startLikers(): void {
  const summary = document.querySelector<HTMLElement>('[data-likers]')
  if (!summary) return
  const dogId = summary.dataset.likers!
  const part = (name: string) => document.querySelector<HTMLElement>(`[data-likers-${name}]`)!
  const [list, state, more] = [part('list'), part('state'), part('more')]
  const dialog = list.closest('dialog')!
  let cursor: string | null = null
  /** Counts how often the dialog was opened: answers for an earlier opening are ignored. */
  let opening = 0
  let stateText = ''
  const say = (text: string) => (state.textContent = stateText = text)
  const rowOf = (id: string) => list.querySelector(`[data-liker="${CSS.escape(id)}"]`)
  /** Rows for the likers who are not listed yet, in order. */
  const newRows = (likers: Liker[]) => likers.filter(({ id }) => !rowOf(id)).map(likerRow)

  const removeRow = (row: Element) => {
    // The focus moves to the neighbour of the removed row.
    if (row.contains(document.activeElement))
      (row.nextElementSibling ?? row.previousElementSibling)?.querySelector('a')?.focus()
    row.remove()
  }
  /** Removes the rows of likes taken back, which no event names: those missing among the newest likers, or among `all`. */
  const removeMissingRows = (likers: Liker[], isAll: boolean) => {
    const ids = new Set(likers.map(({ id }) => id))
    const rows = [...list.querySelectorAll<HTMLElement>('[data-liker]')]
    const isLiker = (row: HTMLElement) => ids.has(row.dataset.liker!)
    const covered = isAll ? rows : rows.slice(0, rows.findLastIndex(isLiker) + 1)
    for (const row of covered) if (!isLiker(row)) removeRow(row)
  }

  const loadMore = async (ofOpening: number) => {
    const hadFocus = more === document.activeElement
    say('Cargando...')
    more.hidden = true
    try {
      const page = await loadLikers(dogId, cursor ? { cursor } : {})
      if (ofOpening !== opening) return
      const rows = newRows(page.likers)
      list.append(...rows)
      // The focused button was hidden meanwhile.
      if (hadFocus) rows[0]?.querySelector('a')?.focus()
      cursor = page.nextCursor
      // The list is empty where the reader has a block with every liker.
      say(list.childElementCount === 0 ? NOBODY_TEXT : '')
    } catch {
      if (ofOpening === opening) say(FAILED_TEXT)
    }
    if (ofOpening === opening) more.hidden = cursor === null && stateText !== FAILED_TEXT
  }

  part('some').addEventListener('click', () => {
    list.replaceChildren()
    cursor = null
    void loadMore(++opening)
  })
  more.addEventListener('click', () => void loadMore(opening))

  let likes = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let requestedAt = -Infinity

  /** Fetches the newest likers: the first one for the summary, new ones for the open dialog. */
  const refresh = async () => {
    timer = undefined
    // A hidden tab refreshes once it is visible again.
    if (document.hidden) return document.addEventListener('visibilitychange', refresh, { once: true })
    requestedAt = performance.now()
    const limit = dialog.open ? LIKERS_PAGE_SIZE : 1
    const page = await loadLikers(dogId, { limit: String(limit) }).catch(() => null)
    if (likes > 0 && !page) return
    const likers = page?.likers ?? []
    part('none').hidden = likes > 0
    part('some').hidden = likes === 0
    part('summary').textContent = likerSummary(likes, likers[0]?.alias ?? '')
    part('verb').textContent = likes > 1 ? 'Les gusta' : 'Le gusta'
    if (!dialog.open || !['', NOBODY_TEXT].includes(stateText)) return
    removeMissingRows(likers, page?.nextCursor == null)
    list.prepend(...newRows(likers))
    say(list.childElementCount === 0 ? NOBODY_TEXT : '')
  }

  window.addEventListener('perrario:liked', (event) => {
    const change = (event as CustomEvent<LikedDetail>).detail
    if (change.id !== dogId) return
    likes = change.likes
    const row = change.liked ? null : rowOf(change.userId)
    if (row) removeRow(row)
    timer ??= setTimeout(refresh, Math.max(0, requestedAt + RELOAD_INTERVAL_MS - performance.now()))
  })
}
