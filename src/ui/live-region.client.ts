// The live region of lists that change in place. It must exist before a message is set. Lists that are islands have their own.

const region = document.createElement('p')
region.className = 'sr'
region.setAttribute('role', 'status')
document.body.append(region)

/** Pause that makes the same text two announcements, ms. */
const REPEAT_DELAY_MS = 100

/** Announces a text to screen readers after what they are reading. */
export function announce(text: string): void {
  region.textContent = ''
  setTimeout(() => (region.textContent = text), REPEAT_DELAY_MS)
}
