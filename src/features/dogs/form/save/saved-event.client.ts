import { inBackground } from '#lib/background.client.ts'
import type { Dog } from '#features/dogs/dogs.ts'
import type { FormMode } from './save-outcome.ts'

/** Tells the page that a dog was saved: what listens shows it, and the rest of the page is brought up to date. */
export function dispatchDogSaved(dog: Dog, mode: FormMode): void {
  window.dispatchEvent(new CustomEvent('perrario:dog-saved', { detail: { dog, mode } }))
  // Imported on use: the server renders the form's island too.
  inBackground(import('#ui/refresh.client.ts').then(({ refreshPage }) => refreshPage()))
}
