import type { APIContext } from 'astro'
import * as z from 'zod/mini'
import { reportQuota } from '#features/moderation/review-quota.http.ts'
import { notFound } from '#lib/errors.ts'
import { isUuid } from '#lib/identifiers.ts'
import { lostPaths } from '#lib/lost-paths.ts'
import { HOUR_SECONDS } from '#lib/time.ts'
import { getEnv } from '#server/env.ts'
import { endpoint, findRequester, json, pathId, readForm, readJson, validate } from '#server/endpoint.ts'
import { isForm, redirect } from '#server/forms.ts'
import { limitSuccessful } from '#server/limits/rate-limit.ts'
import { readKeyHeader } from '#server/request-key.ts'
import { reportedMessageAnswer, sentMessageAnswer, threadAnswer } from './answers.ts'
import { CONTACT_TEXTS, MESSAGES_PER_HOUR } from './contact.ts'
import { readFinderSecrets } from './finder-cookie.http.ts'
import { writeMessage } from './messages.server.ts'
import { reportMessage } from './reported/report.server.ts'
import { type ContactReader, readThread } from './threads.server.ts'

/** Conversations are their two people's: no cache may store any of it. */
export const PRIVATE_HEADERS = { 'Cache-Control': 'private, no-store' } as const

export const contactReader = (context: APIContext): ContactReader => ({
  userId: context.locals.user?.id ?? null,
  secrets: readFinderSecrets(context),
})

/** Whom limits count: the member, or a visitor's network. */
export const contactCaller = ({ locals }: APIContext): string => locals.user?.id ?? locals.network

/** Where a form leads back to: the line below the last message. */
export const afterMessage = (threadId: string): string => `${lostPaths.messageAfter(threadId, 'enviado')}#hecho`

/** Writes what a program or the page's form sends. @throws AppError as `writeMessage`; 401 for a session that has ended; 429 */
export async function sendMessage(context: APIContext, threadId: string, text: string): Promise<{ id: string }> {
  // What a member writes after their session has ended is not a visitor's.
  findRequester(context)
  const key = readKeyHeader(context)
  const quota = limitSuccessful(
    'contact-message',
    contactCaller(context),
    MESSAGES_PER_HOUR,
    HOUR_SECONDS,
    CONTACT_TEXTS.many,
  )
  return quota(() => writeMessage(context.locals.db, contactReader(context), threadId, text, { key }))
}

const messageInput = z.object({ text: z.string(CONTACT_TEXTS.empty) })

/** `GET /api/messages/{id}`, for its two sides: by the session, or by the cookie of a finder's device. */
export const getMessages = endpoint({ 200: threadAnswer }, async (context) => {
  const thread = await readThread(context.locals.db, contactReader(context), pathId(context))
  return json(thread, { headers: PRIVATE_HEADERS })
})

/** `POST /api/messages/{id}` `{text}`, JSON or form. */
export const postMessageTo = endpoint({ 201: sentMessageAnswer, 303: null }, async (context) => {
  const id = pathId(context)
  if (!isForm(context))
    return json(await sendMessage(context, id, (await readJson(context, messageInput)).text), {
      headers: PRIVATE_HEADERS,
    })
  const text = (await readForm(context)).get('text')
  await sendMessage(context, id, typeof text === 'string' ? text : '')
  return redirect(afterMessage(id))
})

/** Reports a message of the other side. @throws AppError as `reportMessage`; 401 for a session that has ended; 429 */
export async function sendReport(context: APIContext, threadId: string, messageId: string): Promise<void> {
  findRequester(context)
  if (!isUuid(messageId)) throw notFound(CONTACT_TEXTS.noMessage)
  const { adminEmail } = getEnv()
  const { db, network } = context.locals
  const quota = await reportQuota(contactCaller(context), network, CONTACT_TEXTS.manyReports)
  await quota(() => reportMessage(db, contactReader(context), threadId, messageId, { adminEmail }))
}

const reportInput = z.object({ message: z.string(CONTACT_TEXTS.noMessage) })

/** `POST /api/messages/{id}/report` `{message}`, JSON or form: a message of the other side, for the admin. */
export const reportMessageTo = endpoint({ 201: reportedMessageAnswer, 303: null }, async (context) => {
  const id = pathId(context)
  const input = isForm(context) ? Object.fromEntries(await readForm(context)) : await readJson(context, reportInput)
  await sendReport(context, id, validate(reportInput, { message: input.message }).message)
  if (isForm(context)) return redirect(lostPaths.messageAfter(id, 'denunciado'))
  return json({ reported: true as const }, { headers: PRIVATE_HEADERS })
})
