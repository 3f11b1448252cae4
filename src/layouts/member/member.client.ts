import '#features/account/activity/activity.client.ts'
import '#features/dogs/card/photo-stack-loader.client.ts'
import '#features/dogs/list/like-stats.client.ts'
import '#features/notifications/bell/bell.client.ts'
import './load-state.client.ts'
import './own-writes.client.ts'
import './sign-out.client.ts'

import { LAST_MEMBER_KEY } from '#lib/offline.ts'

// The frame's code for members; visitors do not load it.

const memberId = document.body.dataset.member ?? ''

function storeMemberId(): void {
  try {
    // A dog that is added without network belongs to this member (features/dogs/queue).
    localStorage.setItem(LAST_MEMBER_KEY, memberId)
  } catch {
    // Without storage there is no queue of dogs either.
  }
}

/** Whether the page's member is still signed in here: Back shows a stored page, also after its member has signed out. */
function isSameMember(): boolean {
  try {
    return localStorage.getItem(LAST_MEMBER_KEY) === memberId
  } catch {
    return true
  }
}

function reloadWithoutMember(): void {
  document.body.hidden = true
  location.reload()
}

addEventListener('pageshow', ({ persisted }) => persisted && !isSameMember() && reloadWithoutMember())
const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
if (navigation?.type === 'back_forward' && !isSameMember()) reloadWithoutMember()
else storeMemberId()
