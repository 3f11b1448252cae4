import type { APIContext } from 'astro'
import { notFound } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { endpoint } from '#server/endpoint.ts'
import { isButtonForm, redirect } from '#server/forms.ts'
import { unsubscribedAnswer } from './answers.ts'
import { unsubscribeByToken } from './unsubscribe.server.ts'

const tokenOf = ({ url }: APIContext): string => url.searchParams.get('token') ?? ''

/**
 * POST /api/unsubscribe?token=…: sent by mail programs (RFC 8058, `List-Unsubscribe=One-Click`) and by the button of /baja, also to the
 * addresses of mails from before. The token authorises it, not a session.
 */
export const unsubscribe = endpoint({ 200: unsubscribedAnswer, 303: null }, async (context) => {
  const token = tokenOf(context)
  const isButton = await isButtonForm(context)
  const isKnown = await unsubscribeByToken(context.locals.db, token)
  if (isButton) return redirect(paths.unsubscribe(token))
  // Of mails about messages from before nothing is said of tokens that are gone: whose conversation has ended is mailed no more.
  if (!isKnown && !context.url.pathname.startsWith('/api/message-mails/')) throw notFound('Este enlace no vale.')
  return { unsubscribed: true } as const
})

/** GET of the address in a mail's header: redirects to the page, which asks for confirmation. */
export const redirectToPage = endpoint({ 303: null }, (context) => redirect(paths.unsubscribe(tokenOf(context))))
