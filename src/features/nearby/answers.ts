import * as z from 'zod/mini'
import { ALERT_DISTANCES_KM } from './home-zone/home-zone.ts'
import { SCOPES } from './nearby.ts'

// JSON answers of this feature's endpoints. Browser files import their types only.

/** `GET`, `PUT /api/profile/home-zone`: the requester's own home zone; `zone` is null where they have none. */
export const homeZoneAnswer = z.object({
  zone: z.nullable(z.string()),
  /** The INE number of its province; null abroad and without a zone. */
  province: z.nullable(z.string()),
  /** How near a missing breed must appear for an alert: km, the province, or null for no alerts. */
  alert: z.nullable(z.literal([...ALERT_DISTANCES_KM, 'province'])),
  digest: z.boolean(),
})

/** `GET /api/missing-nearby`: breeds that the requester's album lacks and others have, nearest first. Without a home zone none. */
export const missingNearbyAnswer = z.object({
  zone: z.nullable(z.string()),
  breeds: z.array(
    z.object({
      slug: z.string(),
      name: z.string(),
      /** Where these dogs are: in the zone's province, the ones around it, the country, or anywhere. */
      scope: z.enum(SCOPES),
      dogs: z.int().check(z.minimum(1)),
      /** When the newest of them was added, in milliseconds, and its zone. */
      last_seen: z.int(),
      last_zone: z.nullable(z.string()),
    }),
  ),
})
