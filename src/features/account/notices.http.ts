import { redirect } from '#features/auth/forms.http.ts'
import { AppError } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { check, endpoint, readForm, readJson, requireUser } from '#server/http.ts'
import { type Notices, noticesAnswer, noticesInput, noticesOfForm } from './notices.ts'
import { readNotices, saveNotices } from './notices.server.ts'

const FORM_LIMIT = 16 * 1024

/** GET /api/account/notices */
export const read = endpoint(async (context) =>
  noticesAnswer(await readNotices(context.locals.db, requireUser(context).id)),
)

/** PUT /api/account/notices: the whole of them. */
export const save = endpoint(async (context) => {
  const user = requireUser(context)
  const given: Notices = await readJson(context, noticesInput)
  await saveNotices(context.locals.db, user, given)
  return noticesAnswer(given)
})

/** POST /api/account/notices: the same from the page's plain form, in which a box left empty means no. */
export const saveByForm = endpoint(async (context) => {
  const form = await readForm(context, FORM_LIMIT)
  const { user } = context.locals
  if (!user) return redirect(paths.login)
  try {
    await saveNotices(context.locals.db, user, check(noticesInput, noticesOfForm(form)))
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 422) throw error
    return redirect(`${paths.account}?error=${error.errors?.time_zone ? 'zona' : 'horas'}#avisos`)
  }
  return redirect(`${paths.account}?hecho=avisos#avisos`)
})
