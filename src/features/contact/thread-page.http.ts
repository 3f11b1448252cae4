import type { APIContext } from 'astro'
import { AppError, invalid } from '#lib/errors.ts'
import { isUuid } from '#lib/identifiers.ts'
import { lostPaths } from '#lib/lost-paths.ts'
import { readForm } from '#server/endpoint.ts'
import { readTyped, redirect } from '#server/forms.ts'
import { findEndedSearch, type EndedSearch } from './ended-searches.server.ts'
import { CONTACT_TEXTS, type ListedThread, type ThreadPage } from './contact.ts'
import { listThreads } from './list.server.ts'
import { afterMessage, contactReader, sendMessage, sendReport } from './messages.http.ts'
import { readMailWish, stopMails } from './relay/mail-wishes.server.ts'
import { hasMailer, wantMails } from './relay/mails.http.ts'
import { endThread, markThreadRead, readThread } from './threads.server.ts'

const DONE = ['enviado', 'denunciado', 'avisos'] as const

/** The page of a conversation, which takes its forms itself. @returns a response after a form */
export async function handleThreadPage(context: APIContext): Promise<ThreadPage | Response> {
  const { threadId } = context.params
  const said = context.url.searchParams.get('hecho')
  const page: ThreadPage = {
    status: 200,
    thread: null,
    mails: null,
    typed: '',
    refused: null,
    problem: null,
    done: DONE.find((word) => word === said) ?? null,
  }
  if (!isUuid(threadId)) return { ...page, status: 404, problem: CONTACT_TEXTS.gone }
  if (context.request.method === 'POST') {
    const form = await readForm(context)
    const { action, text = '', email = '' } = readTyped(form)
    page.typed = action === 'mail' ? email : text
    try {
      return await act(context, threadId, form, text)
    } catch (error) {
      if (!(error instanceof AppError) || error.status === 401) throw error
      page.status = error.status
      page.problem = error.message
      page.refused = String(form.get('action'))
      page.done = null
    }
  }
  const { db } = context.locals
  const reader = contactReader(context)
  try {
    const thread = await readThread(db, reader, threadId)
    return { ...page, thread, mails: hasMailer() ? await readMailWish(db, reader, threadId) : null }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { ...page, status: error.status, thread: null, problem: error.message }
  }
}

/** What a form of the page asks for. @throws AppError as the actions */
async function act(context: APIContext, threadId: string, form: FormData, text: string): Promise<Response> {
  const action = form.get('action')
  if (action === 'send') {
    await sendMessage(context, threadId, text)
    return redirect(afterMessage(threadId))
  }
  if (action === 'report') {
    await sendReport(context, threadId, String(form.get('message')))
    return redirect(lostPaths.messageAfter(threadId, 'denunciado'))
  }
  if (action === 'end') {
    await endThread(context.locals.db, contactReader(context), threadId)
    return redirect(`${lostPaths.messages(threadId)}#fin`)
  }
  if (action === 'read') {
    await markThreadRead(context.locals.db, contactReader(context), threadId, Number(form.get('latest')) || 0)
    return new Response(null, { status: 204 })
  }
  if (action === 'mail') await wantMails(context, threadId, form.get('email'))
  else if (action === 'unmail') await stopMails(context.locals.db, contactReader(context), threadId)
  else throw invalid(CONTACT_TEXTS.action)
  return redirect(`${lostPaths.messageAfter(threadId, 'avisos')}#avisos`)
}

export interface ThreadListPage {
  status: number
  threads: readonly ListedThread[]
  nextCursor: string | null
  problem: string | null
  /** Why a finder's device has no conversations any more. */
  ended: EndedSearch | null
}

/** The list of the reader's conversations. */
export async function readThreadListPage(context: APIContext): Promise<ThreadListPage> {
  const cursor = context.url.searchParams.get('cursor') || undefined
  try {
    const { db } = context.locals
    const reader = contactReader(context)
    const list = await listThreads(db, reader, { cursor })
    const ended = list.threads.length === 0 ? await findEndedSearch(db, reader.secrets) : null
    return { ...list, status: 200, problem: null, ended }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { threads: [], nextCursor: null, status: error.status, problem: error.message, ended: null }
  }
}
