import type { APIContext } from 'astro'
import { isUuid } from '#lib/identifiers.ts'
import { AppError } from '#lib/errors.ts'
import { lostPaths } from '#lib/lost-paths.ts'
import { readForm } from '#server/endpoint.ts'
import { getEnv } from '#server/env.ts'
import { isForm, redirect } from '#server/forms.ts'
import { listReportedMessages, resolveReportedMessage } from './list.server.ts'
import type { ReportedMessage } from './reported.ts'

export interface ReportedPage {
  status: number
  messages: readonly ReportedMessage[]
  nextCursor: string | null
}

/** The admin's page of reported messages, whose forms it takes itself. The page has checked the proof of who they are. */
export async function handleReportedPage(context: APIContext, isWritable: boolean): Promise<ReportedPage | Response> {
  const { db, user } = context.locals
  const requester = { user, adminEmail: getEnv().adminEmail }
  if (context.request.method === 'POST' && isForm(context)) {
    const form = await readForm(context)
    const decision = form.has('end') ? 'delete' : 'keep'
    const id = form.get(decision === 'delete' ? 'end' : 'id')
    if (isWritable && typeof id === 'string' && isUuid(id)) await resolveReportedMessage(db, requester, id, decision)
    return redirect(lostPaths.adminMessages)
  }
  const cursor = context.url.searchParams.get('cursor') || undefined
  try {
    return { ...(await listReportedMessages(db, requester, { cursor })), status: 200 }
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 422) throw error
    return { messages: [], nextCursor: null, status: 422 }
  }
}
