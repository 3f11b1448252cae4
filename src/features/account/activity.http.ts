import { endpoint, requireUser } from '#server/http.ts'
import { activityOf } from './activity.server.ts'

/** `GET /api/activity`: `{likes, dogs}`, what the header's counters count. */
export const activity = endpoint((context) => activityOf(context.locals.db, requireUser(context).id))
