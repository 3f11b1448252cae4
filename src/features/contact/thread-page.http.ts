import type { APIContext } from 'astro'
import { invalid } from '#lib/errors.ts'
import { isUuid } from '#lib/identifiers.ts'
import { lostPaths } from '#lib/lost-paths.ts'
import { readForm } from '#server/endpoint.ts'
import { orRefusal, takePost, unlessSignedOut } from '#server/form-endpoint.ts'
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
  const refused = await takePost(context, (remember) => act(context, threadId, remember), unlessSignedOut)
  if (refused instanceof Response) return refused
  if (refused) {
    const { action = '', text = '', email = '' } = refused.typed
    const typed = action === 'mail' ? email : text
    Object.assign(page, { status: refused.status, problem: refused.problem, refused: action, typed, done: null })
  }
  const { db } = context.locals
  const reader = contactReader(context)
  const read = await orRefusal(async () => ({
    thread: await readThread(db, reader, threadId),
    mails: hasMailer() ? await readMailWish(db, reader, threadId) : null,
  }))
  return 'problem' in read ? { ...page, status: read.status, problem: read.problem } : { ...page, ...read }
}

/** What a form of the page asks for. @throws AppError as the actions */
async function act(context: APIContext, threadId: string, remember: (form: FormData) => void): Promise<Response> {
  const form = await readForm(context)
  remember(form)
  const action = form.get('action')
  if (action === 'send') {
    await sendMessage(context, threadId, readTyped(form).text ?? '')
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
  const read = await orRefusal(async () => {
    const { db } = context.locals
    const reader = contactReader(context)
    const list = await listThreads(db, reader, { cursor })
    const ended = list.threads.length === 0 ? await findEndedSearch(db, reader.secrets) : null
    return { ...list, status: 200, problem: null, ended }
  })
  return 'threads' in read ? read : { ...read, threads: [], nextCursor: null, ended: null }
}
