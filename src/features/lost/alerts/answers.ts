import * as z from 'zod/mini'
import { ALERT_RADII_KM } from './lost-alerts.ts'

// JSON answers of this feature's endpoints. Browser files import their types only.

/** `GET`, `PUT /api/lost-alerts`: where and how the requester is alerted of lost dogs; `zone` is null where they are not. */
export const lostAlertsAnswer = z.object({
  zone: z.nullable(z.string()),
  radius_km: z.nullable(z.literal([...ALERT_RADII_KM])),
  breaks_quiet: z.boolean(),
  by_mail: z.boolean(),
  by_push: z.boolean(),
})
