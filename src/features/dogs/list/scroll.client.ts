import type { Dog } from '../dogs.ts'

const KEY = 'perrario.list'
/** A list left longer ago is read anew: its likes have moved on. */
const FRESH = 10 * 60_000

/** Where a list was left, kept for the session (docs/product.md §4.5): how far it was read and what had been loaded below. */
export interface LeftList {
  /** The list's address without the view's details: one list has one place. */
  address: string
  y: number
  dogs: Dog[]
  nextCursor: string | null
  at: number
}

export function keepPlace(place: Omit<LeftList, 'at'>): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ ...place, at: Date.now() }))
  } catch {
    // A full or forbidden storage only costs the comfort of coming back to the same place.
  }
}

/** The place of this very list, if it was left in this session and is still fresh. */
export function recallPlace(address: string): LeftList | null {
  try {
    const place: LeftList | null = JSON.parse(sessionStorage.getItem(KEY) ?? 'null')
    return place && place.address === address && Date.now() - place.at < FRESH ? place : null
  } catch {
    return null
  }
}
