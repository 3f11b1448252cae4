import type { APIContext } from 'astro'
import { addFinderSecret } from '#features/contact/finder-cookie.http.ts'
import { hasMailer } from '#features/contact/relay/mails.http.ts'
import { reportQuota } from '#features/moderation/review-quota.http.ts'
import { invalid } from '#lib/errors.ts'
import { isUuid } from '#lib/identifiers.ts'
import { lostPaths } from '#lib/lost-paths.ts'
import { paths } from '#lib/paths.ts'
import { readForm } from '#server/endpoint.ts'
import { getEnv, siteOrigin } from '#server/env.ts'
import { orRefusal, type PageState, takePost, unlessSignedOut, UNSENT } from '#server/form-endpoint.ts'
import { redirect } from '#server/forms.ts'
import { addClaim, decideClaim } from './claims.server.ts'
import { foundViewer, limitFoundActions, receiveNotice } from './found.http.ts'
import {
  CLAIMS_CURSOR,
  type FinderNotice,
  FOUND_REPORT_REASONS,
  FOUND_TEXTS,
  type FoundReportReason,
  type OwnerNotice,
} from './found.ts'
import { closeNotice, readNotice } from './notice.server.ts'
import { reportClaim, reportNotice } from './reports.server.ts'

export interface FoundPage extends PageState {
  isClosed: boolean
}

/** The page of the form: takes the plain form itself, whose typed texts stay out of addresses. @returns a response after a sent form */
export async function handleFoundPage(context: APIContext): Promise<FoundPage | Response> {
  const page = {
    ...UNSENT,
    isClosed: context.url.searchParams.get('hecho') === 'cerrado',
  }
  const sent = await takePost(context, async (remember) => {
    const { id } = await receiveNotice(context, remember)
    return redirect(`${lostPaths.foundNotice(id)}?hecho=enviado`)
  })
  return sent instanceof Response ? sent : { ...page, ...sent }
}

export interface NoticePage {
  status: number
  /** Null: not there, or for others. */
  notice: FinderNotice | OwnerNotice | null
  problem: string | null
  /** What an owner answered, where that was refused: the problem stands beside it. */
  refusedAnswer: string | null
  /** The notice's address with the page of answers that is shown. */
  path: string
  /** The notice's whole address, to keep. */
  address: string
  /** Whether a conversation can be followed by mail. */
  canMail: boolean
}

/** The page of a notice, which takes its forms itself. @returns a response after a form */
export async function handleNoticePage(context: APIContext): Promise<NoticePage | Response> {
  const { db } = context.locals
  const { id } = context.params
  const page = {
    address: siteOrigin(context.request) + context.url.pathname,
    canMail: hasMailer(),
    refusedAnswer: null,
  }
  if (!isUuid(id)) return { ...page, status: 404, notice: null, problem: FOUND_TEXTS.gone, path: '' }
  const viewer = foundViewer(context)
  const path = pathOfAnswers(context, id)
  const refused = await takePost(context, (remember) => act(context, id, remember), unlessSignedOut)
  if (refused instanceof Response) return refused
  const notice = await orRefusal(() => readNotice(db, viewer, id, undefined, cursorOf(context)))
  if ('problem' in notice) return { ...page, status: notice.status, notice: null, problem: notice.problem, path }
  const refusedAnswer = refused?.typed.action === 'claim' ? (refused.typed.answer ?? '') : null
  return { ...page, status: refused?.status ?? 200, notice, problem: refused?.problem ?? null, refusedAnswer, path }
}

const cursorOf = ({ url }: APIContext): string | undefined => url.searchParams.get(CLAIMS_CURSOR) || undefined

/** Where the notice's forms go, and lead back to: the page of answers that the finder reads. */
function pathOfAnswers(context: APIContext, id: string): string {
  const cursor = cursorOf(context)
  return (
    lostPaths.foundNotice(id) + (cursor === undefined ? '' : `?${new URLSearchParams({ [CLAIMS_CURSOR]: cursor })}`)
  )
}

/** The word of the address for each form of the page. */
const DONE_WORDS = { report: 'denunciado', claim: 'respondido', accept: 'aceptado', refuse: 'rechazado' } as const

/** What a form of the page asks for. @param onForm is given the form once it is read @throws AppError as the actions */
async function act(context: APIContext, id: string, onForm: (form: FormData) => void): Promise<Response> {
  const { db } = context.locals
  const viewer = foundViewer(context)
  await limitFoundActions(context)
  const form = await readForm(context)
  onForm(form)
  const action = form.get('action')
  if (action === 'close') {
    await closeNotice(db, viewer, id)
    return redirect(`${paths.foundForm}?hecho=cerrado`)
  }
  if (action === 'report') await report(context, id, form)
  else if (action === 'claim') await addClaim(db, viewer, id, form.get('answer'))
  else if (action === 'accept' || action === 'refuse') {
    const claim = form.get('claim')
    if (typeof claim !== 'string' || !isUuid(claim)) throw invalid(FOUND_TEXTS.state)
    const { threadId } = await decideClaim(db, viewer, id, { id: claim, accept: action === 'accept' })
    const secret = viewer.secrets.get(id)
    // The device opens the conversation by the notice's secret.
    if (threadId !== null && secret !== undefined) addFinderSecret(context, threadId, secret)
  } else throw invalid(FOUND_TEXTS.state)
  const path = pathOfAnswers(context, id)
  const done = new URLSearchParams({ hecho: DONE_WORDS[action] })
  return redirect(`${path}${path.includes('?') ? '&' : '?'}${done}#hecho`)
}

/** «Denunciar»: the notice, or with `claim` what somebody answered. */
async function report(context: APIContext, id: string, form: FormData): Promise<void> {
  const { db, network } = context.locals
  const viewer = foundViewer(context)
  const claimId = form.get('claim')
  const reason = FOUND_REASONS.find((each) => each === form.get('reason'))
  if (reason === undefined) throw invalid(FOUND_TEXTS.reported)
  const { adminEmail } = getEnv()
  const quota = await reportQuota(viewer.userId ?? network, network)
  if (claimId === null) return quota(() => reportNotice(db, viewer, id, { reason, network }, { adminEmail }))
  if (typeof claimId !== 'string' || !isUuid(claimId)) throw invalid(FOUND_TEXTS.state)
  return quota(() => reportClaim(db, viewer, { noticeId: id, claimId }, reason, { adminEmail }))
}
const FOUND_REASONS = Object.keys(FOUND_REPORT_REASONS) as FoundReportReason[]
