import { createHash } from 'node:crypto'
import type { APIContext } from 'astro'
import * as z from 'zod/mini'
import { emailSchema } from '#features/auth/sign-in/sign-in-input.ts'
import { toMailbox } from '#features/auth/sign-in/mailbox.server.ts'
import { AppError, notFound } from '#lib/errors.ts'
import { lostPaths } from '#lib/lost-paths.ts'
import { dogInSentence } from '#lib/text/names.ts'
import { findCode } from '#lib/text/typed-code.ts'
import { DAY_SECONDS, HOUR_SECONDS } from '#lib/time.ts'
import { incrementCounter } from '#server/counters.ts'
import { endpoint, findRequester, validate } from '#server/endpoint.ts'
import { getEnv } from '#server/env.ts'
import { isButtonForm, redirect } from '#server/forms.ts'
import { limit, takePoints } from '#server/limits/rate-limit.ts'
import { addressConfirmedAnswer } from '../answers.ts'
import { CONTACT_TEXTS } from '../contact.ts'
import { contactCaller, contactReader } from '../messages.http.ts'
import { findThreadDog } from '../closed-threads.server.ts'
import { requireThread } from '../threads.server.ts'
import { askForMails, confirmAddress } from './mail-wishes.server.ts'
import { buildConfirmMail } from './message-mails.ts'

/** Links that one member or network asks for, that one conversation brings forth, and that one mailbox is sent, from whomever. */
const LINKS_PER_HOUR = 5
const LINKS_OF_A_THREAD_PER_DAY = 4
const LINKS_TO_A_MAILBOX_PER_DAY = 3

/** Whether the site sends mails with links to itself. */
export const hasMailer = (): boolean => {
  const { smtpUrl, siteUrl } = getEnv()
  return smtpUrl !== undefined && siteUrl !== undefined
}

const addressInput = z.object({ email: emailSchema })
const hashMailbox = (email: string) => createHash('sha256').update(toMailbox(email)).digest('base64url')

/**
 * «Avísame por correo» of a reader: a member is mailed from now on; another is mailed a link that confirms the address. The answer does not
 * tell whether others have used up what a mailbox may be sent.
 * @throws AppError 401, 404, 422, 429; 503 without a mail server
 */
export async function wantMails(context: APIContext, threadId: string, typed: unknown): Promise<void> {
  findRequester(context)
  const { db, network, mailQueue } = context.locals
  const reader = contactReader(context)
  const { thread, side } = await requireThread(db, reader, threadId)
  if (!hasMailer() || !mailQueue) throw new AppError(503, CONTACT_TEXTS.noMailer)
  await limit('contact-address', contactCaller(context), LINKS_PER_HOUR, HOUR_SECONDS, CONTACT_TEXTS.manyAddresses)
  const isOfAccount = (side === 'member' ? thread.member_id : thread.finder_id) !== null
  if (isOfAccount) return void (await askForMails(db, reader, threadId, null))
  const { email } = validate(addressInput, { email: typed })
  await limit('contact-address-thread', threadId, LINKS_OF_A_THREAD_PER_DAY, DAY_SECONDS, CONTACT_TEXTS.manyAddresses)
  const sender = { network, knownMailbox: null }
  if (!mailQueue.isDelivering() || !mailQueue.hasRoomFor(sender)) throw new AppError(503, CONTACT_TEXTS.noMailer)
  const asked = await askForMails(db, reader, threadId, email)
  if (!asked) return
  const isFree = await takePoints({
    name: 'contact-address-mailbox',
    caller: hashMailbox(email),
    cost: 1,
    points: LINKS_TO_A_MAILBOX_PER_DAY,
    seconds: DAY_SECONDS,
  })
  if (!isFree) return incrementCounter('refused', 'mails to a mailbox')
  const dog = await findThreadDog(db, thread)
  const content = { dog: dog ? dogInSentence(dog.name) : null, token: asked.token }
  mailQueue.enqueue({ to: email, ...buildConfirmMail(getEnv().siteUrl!, content) }, sender)
}

/** The address's token; empty for what is none. */
export const tokenOf = ({ url }: { url: URL }): string =>
  findCode(url.searchParams.get('token') ?? '', /^[\w-]{32,43}$/) ?? ''

/** POST /api/message-mails/confirm?token=…: the button of /mensajes/confirmar. The token authorises it. */
export const confirmMails = endpoint({ 200: addressConfirmedAnswer, 303: null }, async (context) => {
  const isButton = await isButtonForm(context)
  const isConfirmed = await confirmAddress(context.locals.db, tokenOf(context))
  if (isButton) return redirect(lostPaths.confirmMails(tokenOf(context)))
  if (!isConfirmed) throw notFound('Este enlace no vale o ha caducado.')
  return { confirmed: true } as const
})
