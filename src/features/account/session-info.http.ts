import type { MiddlewareHandler } from 'astro'
import { listLikedIds } from '#features/likes/likes.server.ts'
import { endpoint, ownJson, requireUser } from '#server/endpoint.ts'
import { loadActivity } from './activity/activity.server.ts'
import { loadFrameMember } from './frame-member.server.ts'
import { activityAnswer, sessionAnswer } from './answers.ts'

// The signed-in member as pages show them: session, counts, activity.

/** Middleware that reads what the frame of a member's page shows, before the page's data: later events reach the page live, so none is missed. */
export const readFrame: MiddlewareHandler = async ({ locals, url }, next) => {
  const { db, user, frameTexts } = locals
  if (user && !frameTexts && !url.pathname.startsWith('/api/')) locals.frame = await loadFrameMember(db, user.id)
  return next()
}

/**
 * GET /api/session: the signed-in user, the sidebar's counts, the count of unread notifications and the id of the newest
 * event, from which the page continues its live stream. Without a session `user` and `expiresAt` are null.
 */
export const getSession = endpoint({ 200: sessionAnswer }, async ({ locals: { db, user, expiresAt } }) => {
  if (!user) return { user: null, expiresAt: null }
  const { counts, unread, live } = (await loadFrameMember(db, user.id))!
  return { user, expiresAt, counts, unread, live }
})

/**
 * GET /api/activity: `{likes, dogs}`, what the header's counters count; with `?with=likes` also `liked`, as GET /api/likes, so that a page
 * asks once for both. An unchanged answer is a 304. @throws AppError 401
 */
export const getActivity = endpoint({ 200: activityAnswer, 304: null }, async (context) => {
  const { id } = requireUser(context)
  const { db } = context.locals
  const activity = await loadActivity(db, id)
  const withLikes = context.url.searchParams.get('with') === 'likes'
  return ownJson(context, withLikes ? { ...activity, liked: await listLikedIds(db, id) } : activity)
})
