import { inBackground } from '#lib/background.client.ts'
import { LIKED_KEY } from './likes.ts'

// Handles every `[data-like]` of the page. The code behind, hearts.client.ts, loads at once for members, whose hearts are
// live; for visitors at the first press, or when another tab signs in or out.

const loadHearts = () => import('./hearts.client.ts')

/** Whether storage has a member's likes. Reading it may be forbidden. */
function isMemberKnown(): boolean {
  try {
    return localStorage.getItem(LIKED_KEY) !== null
  } catch {
    return false
  }
}

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-like]') : null
  if (button) loadHearts().then(({ toggleLike }) => toggleLike(button), console.error)
})

// Pages that are the same for everyone have no `data-member`, and no hearts.
const { member } = document.body.dataset
if (member || (member === '' && isMemberKnown())) inBackground(loadHearts())
else if (member === '') window.addEventListener('storage', ({ key }) => key === LIKED_KEY && inBackground(loadHearts()))
