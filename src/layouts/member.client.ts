import '#features/account/activity.client.ts'
import '#features/notifications/bell.client.ts'

import { MEMBER_HINT } from '#lib/offline.ts'

// What the frame does for members alone; visitors do not load it.

try {
  // A dog that is added without network is theirs (features/dogs/queue).
  localStorage.setItem(MEMBER_HINT, document.body.dataset.member ?? '')
} catch {
  // A device that keeps nothing queues nothing either.
}
