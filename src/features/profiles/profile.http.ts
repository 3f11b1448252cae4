import * as z from 'zod/mini'
import { AppError } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { endpoint, readForm, readJson, requireUser } from '#server/endpoint.ts'
import { redirect } from '#server/forms.ts'
import { limit } from '#server/limits/rate-limit.ts'
import { MAX_ALIAS_CODE_UNITS, ALIAS_TEXTS } from './alias.ts'
import { checkAliasAvailability, updateProfile } from './edit/profile-edit.server.ts'
import { MAX_EMOJI_CODE_UNITS, EMOJI_TEXTS } from './emoji.ts'
import { aliasAvailabilityAnswer, savedProfileAnswer } from './answers.ts'

/** More than honest use needs per window. */
const ALIAS_CHECKS_PER_WINDOW = 600
/** A name is on many pages: each save makes every cached one of them out of date. */
const SAVES_PER_WINDOW = 30
const WINDOW_SECONDS = 600

const profileSchema = z.object({
  alias: z.string(ALIAS_TEXTS.empty).check(z.maxLength(MAX_ALIAS_CODE_UNITS, ALIAS_TEXTS.long)),
  emoji: z.string(EMOJI_TEXTS.none).check(z.maxLength(MAX_EMOJI_CODE_UNITS, EMOJI_TEXTS.one)),
})

/** The profile's form with the typed values, truncated beyond any valid alias. @param hasFailed whether the save itself failed */
function draftPath({ alias, emoji }: { alias: string; emoji: string }, hasFailed: boolean): string {
  const draft = { editar: hasFailed ? 'fallo' : '', alias: alias.slice(0, 200), emoji: emoji.slice(0, 60) }
  return `${paths.profile}?${new URLSearchParams(draft)}`
}

/** `GET /api/profile/alias?alias=`: whether the alias is available. */
export const checkAlias = endpoint({ 200: aliasAvailabilityAnswer }, async ({ locals, url }) => {
  await limit('alias-check', locals.user?.id ?? locals.network, ALIAS_CHECKS_PER_WINDOW, WINDOW_SECONDS)
  return checkAliasAvailability(locals.db, locals.user, url.searchParams.get('alias') ?? '')
})

/** `PUT /api/profile` `{alias, emoji}` */
export const saveProfile = endpoint({ 200: savedProfileAnswer }, async (context) => {
  const user = requireUser(context)
  await limit('profile-save', user.id, SAVES_PER_WINDOW, WINDOW_SECONDS)
  const input = await readJson(context, profileSchema)
  return { profile: { id: user.id, ...(await updateProfile(context.locals.db, user, input)) } }
})

/**
 * `POST /api/profile`: the edit form without script. Redirects to the profile, or on an error back to the form with the typed
 * values, which are then validated again. Without a session /perfil offers the sign-in.
 */
export const saveProfileByForm = endpoint({ 303: null }, async (context) => {
  const form = await readForm(context)
  const { user } = context.locals
  if (!user) return redirect(paths.profile)
  const draft = { alias: String(form.get('alias') ?? ''), emoji: String(form.get('emoji') ?? '') }
  try {
    await limit('profile-save', user.id, SAVES_PER_WINDOW, WINDOW_SECONDS)
    await updateProfile(context.locals.db, user, draft)
  } catch (error) {
    if (!(error instanceof AppError)) console.error('perrario · un perfil no se pudo guardar:', error)
    return redirect(draftPath(draft, !(error instanceof AppError && error.status === 422)))
  }
  return redirect(`${paths.profile}?guardado`)
})
