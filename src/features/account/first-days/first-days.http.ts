import { paths } from '#lib/paths.ts'
import { MINUTE_SECONDS } from '#lib/time.ts'
import { endpoint, readForm, readJson, requireUser } from '#server/endpoint.ts'
import { isForm, redirect } from '#server/forms.ts'
import { limit } from '#server/limits/rate-limit.ts'
import { closeStepInput } from './first-days.ts'
import { closeStep } from './first-days.server.ts'

/** One step, and some to spare. */
const DISMISSALS_PER_MINUTE = 30

/** POST /api/account/first-days `{step}`: dismisses a step, or all of them. */
export const dismissStep = endpoint({ 204: null, 303: null }, async (context) => {
  const { db, user } = context.locals
  if (isForm(context)) {
    const typed = closeStepInput.safeParse(Object.fromEntries(await readForm(context)))
    if (!user) return redirect(paths.login)
    await limit('first-days', user.id, DISMISSALS_PER_MINUTE, MINUTE_SECONDS)
    if (typed.success) await closeStep(db, user.id, typed.data.step)
    return redirect(paths.profile)
  }
  const { id } = requireUser(context)
  await limit('first-days', id, DISMISSALS_PER_MINUTE, MINUTE_SECONDS)
  await closeStep(db, id, (await readJson(context, closeStepInput)).step)
  return new Response(null, { status: 204 })
})
