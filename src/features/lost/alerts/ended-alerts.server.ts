import { deleteTargetNotifications } from '#features/notifications/target-notifications.server.ts'
import type { Topic } from '#features/outbox/outbox.server.ts'

/** Notifications that are deleted in one step: ten thousand members may have one. */
const NOTIFICATIONS_PER_STEP = 25

/** Deletes the alerts of a case that has ended, with their zones, from all bells. A trigger of `lost_cases` adds the jobs. */
export const endedAlerts: Topic = {
  name: 'lost-alert-ends',
  failure: 'los avisos de un perro que ya no está perdido no se pudieron borrar',
  async step(trx, { key: caseId }) {
    // By the index notifications_target.
    const deleted = await deleteTargetNotifications(trx, [caseId], NOTIFICATIONS_PER_STEP)
    return deleted < NOTIFICATIONS_PER_STEP ? 'done' : {}
  },
}
