import '#features/account/activity/activity.client.ts'
import '#features/dogs/card/photo-stack-loader.client.ts'
import '#features/dogs/list/like-stats.client.ts'
import '#features/notifications/bell/bell.client.ts'
import './load-state.client.ts'
import './own-writes.client.ts'
import './sign-out.client.ts'

import { rememberMember } from './same-member.client.ts'

// The frame's code for members; visitors do not load it.

rememberMember(document.body.dataset.member ?? '')
