import { paths } from '#lib/paths.ts'
import { type Liker, LIKERS_PAGE_SIZE, type LikerPage, likerSummary } from './likes.ts'

const FAILED_TEXT = 'No se han podido cargar. Inténtalo de nuevo.'
const NOBODY_TEXT = 'No hay nadie a quien puedas ver.'
/** A much-liked dog's likers are asked for at most this often, ms. */
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
  link.append(face, alias)
  item.append(link)
  return item
}

/** Somebody likes a dog of the page, or no longer does, and how many do now (hearts.client.ts). */
interface LikedDetail {
  id: string
  likes: number
  userId: string
  liked: boolean
}

/** The summary beside the heart and the dialog with everyone (LikerSummary.astro). */
export function startLikers(): void {
  const summary = document.querySelector<HTMLElement>('[data-likers]')
  if (!summary) return
  const dogId = summary.dataset.likers!
  const part = (name: string) => document.querySelector<HTMLElement>(`[data-likers-${name}]`)!
  const [list, state, more] = [part('list'), part('state'), part('more')]
  const dialog = list.closest('dialog')!
  let cursor: string | null = null
  /** Counts the openings: an answer to an earlier one comes too late. */
  let turn = 0
  const rowOf = (id: string) => list.querySelector(`[data-liker="${CSS.escape(id)}"]`)
  /** Those not there yet, in their order. */
  const unlisted = (likers: Liker[]) => likers.filter(({ id }) => !rowOf(id)).map(likerRow)

  const loadMore = async (mine: number) => {
    const isAsked = more === document.activeElement
    state.textContent = 'Cargando...'
    more.hidden = true
    try {
      const page = await loadLikers(dogId, cursor ? { cursor } : {})
      if (mine !== turn) return
      const rows = unlisted(page.likers)
      list.append(...rows)
      // The button that had the focus was taken away meanwhile.
      if (isAsked) rows[0]?.querySelector('a')?.focus()
      cursor = page.nextCursor
      // All there are have blocked the reader, or were blocked by them.
      state.textContent = list.childElementCount === 0 ? NOBODY_TEXT : ''
    } catch {
      if (mine === turn) state.textContent = FAILED_TEXT
    }
    if (mine === turn) more.hidden = cursor === null && state.textContent !== FAILED_TEXT
  }

  part('some').addEventListener('click', () => {
    list.replaceChildren()
    cursor = null
    void loadMore(++turn)
  })
  more.addEventListener('click', () => void loadMore(turn))

  let likes = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let askedAt = -Infinity

  /** Asks for the newest likers: the first for the summary, those who are new for the dialog. */
  const renew = async () => {
    timer = undefined
    // Who does not look is told when they look again.
    if (document.hidden) return document.addEventListener('visibilitychange', renew, { once: true })
    askedAt = performance.now()
    const limit = dialog.open ? LIKERS_PAGE_SIZE : 1
    const page = await loadLikers(dogId, { limit: String(limit) }).catch(() => null)
    if (likes > 0 && !page) return
    const likers = page?.likers ?? []
    part('none').hidden = likes > 0
    part('some').hidden = likes === 0
    part('summary').textContent = likerSummary(likes, likers[0]?.alias ?? '')
    part('verb').textContent = likes > 1 ? 'Les gusta' : 'Le gusta'
    if (!dialog.open || !['', NOBODY_TEXT].includes(state.textContent)) return
    list.prepend(...unlisted(likers))
    state.textContent = list.childElementCount === 0 ? NOBODY_TEXT : ''
  }

  window.addEventListener('perrario:liked', (event) => {
    const told = (event as CustomEvent<LikedDetail>).detail
    if (told.id !== dogId) return
    likes = told.likes
    const gone = told.liked ? null : rowOf(told.userId)
    // Whoever stood on it goes on from its neighbour.
    if (gone?.contains(document.activeElement))
      (gone.nextElementSibling ?? gone.previousElementSibling)?.querySelector('a')?.focus()
    gone?.remove()
    timer ??= setTimeout(renew, Math.max(0, askedAt + RELOAD_INTERVAL_MS - performance.now()))
  })
}
