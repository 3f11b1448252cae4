import * as z from 'zod/mini'
import { AppError } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { endpoint, readForm, readJson, requireUser } from '#server/endpoint.ts'
import { limit } from '#server/limits/rate-limit.ts'
import { MAX_ALIAS_CODE_UNITS, ALIAS_TEXTS } from './alias.ts'
import { checkAliasAvailability, updateProfile } from './edit/profile-edit.server.ts'
import { MAX_EMOJI_CODE_UNITS, EMOJI_TEXTS } from './emoji.ts'

/** More than anybody types or saves in so many seconds. */
const ALIAS_CHECKS_PER_WINDOW = 600
const SAVES_PER_WINDOW = 120
const WINDOW_SECONDS = 600

const MAX_FORM_BYTES = 16 * 1024

const profileSchema = z.object({
  alias: z.string(ALIAS_TEXTS.empty).check(z.maxLength(MAX_ALIAS_CODE_UNITS, ALIAS_TEXTS.long)),
  emoji: z.string(EMOJI_TEXTS.none).check(z.maxLength(MAX_EMOJI_CODE_UNITS, EMOJI_TEXTS.one)),
})

/** `GET /api/profile/alias?alias=` */
export const alias = endpoint(async ({ locals, url }) => {
  await limit('alias-check', locals.user?.id ?? locals.ip, ALIAS_CHECKS_PER_WINDOW, WINDOW_SECONDS)
  return checkAliasAvailability(locals.db, locals.user, url.searchParams.get('alias') ?? '')
})

/** `PUT /api/profile` */
export const save = endpoint(async (context) => {
  const user = requireUser(context)
  await limit('profile-save', user.id, SAVES_PER_WINDOW, WINDOW_SECONDS)
  const input = await readJson(context, profileSchema)
  return { profile: { id: user.id, ...(await updateProfile(context.locals.db, user, input)) } }
})

const redirectTo = (address: string) =>
  new Response(null, { status: 303, headers: { Location: address, 'Cache-Control': 'no-store' } })

/**
 * `POST /api/profile`: what the edit form sends without script. Either way a redirect: to the profile, or back to the form
 * with what was typed, which says again what is wrong with it. Without a session /perfil invites to sign in.
 */
export const saveForm = endpoint(async (context) => {
  const form = await readForm(context, MAX_FORM_BYTES)
  const { user } = context.locals
  if (!user) return redirectTo(paths.profile)
  const draft = { alias: String(form.get('alias') ?? ''), emoji: String(form.get('emoji') ?? '') }
  try {
    await limit('profile-save', user.id, SAVES_PER_WINDOW, WINDOW_SECONDS)
    await updateProfile(context.locals.db, user, draft)
  } catch (error) {
    if (!(error instanceof AppError)) console.error(error)
    return redirectTo(paths.profileDraft(draft, !(error instanceof AppError && error.status === 422)))
  }
  return redirectTo(paths.profileSaved)
})
