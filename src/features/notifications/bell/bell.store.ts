import { atom } from 'nanostores'
import type { NotificationEvent } from '#features/live/live.ts'
import { applyNotificationEvent, type Bell, EMPTY_BELL } from './bell.ts'
import type { NotificationList } from '#features/notifications/notifications.ts'

/** Shared by the badge (bell.client.ts, on every page) and the panel (the island, once somebody opens it). */
export const $bell = atom<Bell>(EMPTY_BELL)
/** Whether the panel is open: what it shows counts as seen. */
export const $isBellOpen = atom(false)

/** What was told while a list is on its way, one array a request: its answer may be older. */
const pendingRequests = new Set<NotificationEvent[]>()

export function receiveNotificationEvent(event: NotificationEvent): void {
  for (const told of pendingRequests) told.push(event)
  $bell.set(applyNotificationEvent($bell.get(), event))
}

/** Takes the server's list, with what was told while it was on its way on top. @throws what `ask` throws */
export async function receiveNotifications(ask: () => Promise<NotificationList>): Promise<void> {
  const told: NotificationEvent[] = []
  pendingRequests.add(told)
  try {
    const { notifications, unread } = await ask()
    $bell.set(told.reduce(applyNotificationEvent, { ...$bell.get(), list: notifications, unread }))
  } finally {
    pendingRequests.delete(told)
  }
}
