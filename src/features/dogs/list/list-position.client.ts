import type { CardDog } from '#features/dogs/card/card-dog.ts'

const STORAGE_KEY = 'perrario.cards'
/** An older list is loaded again: its likes are out of date. */
const POSITION_TTL_MS = 10 * 60_000

/** Where a list was left, stored for the session (docs/product.md §4.5): the scroll position and the dogs loaded so far. */
export interface ListPosition {
  /** The list's address without its view: one list has one position. */
  address: string
  /** Scroll position, CSS pixels. */
  y: number
  dogs: CardDog[]
  nextCursor: string | null
  /** When it was left, ms since 1970. */
  at: number
}

export function saveListPosition(position: Omit<ListPosition, 'at'>): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ ...position, at: Date.now() }))
  } catch {
    // Without storage the list opens at its top.
  }
}

/** The position of the list at `address`, if it was left in this session less than POSITION_TTL_MS ago. */
export function readListPosition(address: string): ListPosition | null {
  try {
    const position: ListPosition | null = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null')
    return position && position.address === address && Date.now() - position.at < POSITION_TTL_MS ? position : null
  } catch {
    return null
  }
}
