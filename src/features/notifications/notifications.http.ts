import * as z from 'zod/mini'
import { getDb } from '#server/db.ts'
import { endpoint, pathId, readJson, requireUser } from '#server/http.ts'
import { listNotifications, markAllRead, markRead } from './notifications.server.ts'

/** `GET /api/notifications` */
export const list = endpoint((context) => listNotifications(getDb(), requireUser(context).id))

const WRONG = 'Una notificación solo se puede marcar como leída.'
const readSchema = z.object({ is_read: z.literal(true, WRONG) })

/** `PATCH /api/notifications/{id}`: an empty body means read, the only change there is. */
export const read = endpoint(async (context) => {
  const id = pathId(context)
  const user = requireUser(context)
  if (context.request.headers.get('content-type')) await readJson(context, readSchema)
  return markRead(getDb(), user, id)
})

/** `POST /api/notifications/read-all` */
export const readAll = endpoint((context) => markAllRead(getDb(), requireUser(context)))
