import * as z from 'zod/mini'
import { AppError } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { endpoint, pathId, readJson, requireUser } from '#server/endpoint.ts'
import { listNotifications, markAllRead, markRead } from './notifications.server.ts'
import { stopMemories } from './push/settings.server.ts'
import { notificationsAnswer, unreadAnswer } from './answers.ts'

/** `GET /api/notifications` */
export const getNotifications = endpoint({ 200: notificationsAnswer }, (context) =>
  listNotifications(context.locals.db, requireUser(context).id),
)

const READ_ONLY_TEXT = 'Una notificación solo se puede marcar como leída.'
const readSchema = z.object({ is_read: z.literal(true, READ_ONLY_TEXT) })

/** `PATCH /api/notifications/{id}`: marks it read, the only possible change. The body may be empty. */
export const markNotificationRead = endpoint({ 200: unreadAnswer }, async (context) => {
  const id = pathId(context)
  const user = requireUser(context)
  if (context.request.headers.get('content-type')) await readJson(context, readSchema)
  return markRead(context.locals.db, user, id)
})

/** Redirects to the list with the form, or to the sign-in page without a session. */
const redirectBack = (isSignedIn: boolean) => {
  const Location = isSignedIn ? paths.notifications : paths.login
  return new Response(null, { status: 303, headers: { Location, 'Cache-Control': 'no-store' } })
}

/** `POST /api/notifications/{id}`: the list's forms without script. A deleted notification counts as read. */
export const markNotificationReadByForm = endpoint({ 303: null }, async (context) => {
  const { user } = context.locals
  if (user)
    await markRead(context.locals.db, user, pathId(context)).catch((error: unknown) => {
      if (!(error instanceof AppError && error.status === 404)) throw error
    })
  return redirectBack(user !== null)
})

/** `POST /api/notifications/read-all`: from the panel as JSON, or from the list's form. */
export const markAllNotificationsRead = endpoint({ 200: unreadAnswer, 303: null }, async (context) => {
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(context.request.headers.get('content-type') ?? '')
  if (isForm && !context.locals.user) return redirectBack(false)
  const result = await markAllRead(context.locals.db, requireUser(context))
  return isForm ? redirectBack(true) : result
})

/** `DELETE /api/account/memories`: no more «Tal día». */
export const deleteMemories = endpoint({ 204: null }, async (context) => {
  await stopMemories(context.locals.db, requireUser(context))
  return new Response(null, { status: 204, headers: { 'Cache-Control': 'no-store' } })
})

/** `POST /api/account/memories`: the same, from the notification's own form. */
export const stopMemoriesByForm = endpoint({ 303: null }, async (context) => {
  const { db, user } = context.locals
  if (!user) return redirectBack(false)
  await stopMemories(db, user)
  const Location = `${paths.notifications}?hecho=recuerdos`
  return new Response(null, { status: 303, headers: { Location, 'Cache-Control': 'no-store' } })
})
