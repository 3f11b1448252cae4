import { atom } from 'nanostores'
import type { NotificationEvent } from '#features/live/live.ts'
import { afterEvent, type Bell, EMPTY_BELL } from './bell.ts'
import type { NotificationList } from './notifications.ts'

/** Shared by the badge (bell.client.ts, on every page) and the panel (the island, once somebody opens it). */
export const $bell = atom<Bell>(EMPTY_BELL)
/** Whether the panel is open: what it shows counts as seen. */
export const $isBellOpen = atom(false)

/** What was told while a list is on its way, one array a request: its answer may be older. */
const waiting = new Set<NotificationEvent[]>()

export function hear(event: NotificationEvent): void {
  for (const told of waiting) told.push(event)
  $bell.set(afterEvent($bell.get(), event))
}

/** Takes the server's list, with what was told while it was on its way on top. @throws what `ask` throws */
export async function receive(ask: () => Promise<NotificationList>): Promise<void> {
  const told: NotificationEvent[] = []
  waiting.add(told)
  try {
    const { notifications, unread } = await ask()
    $bell.set(told.reduce(afterEvent, { ...$bell.get(), list: notifications, unread }))
  } finally {
    waiting.delete(told)
  }
}
