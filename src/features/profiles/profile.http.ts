import * as z from 'zod/mini'
import { AppError } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { endpoint, readForm, readJson, requireUser } from '#server/http.ts'
import { limit } from '#server/rate.ts'
import { ALIAS_LENGTH_MAX, ALIAS_TEXTS } from './alias.ts'
import { aliasAvailability, updateProfile } from './edit.server.ts'
import { EMOJI_LENGTH_MAX, EMOJI_TEXTS } from './emoji.ts'

/** More than anybody types or saves in so many seconds. */
const CHECKS = 600
const SAVES = 120
const TEN_MINUTES = 600

const FORM_LIMIT = 16 * 1024

const profileSchema = z.object({
  alias: z.string(ALIAS_TEXTS.empty).check(z.maxLength(ALIAS_LENGTH_MAX, ALIAS_TEXTS.long)),
  emoji: z.string(EMOJI_TEXTS.none).check(z.maxLength(EMOJI_LENGTH_MAX, EMOJI_TEXTS.one)),
})

/** `GET /api/profile/alias?alias=` */
export const alias = endpoint(async ({ locals, url }) => {
  await limit('alias-check', locals.user?.id ?? locals.ip, CHECKS, TEN_MINUTES)
  return aliasAvailability(locals.db, locals.user, url.searchParams.get('alias') ?? '')
})

/** `PUT /api/profile` */
export const save = endpoint(async (context) => {
  const user = requireUser(context)
  await limit('profile-save', user.id, SAVES, TEN_MINUTES)
  const input = await readJson(context, profileSchema)
  return { profile: { id: user.id, ...(await updateProfile(context.locals.db, user, input)) } }
})

const goTo = (address: string) =>
  new Response(null, { status: 303, headers: { Location: address, 'Cache-Control': 'no-store' } })

/**
 * `POST /api/profile`: what the edit form sends without script. Either way a redirect: to the profile, or back to the form
 * with what was typed, which says again what is wrong with it. Without a session /perfil invites to sign in.
 */
export const saveForm = endpoint(async (context) => {
  const form = await readForm(context, FORM_LIMIT)
  const { user } = context.locals
  if (!user) return goTo(paths.profile)
  const draft = { alias: String(form.get('alias') ?? ''), emoji: String(form.get('emoji') ?? '') }
  try {
    await limit('profile-save', user.id, SAVES, TEN_MINUTES)
    await updateProfile(context.locals.db, user, draft)
  } catch (error) {
    if (!(error instanceof AppError)) console.error(error)
    return goTo(paths.profileDraft(draft, !(error instanceof AppError && error.status === 422)))
  }
  return goTo(paths.profileSaved)
})
