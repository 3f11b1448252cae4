import { msUntilMadridMidnight } from '#lib/dates.ts'
import { endpoint, json } from '#server/endpoint.ts'
import { todayCounts } from './today.server.ts'
import { todayAnswer } from '../answers.ts'

/** How long browsers and proxies cache the counts; never past midnight. */
const MAX_AGE_SECONDS = 30

/** `GET /api/today`: `{dogs, likes}`, the same for everyone. */
export const getTodayCounts = endpoint({ 200: todayAnswer }, async ({ locals }) => {
  const now = Date.now()
  const maxAge = Math.min(MAX_AGE_SECONDS, Math.floor(msUntilMadridMidnight(now) / 1000))
  return json(await todayCounts(locals.db, now), { headers: { 'Cache-Control': `public, max-age=${maxAge}` } })
})
