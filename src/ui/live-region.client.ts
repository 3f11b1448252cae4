// What changes a list in place says so here: a live region that stands before anything is said in it. Lists that are
// islands have their own.

const region = document.createElement('p')
region.className = 'sr'
region.setAttribute('role', 'status')
document.body.append(region)

/** Long enough that the same words said twice are two announcements, ms. */
const REPEAT_DELAY_MS = 100

/** Tells it to screen readers once they have said what they are saying. */
export function announce(text: string): void {
  region.textContent = ''
  setTimeout(() => (region.textContent = text), REPEAT_DELAY_MS)
}
