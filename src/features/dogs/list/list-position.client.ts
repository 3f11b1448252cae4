import type { CardDog } from '#features/dogs/card/card-dog.ts'

const STORAGE_KEY = 'perrario.cards'
/** An older list is loaded again: its likes are out of date. */
const POSITION_TTL_MS = 10 * 60_000

/** Where a list was left, stored for the session (docs/product.md §4.5): the scroll position and the dogs loaded so far. */
export interface ListPosition {
  /** The query string of the list's address. */
  address: string
  /** Scroll position, CSS pixels. */
  y: number
  dogs: CardDog[]
  nextCursor: string | null
  /** When it was left, ms since 1970. */
  at: number
}

export function saveListPosition({ dogs, nextCursor }: Pick<ListPosition, 'dogs' | 'nextCursor'>): void {
  try {
    const position: ListPosition = { address: location.search, y: scrollY, dogs, nextCursor, at: Date.now() }
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(position))
  } catch {
    // Without storage the list opens at its top.
  }
}

function readListPosition(): ListPosition | null {
  try {
    const position: ListPosition | null = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null')
    return position && position.address === location.search && Date.now() - position.at < POSITION_TTL_MS
      ? position
      : null
  } catch {
    return null
  }
}

/**
 * Scrolls to where the list of this address was left in this session, less than POSITION_TTL_MS ago.
 * @param shown how many dogs the list shows
 * @param show shows the dogs that it had then, where they were more
 */
export function restoreListPosition(
  shown: number,
  show: (list: Pick<ListPosition, 'dogs' | 'nextCursor'>) => void,
): void {
  const position = readListPosition()
  if (!position || position.y <= 0) return
  // The browser restores the scroll position too, but not below the end of the list that the server rendered: to a few
  // pixels it then stands there.
  const isClamped = scrollY + innerHeight > document.documentElement.scrollHeight - 9
  const { dogs, nextCursor } = position
  if (dogs.length > shown) show({ dogs, nextCursor })
  // After the longer list is laid out, unless the browser or the person has scrolled.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => (scrollY === 0 || isClamped) && scrollTo({ top: position.y, behavior: 'instant' })),
  )
}
