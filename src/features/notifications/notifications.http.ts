import * as z from 'zod/mini'
import { AppError } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { endpoint, pathId, readJson, requireUser } from '#server/endpoint.ts'
import { listNotifications, markAllRead, markRead } from './notifications.server.ts'

/** `GET /api/notifications` */
export const list = endpoint((context) => listNotifications(context.locals.db, requireUser(context).id))

const READ_ONLY_TEXT = 'Una notificación solo se puede marcar como leída.'
const readSchema = z.object({ is_read: z.literal(true, READ_ONLY_TEXT) })

/** `PATCH /api/notifications/{id}`: an empty body means read, the only change there is. */
export const read = endpoint(async (context) => {
  const id = pathId(context)
  const user = requireUser(context)
  if (context.request.headers.get('content-type')) await readJson(context, readSchema)
  return markRead(context.locals.db, user, id)
})

/** Back to the list that the form stood in; who is not signed in is asked to. */
const redirectBack = (signedIn: boolean) => {
  const Location = signedIn ? paths.notifications : paths.login
  return new Response(null, { status: 303, headers: { Location, 'Cache-Control': 'no-store' } })
}

/** `POST /api/notifications/{id}`: what the list's forms send without script. A line that is gone is as good as read. */
export const readForm = endpoint(async (context) => {
  const { user } = context.locals
  if (user)
    await markRead(context.locals.db, user, pathId(context)).catch((error: unknown) => {
      if (!(error instanceof AppError && error.status === 404)) throw error
    })
  return redirectBack(user !== null)
})

/** `POST /api/notifications/read-all`: from the panel, or from the list's form. */
export const readAll = endpoint(async (context) => {
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(context.request.headers.get('content-type') ?? '')
  if (isForm && !context.locals.user) return redirectBack(false)
  const result = await markAllRead(context.locals.db, requireUser(context))
  return isForm ? redirectBack(true) : result
})
