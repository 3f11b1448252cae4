import { atom } from 'nanostores'
import type { NotificationEvent } from '#features/live/live.ts'
import { applyNotificationEvent, type Bell, EMPTY_BELL } from './bell.ts'
import type { NotificationList } from '#features/notifications/notifications.ts'

/** Shared by the badge (bell.client.ts, on every page) and the panel (the island, once it is opened). */
export const $bell = atom<Bell>(EMPTY_BELL)
/** Whether the panel is open. */
export const $isBellOpen = atom(false)

/** Events that came during requests of the list, one array per request: the answer may be older than they. */
const eventsDuringRequests = new Set<NotificationEvent[]>()

export function receiveNotificationEvent(event: NotificationEvent): void {
  for (const events of eventsDuringRequests) events.push(event)
  $bell.set(applyNotificationEvent($bell.get(), event))
}

/** Requests the list, and applies the events that came meanwhile on top. @throws what `request` throws */
export async function receiveNotifications(request: () => Promise<NotificationList>): Promise<void> {
  const events: NotificationEvent[] = []
  eventsDuringRequests.add(events)
  try {
    const { notifications, unread } = await request()
    $bell.set(events.reduce(applyNotificationEvent, { ...$bell.get(), list: notifications, unread }))
  } finally {
    eventsDuringRequests.delete(events)
  }
}
