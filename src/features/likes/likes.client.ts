import { inBackground } from '#lib/background.client.ts'
import { LIKED_KEY } from './likes.ts'

// Every `[data-like]` of the page. What a press does comes with hearts.client.ts: at once for members, whose hearts are
// live, and for visitors when they press one, or when somebody has signed in or out in this browser.

const loadHearts = () => import('./hearts.client.ts')

/** This browser remembers what a member likes. Storage may be closed. */
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

// Pages that are the same for everyone do not say who looks, and have no hearts.
const { member } = document.body.dataset
if (member || (member === '' && isMemberKnown())) inBackground(loadHearts())
else if (member === '') window.addEventListener('storage', ({ key }) => key === LIKED_KEY && inBackground(loadHearts()))
