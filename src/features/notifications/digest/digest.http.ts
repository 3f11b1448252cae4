import { notFound } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { endpoint, readBody } from '#server/endpoint.ts'
import { unsubscribeByToken } from './digest.server.ts'
import { unsubscribedAnswer } from '../answers.ts'

const tokenOf = ({ url }: { url: URL }) => url.searchParams.get('token') ?? ''
const seeOther = (to: string) =>
  new Response(null, { status: 303, headers: { Location: to, 'Cache-Control': 'no-store' } })

/**
 * POST /api/digest/unsubscribe?token=…: sent by mail programs (RFC 8058, `List-Unsubscribe=One-Click`) and by the button of
 * /baja. The token authorises it, not a session.
 */
export const unsubscribe = endpoint({ 200: unsubscribedAnswer, 303: null }, async (context) => {
  const body = new TextDecoder().decode(await readBody(context.request, 16 * 1024, context.locals.network))
  const isKnown = await unsubscribeByToken(context.locals.db, tokenOf(context))
  if (body.includes('boton=')) return seeOther(paths.unsubscribe(tokenOf(context)))
  if (!isKnown) throw notFound('Este enlace no es de ningún resumen.')
  return { unsubscribed: true } as const
})

/** GET of the address in the mail's header: redirects to the page, which asks for confirmation. */
export const redirectToPage = endpoint({ 303: null }, (context) => seeOther(paths.unsubscribe(tokenOf(context))))
