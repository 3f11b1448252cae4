import { inBackground } from '#lib/background.client.ts'
import type { Dog } from '#features/dogs/dogs.ts'
import type { Relationship } from '#features/dogs/write/dog-fields.ts'
import type { FormMode } from './save-outcome.ts'

// What the browser does after a dog was saved.

/** The keys of docs/product.md §26.5, read after sign-in to claim the dog. */
export const PENDING_ASSOCIATION = 'pending-dog-association'
export const PENDING_DOGS = 'pending-dogs-data'

/**
 * Stores what a visitor needs to claim their dog: the association with its claim token, and the dog in the list of pending
 * dogs. The sign-up form adds the list's e-mail (`features/account/join/pending-dogs-note.client.ts`).
 */
export function storePendingDog(dog: Dog, ownershipType: Relationship, token: string, now = Date.now()): void {
  const association = { dogId: dog.id, ownershipType, createdAt: now, token }
  try {
    localStorage.setItem(PENDING_ASSOCIATION, JSON.stringify(association))
    const pendingDogs = [...readPendingDogs(), { ...association, email: '', dog }]
    localStorage.setItem(PENDING_DOGS, JSON.stringify(pendingDogs))
  } catch {
    // A device without storage cannot claim the dog later; the dog itself is saved.
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

/** Notifies the page of a saved dog: listeners show it, and the rest of the page is refreshed. */
export function dispatchDogSaved(dog: Dog, mode: FormMode): void {
  window.dispatchEvent(new CustomEvent('perrario:dog-saved', { detail: { dog, mode } }))
  // Imported on use: the server renders the form's island too.
  inBackground(import('#ui/refresh.client.ts').then((module) => module.refreshPage()))
}
