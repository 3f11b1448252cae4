import '#features/account/activity.client.ts'
import '#features/dogs/stack-start.client.ts'
import '#features/notifications/bell.client.ts'
import './sign-out.client.ts'

import { MEMBER_HINT } from '#lib/offline.ts'

// What the frame does for members alone; visitors do not load it.

const me = document.body.dataset.member ?? ''

function rememberMe(): void {
  try {
    // A dog that is added without network is theirs (features/dogs/queue).
    localStorage.setItem(MEMBER_HINT, me)
  } catch {
    // A device that keeps nothing queues nothing either.
  }
}

/** Browsers show a page that one goes back to as it was: not to whoever sits here after its member signed out. */
function isMine(): boolean {
  try {
    return localStorage.getItem(MEMBER_HINT) === me
  } catch {
    return true
  }
}

function leave(): void {
  document.body.hidden = true
  location.reload()
}

addEventListener('pageshow', ({ persisted }) => persisted && !isMine() && leave())
const [how] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
if (how?.type === 'back_forward' && !isMine()) leave()
else rememberMe()
