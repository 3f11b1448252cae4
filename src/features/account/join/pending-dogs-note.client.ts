import { emailError } from '#features/auth/sign-in/sign-in.ts'
import { PENDING_ASSOCIATION, PENDING_DOGS } from '#features/dogs/form/save/saved-dog.client.ts'
import { findPendingEmail, formatPendingMessage, addEmailToPendingDogs } from './pending-dogs.ts'

// On the sign-in screens, for a visitor with pending dogs on this device: shows a note, fills in the e-mail typed before, and
// stores the submitted e-mail with the dogs (docs/product.md §26.5). The association deletes both.

function showPendingNote(): void {
  const list = localStorage.getItem(PENDING_DOGS)
  const text = formatPendingMessage(localStorage.getItem(PENDING_ASSOCIATION), list)
  const note = document.querySelector<HTMLElement>('[data-pending-note]')
  if (!text || !note) return
  note.textContent = text
  note.dataset.pendingNote = 'shown'

  const input = document.querySelector<HTMLInputElement>('[data-magic-link] [name=email]')
  const email = findPendingEmail(list)
  if (!input || input.value !== '' || email === '') return
  input.value = email
  // The form's own script enables the button on this event.
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
    // The dogs stay pending without the e-mail.
  }
})

try {
  showPendingNote()
} catch {
  // Without storage the device has no pending dogs.
}
