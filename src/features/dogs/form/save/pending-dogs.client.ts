import type { Dog } from '#features/dogs/dogs.ts'
import type { Relationship } from '#features/dogs/write/dog-input.ts'

/** The keys of docs/product.md §26.5, read again after sign-in, when the dog is given to its person. */
export const PENDING_ASSOCIATION = 'pending-dog-association'
export const PENDING_DOGS = 'pending-dogs-data'

/**
 * Leaves what a visitor's dog needs to become theirs: the association (with the token that proves this device added
 * it) and the dog itself in the list of dogs that wait. The e-mail of that list is added by the form it is typed in, after
 * this one (`features/account/join/pending-dogs-note.client.ts`).
 */
export function storePendingDog(dog: Dog, ownershipType: Relationship, token: string, now = Date.now()): void {
  const association = { dogId: dog.id, ownershipType, createdAt: now, token }
  try {
    localStorage.setItem(PENDING_ASSOCIATION, JSON.stringify(association))
    const waiting = [...readPendingDogs(), { ...association, email: '', dog }]
    localStorage.setItem(PENDING_DOGS, JSON.stringify(waiting))
  } catch {
    // A device that keeps nothing cannot claim the dog later; the dog itself is safe.
  }
}

function readPendingDogs(): unknown[] {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(PENDING_DOGS) ?? '[]')
    return Array.isArray(list) ? list : []
  } catch {
    return []
  }
}
