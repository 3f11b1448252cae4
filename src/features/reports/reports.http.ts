import type { APIContext } from 'astro'
import { isForm, redirect } from '#features/auth/forms.http.ts'
import { AppError } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { getEnv } from '#server/env.ts'
import { check, endpoint, json, readForm, readJson, requireUser } from '#server/http.ts'
import { limit } from '#server/rate.ts'
import { KIND_WORDS } from './kinds.ts'
import { REPORT_TEXTS, type ReportInput, reportInput } from './reports.ts'
import { hideIfEnough, report } from './reports.server.ts'

/** Reports a member may send in an hour: more than anybody honest comes across. */
const REPORTS = 30
const HOUR = 3600
const FORM_LIMIT = 64 * 1024

async function tell(context: APIContext, user: { id: string }, input: ReportInput) {
  const done = await report(context.locals.db, user, input, context.locals.ip)
  const { dataDir, adminEmail } = getEnv()
  // The report stands whatever becomes of this: the next one tries again.
  if (!done.again)
    await hideIfEnough(context.locals.db, dataDir, input, adminEmail).catch((error: unknown) => console.error(error))
  return done
}

/** `POST /api/reports` `{kind, id, reason, words}`, JSON or form. A form may name one of a dog's photos instead of the dog. */
export const add = endpoint(async (context) => {
  if (!isForm(context)) {
    const user = requireUser(context)
    await limit('report', user.id, REPORTS, HOUR, REPORT_TEXTS.many)
    const input = await readJson(context, reportInput)
    const done = await tell(context, user, input)
    return json({ ...done, detail: done.again ? REPORT_TEXTS.again : REPORT_TEXTS.done }, done.again ? 200 : 201)
  }
  const form = await readForm(context, FORM_LIMIT)
  const text = (name: string) => String(form.get(name) ?? '')
  const photo = text('photo')
  const given = { kind: text('kind'), id: text('id'), reason: text('reason'), words: text('words') }
  const word = Object.keys(KIND_WORDS).find((each) => KIND_WORDS[each] === given.kind) ?? 'perro'
  const back = (said: Record<string, string>) => redirect(paths.report(word, given.id, said))
  const { user } = context.locals
  if (!user) return back({})
  try {
    await limit('report', user.id, REPORTS, HOUR, REPORT_TEXTS.many)
    const input = check(reportInput, photo ? { ...given, kind: 'photo', id: photo } : given)
    const { again } = await tell(context, user, input)
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
