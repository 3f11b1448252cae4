import type { APIContext } from 'astro'
import { reportQuota } from '#features/moderation/review-quota.http.ts'
import { paths } from '#lib/paths.ts'
import type { Quota } from '#lib/quota.ts'
import { assertDiskSpace } from '#server/disk-space.ts'
import { getEnv } from '#server/env.ts'
import { json, requireUser } from '#server/endpoint.ts'
import { formEndpoint } from '#server/form-endpoint.ts'
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

const text = (form: FormData, name: string) => String(form.get(name) ?? '')

/** The form's page. */
const formPath = (form: FormData, outcome: Record<string, string> = {}) =>
  paths.report(getOwn(SLUG_BY_TARGET_KIND, text(form, 'kind')) ?? SLUG_BY_TARGET_KIND.dog, text(form, 'id'), outcome)

/** `POST /api/reports` `{kind, id, reason, words}`, JSON or form. A form may name one of a dog's photos instead of the dog. */
export const createReport = formEndpoint({
  answers: { 200: reportedAnswer, 201: reportedAnswer },
  limit: FORM_MAX_BYTES,
  async who(context) {
    const user = requireUser(context)
    return { user, quota: await reportQuota(user.id, context.locals.network) }
  },
  input: reportInput,
  fields(form) {
    const photo = text(form, 'photo')
    const target = photo ? { kind: 'photo', id: photo } : { kind: text(form, 'kind'), id: text(form, 'id') }
    return { ...target, reason: text(form, 'reason'), words: text(form, 'words') }
  },
  async save(context, { user, quota }, input) {
    const { isDuplicate } = await submitAndAutoHide(context, quota, user, input)
    const detail = isDuplicate ? REPORT_TEXTS.again : REPORT_TEXTS.done
    return json({ reported: true as const, again: isDuplicate, detail }, { status: isDuplicate ? 200 : 201 })
  },
  done: (_, { body }, form) => formPath(form, { hecho: body.again ? 'otra-vez' : 'si' }),
  signIn: formPath,
  refused: (_, { status, message, errors }, form) =>
    formPath(form, {
      error: String(status),
      ...(errors?.words && { campo: message === REPORT_TEXTS.other ? 'falta' : 'palabras' }),
      motivo: text(form, 'reason'),
    }),
})
