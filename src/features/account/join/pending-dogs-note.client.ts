import { emailError } from '#features/auth/sign-in/sign-in.ts'
import { PENDING_ASSOCIATION, PENDING_DOGS } from '#features/dogs/form/save/pending-dogs.client.ts'
import { findPendingEmail, formatPendingMessage, addEmailToPendingDogs } from './pending-dogs.ts'

// On the sign-in screens, for a visitor whose dogs wait on this device: says so, offers the e-mail typed before, and keeps
// the one that the link is sent to with the dogs (docs/product.md §26.5). Both go with the association.

function showPendingNote(): void {
  const list = localStorage.getItem(PENDING_DOGS)
  const text = formatPendingMessage(localStorage.getItem(PENDING_ASSOCIATION), list)
  const note = document.querySelector<HTMLElement>('[data-pending-note]')
  if (!text || !note) return
  note.querySelector('span')!.textContent = text
  note.hidden = false

  const input = document.querySelector<HTMLInputElement>('[data-magic-link] [name=email]')
  const email = findPendingEmail(list)
  if (!input || input.value !== '' || email === '') return
  input.value = email
  // The form's own script lets the button go by this.
  input.dispatchEvent(new Event('input', { bubbles: true }))
}

document.addEventListener('submit', ({ target }) => {
  if (!(target instanceof HTMLFormElement) || !target.matches('[data-magic-link]')) return
  const email = String(new FormData(target).get('email') ?? '').trim()
  if (emailError(email)) return
  try {
    const list = addEmailToPendingDogs(localStorage.getItem(PENDING_DOGS), email)
    if (list) localStorage.setItem(PENDING_DOGS, list)
  } catch {
    // The dogs wait without it.
  }
})

try {
  showPendingNote()
} catch {
  // A device that keeps nothing has no dog waiting.
}
