import type { APIContext } from 'astro'
import { redirectToSignIn } from '#features/auth/flash.http.ts'
import { AppError, notFound } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { MINUTE_SECONDS } from '#lib/time.ts'
import { assertDiskSpace } from '#server/disk-space.ts'
import { endpoint, readForm, requireUser } from '#server/endpoint.ts'
import { isForm, redirect } from '#server/forms.ts'
import { limit } from '#server/limits/rate-limit.ts'
import { followingAnswer } from './answers.ts'
import { FOLLOW_FIELD, FOLLOW_TEXTS, followPaths, type FollowTarget, isFollowKind, UNFOLLOW } from './follows.ts'
import { follow, unfollow } from './follows.server.ts'
import { toNotice } from './notices.ts'
import { toStoredTarget } from './targets.server.ts'

/** Follows and their ends per member: a press each. */
const CHANGES_PER_MINUTE = 120

type Locals = Pick<APIContext, 'locals'>

async function requireUserWithinLimit(context: Locals) {
  const user = requireUser(context)
  await limit('follow', user.id, CHANGES_PER_MINUTE, MINUTE_SECONDS)
  return user
}

/** Follows the target as the request's member, within their limits. @throws AppError as `follow` */
export async function followAsMember(context: Locals, target: FollowTarget): Promise<FollowTarget> {
  const user = await requireUserWithinLimit(context)
  await assertDiskSpace()
  return follow(context.locals.db, user, target)
}

/** The target in the path. @throws AppError 404 for one of no kind */
function pathTarget({ params }: APIContext): FollowTarget {
  const { kind, id = '' } = params
  if (!isFollowKind(kind)) throw notFound(FOLLOW_TEXTS.kind)
  return { kind, id }
}

/** `PUT /api/follows/{kind}/{id}`: follows a `member` by id, a `breed` by slug or a `zone` by the number or name of its province. */
export const putFollow = endpoint({ 200: followingAnswer }, async (context) => {
  await followAsMember(context, pathTarget(context))
  return { following: true }
})

/** `DELETE /api/follows/{kind}/{id}`: stops following it. */
export const deleteFollow = endpoint({ 200: followingAnswer }, async (context) => {
  const user = await requireUserWithinLimit(context)
  await unfollow(context.locals.db, user, await toStoredTarget(context.locals.db, pathTarget(context)))
  return { following: false }
})

/**
 * `POST /api/follows/{kind}/{id}` from a form: `seguir` is `1` or `0`; with `desde=lista` back to the member's own list. A visitor goes to the
 * sign-in, after which their profile does it.
 */
export const changeFollowByForm = endpoint({ 303: null }, async (context) => {
  const target = pathTarget(context)
  const form = await readFollowForm(context)
  const back = form.get('desde') === 'lista' ? followPaths.list() : pageOf(target)
  return changeByForm(context, { target, isFollow: form.get(FOLLOW_FIELD) !== UNFOLLOW, back })
})

/** `POST /api/follows/zone` from a form: follows the zone that was chosen in `zona`. */
export const followZoneByForm = endpoint({ 303: null }, async (context) => {
  const form = await readFollowForm(context)
  const target = { kind: 'zone', id: String(form.get('zona') ?? '') } as const
  return changeByForm(context, { target, isFollow: true, back: followPaths.list() })
})

async function readFollowForm(context: APIContext): Promise<FormData> {
  if (!isForm(context)) throw new AppError(415, FOLLOW_TEXTS.form)
  return readForm(context)
}

async function changeByForm(
  context: APIContext,
  { target, isFollow, back }: { target: FollowTarget; isFollow: boolean; back: string },
): Promise<Response> {
  if (!context.locals.user)
    return isFollow ? redirectToSignIn(context, { act: target.kind, id: target.id }) : redirect(paths.login)
  const { db } = context.locals
  try {
    if (isFollow) await followAsMember(context, target)
    else await unfollow(db, await requireUserWithinLimit(context), await toStoredTarget(db, target))
  } catch (error) {
    const notice = error instanceof AppError ? toNotice(error, target.kind) : undefined
    if (notice === undefined) throw error
    return redirect(`${followPaths.list()}?aviso=${notice}`)
  }
  return redirect(back)
}

/** The page that has the target's button. What is no id leads to the member's own list. */
export function pageOf({ kind, id }: FollowTarget): string {
  if (kind === 'zone' || !/^[a-z0-9-]{1,120}$/.test(id)) return followPaths.list()
  return kind === 'member' ? paths.member(id) : paths.breed(id)
}
