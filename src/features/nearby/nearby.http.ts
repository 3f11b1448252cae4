import { MINUTE_SECONDS } from '#lib/time.ts'
import { endpoint, requireUser } from '#server/endpoint.ts'
import { limit } from '#server/limits/rate-limit.ts'
import { missingNearbyAnswer } from './answers.ts'
import { loadMissingNearby } from './missing-breeds.server.ts'

/** More than a person reloads. */
const READS_PER_MINUTE = 120

/** GET /api/missing-nearby: breeds that the requester's album lacks, around their home zone. */
export const getMissingNearby = endpoint({ 200: missingNearbyAnswer }, async (context) => {
  const { id } = requireUser(context)
  await limit('missing-nearby', id, READS_PER_MINUTE, MINUTE_SECONDS)
  const { home, breeds } = await loadMissingNearby(context.locals.db, id)
  return {
    zone: home?.zone ?? null,
    breeds: breeds.map(({ slug, name, scope, dogs, lastSeen, lastZone }) => ({
      slug,
      name,
      scope,
      dogs,
      last_seen: lastSeen,
      last_zone: lastZone,
    })),
  }
})
