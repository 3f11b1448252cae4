import type { APIContext } from 'astro'
import { isForm, redirect } from '#server/forms.ts'
import { reportQuota } from '#features/moderation/review-quota.http.ts'
import { AppError } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import type { Quota } from '#lib/quota.ts'
import { assertDiskSpace } from '#server/disk-space.ts'
import { getEnv } from '#server/env.ts'
import { validate, endpoint, json, readForm, readJson, requireUser } from '#server/endpoint.ts'
import { getOwn } from '#lib/identifiers.ts'
import { SLUG_BY_TARGET_KIND } from './target-kinds.ts'
import { REPORT_TEXTS, type ReportInput, reportInput } from './reports.ts'
import { autoHideTarget, submitReport } from './reports.server.ts'
import { reportedAnswer } from './answers.ts'

const FORM_MAX_BYTES = 64 * 1024

/** A second report of the same thing counts towards no quota. */
const isNew = ({ isDuplicate }: { isDuplicate: boolean }) => !isDuplicate

async function submitAndAutoHide(context: APIContext, quota: Quota, user: { id: string }, input: ReportInput) {
  await assertDiskSpace()
  const { db, network } = context.locals
  const outcome = await quota(() => submitReport(db, user, input, network), isNew)
  const { adminEmail } = getEnv()
  // The report is stored even where hiding fails: the next report tries again.
  if (!outcome.isDuplicate)
    await autoHideTarget(db, input, adminEmail).catch((error: unknown) =>
      console.error('perrario · un contenido denunciado no se pudo ocultar:', error),
    )
  return outcome
}

/** `POST /api/reports` `{kind, id, reason, words}`, JSON or form. A form may name one of a dog's photos instead of the dog. */
export const createReport = endpoint({ 200: reportedAnswer, 201: reportedAnswer, 303: null }, (context) =>
  isForm(context) ? submitReportByForm(context) : submitReportByJson(context),
)

async function submitReportByJson(context: APIContext) {
  const user = requireUser(context)
  const quota = await reportQuota(user.id, context.locals.network)
  const { isDuplicate } = await submitAndAutoHide(context, quota, user, await readJson(context, reportInput))
  const detail = isDuplicate ? REPORT_TEXTS.again : REPORT_TEXTS.done
  return json({ reported: true as const, again: isDuplicate, detail }, { status: isDuplicate ? 200 : 201 })
}

/** @returns a redirect back to the form */
async function submitReportByForm(context: APIContext): Promise<Response> {
  const form = await readForm(context, FORM_MAX_BYTES)
  const text = (name: string) => String(form.get(name) ?? '')
  const photo = text('photo')
  const typed = { kind: text('kind'), id: text('id'), reason: text('reason'), words: text('words') }
  const slug = getOwn(SLUG_BY_TARGET_KIND, typed.kind) ?? SLUG_BY_TARGET_KIND.dog
  const redirectToForm = (outcome: Record<string, string>) => redirect(paths.report(slug, typed.id, outcome))
  const { user } = context.locals
  if (!user) return redirectToForm({})
  try {
    const quota = await reportQuota(user.id, context.locals.network)
    const input = validate(reportInput, photo ? { ...typed, kind: 'photo', id: photo } : typed)
    const { isDuplicate } = await submitAndAutoHide(context, quota, user, input)
    return redirectToForm({ hecho: isDuplicate ? 'otra-vez' : 'si' })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return redirectToForm({
      error: String(error.status),
      ...(error.errors?.words && { campo: error.message === REPORT_TEXTS.other ? 'falta' : 'palabras' }),
      motivo: typed.reason,
    })
  }
}
