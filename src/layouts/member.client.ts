import '#features/account/activity.client.ts'
import '#features/notifications/bell.client.ts'

// What the frame does for members alone; visitors do not load it.
