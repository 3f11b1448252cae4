import { endpoint, requireUser } from '#server/endpoint.ts'
import { loadActivity } from './activity.server.ts'

/** `GET /api/activity`: `{likes, dogs}`, what the header's counters count. */
export const activity = endpoint((context) => loadActivity(context.locals.db, requireUser(context).id))
