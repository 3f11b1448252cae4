import type { Dog } from '#features/dogs/dogs.ts'

const STORAGE_KEY = 'perrario.list'
/** A list left longer ago is read anew: its likes have moved on. */
const POSITION_TTL_MS = 10 * 60_000

/** Where a list was left, kept for the session (docs/product.md §4.5): how far it was read and what had been loaded below. */
export interface ListPosition {
  /** The list's address without the view's details: one list has one place. */
  address: string
  y: number
  dogs: Dog[]
  nextCursor: string | null
  at: number
}

export function saveListPosition(place: Omit<ListPosition, 'at'>): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ ...place, at: Date.now() }))
  } catch {
    // A full or forbidden storage only costs the comfort of coming back to the same place.
  }
}

/** The place of this very list, if it was left in this session and is still fresh. */
export function readListPosition(address: string): ListPosition | null {
  try {
    const place: ListPosition | null = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null')
    return place && place.address === address && Date.now() - place.at < POSITION_TTL_MS ? place : null
  } catch {
    return null
  }
}
