import type { APIContext } from 'astro'
import { isForm, redirect } from '#features/auth/forms.http.ts'
import { AppError } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { getEnv } from '#server/env.ts'
import { validate, endpoint, json, readForm, readJson, requireUser } from '#server/endpoint.ts'
import { limit } from '#server/limits/rate-limit.ts'
import { TARGET_KIND_BY_SLUG } from './target-kinds.ts'
import { REPORT_TEXTS, type ReportInput, reportInput } from './reports.ts'
import { autoHideTarget, submitReport } from './reports.server.ts'

/** Reports a member may send in an hour: more than anybody honest comes across. */
const REPORTS_PER_HOUR = 30
const HOUR_SECONDS = 3600
const MAX_FORM_BYTES = 64 * 1024

async function submitAndAutoHide(context: APIContext, user: { id: string }, input: ReportInput) {
  const done = await submitReport(context.locals.db, user, input, context.locals.ip)
  const { dataDir, adminEmail } = getEnv()
  // The report stands whatever becomes of this: the next one tries again.
  if (!done.again)
    await autoHideTarget(context.locals.db, dataDir, input, adminEmail).catch((error: unknown) => console.error(error))
  return done
}

/** `POST /api/reports` `{kind, id, reason, words}`, JSON or form. A form may name one of a dog's photos instead of the dog. */
export const createReport = endpoint(async (context) => {
  if (!isForm(context)) {
    const user = requireUser(context)
    await limit('report', user.id, REPORTS_PER_HOUR, HOUR_SECONDS, REPORT_TEXTS.many)
    const input = await readJson(context, reportInput)
    const done = await submitAndAutoHide(context, user, input)
    return json({ ...done, detail: done.again ? REPORT_TEXTS.again : REPORT_TEXTS.done }, done.again ? 200 : 201)
  }
  const form = await readForm(context, MAX_FORM_BYTES)
  const text = (name: string) => String(form.get(name) ?? '')
  const photo = text('photo')
  const given = { kind: text('kind'), id: text('id'), reason: text('reason'), words: text('words') }
  const word = Object.keys(TARGET_KIND_BY_SLUG).find((each) => TARGET_KIND_BY_SLUG[each] === given.kind) ?? 'perro'
  const back = (said: Record<string, string>) => redirect(paths.report(word, given.id, said))
  const { user } = context.locals
  if (!user) return back({})
  try {
    await limit('report', user.id, REPORTS_PER_HOUR, HOUR_SECONDS, REPORT_TEXTS.many)
    const input = validate(reportInput, photo ? { ...given, kind: 'photo', id: photo } : given)
    const { again } = await submitAndAutoHide(context, user, input)
    return back({ hecho: again ? 'otra-vez' : 'si' })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return back({
      error: String(error.status),
      ...(error.errors?.words && { campo: error.message === REPORT_TEXTS.other ? 'falta' : 'palabras' }),
      motivo: given.reason,
    })
  }
})
