import { paths } from '#lib/paths.ts'
import { type Liker, type LikerPage, likerSummary, type LikeState } from './likes.ts'

const FAILED = 'No se han podido cargar. Inténtalo de nuevo.'

async function load(dogId: string, query: Record<string, string>): Promise<LikerPage> {
  const address = `${paths.api.dogLikes(dogId)}?${new URLSearchParams(query)}`
  const response = await fetch(address, { headers: { Accept: 'application/json' } })
  if (!response.ok) throw new Error(`likes answered ${response.status}`)
  return await response.json()
}

function row({ id, alias, emoji }: Liker): HTMLLIElement {
  const item = document.createElement('li')
  const link = document.createElement('a')
  const face = document.createElement('span')
  link.href = paths.member(id)
  face.textContent = emoji
  face.ariaHidden = 'true'
  link.append(face, alias)
  item.append(link)
  return item
}

/** The summary beside the heart and the dialog with everyone (LikerSummary.astro). */
export function startLikers(): void {
  const summary = document.querySelector<HTMLElement>('[data-likers]')
  if (!summary) return
  const dogId = summary.dataset.likers!
  const part = (name: string) => document.querySelector<HTMLElement>(`[data-likers-${name}]`)!
  const [list, state, more] = [part('list'), part('state'), part('more')]
  let cursor: string | null = null
  /** Counts the openings: an answer to an earlier one comes too late. */
  let turn = 0

  const loadMore = async (mine: number) => {
    state.textContent = 'Cargando...'
    more.hidden = true
    try {
      const page = await load(dogId, cursor ? { cursor } : {})
      if (mine !== turn) return
      list.append(...page.likers.map(row))
      cursor = page.nextCursor
      state.textContent = ''
    } catch {
      if (mine === turn) state.textContent = FAILED
    }
    if (mine === turn) more.hidden = cursor === null && state.textContent === ''
  }

  part('some').addEventListener('click', () => {
    list.replaceChildren()
    cursor = null
    void loadMore(++turn)
  })
  more.addEventListener('click', () => void loadMore(turn))

  window.addEventListener('perrario:liked', async (event) => {
    const { id, likes } = (event as CustomEvent<LikeState & { id: string }>).detail
    if (id !== dogId) return
    const { likers } = await load(dogId, { limit: '1' }).catch(() => ({ likers: [] }))
    if (likes > 0 && !likers[0]) return
    part('none').hidden = likes > 0
    part('some').hidden = likes === 0
    part('summary').textContent = likerSummary(likes, likers[0]?.alias ?? '')
    part('verb').textContent = likes > 1 ? 'Les gusta' : 'Le gusta'
  })
}
