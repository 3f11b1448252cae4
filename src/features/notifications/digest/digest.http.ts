import { notFound } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { endpoint, json, readBody } from '#server/endpoint.ts'
import { unsubscribeByToken } from './digest.server.ts'

const tokenOf = ({ url }: { url: URL }) => url.searchParams.get('token') ?? ''
const seeOther = (to: string) =>
  new Response(null, { status: 303, headers: { Location: to, 'Cache-Control': 'no-store' } })

/**
 * POST /api/digest/unsubscribe?token=…: what mail programs send at one press (RFC 8058, `List-Unsubscribe=One-Click`) and
 * what the button of /baja does. The token is the proof, not the sender.
 */
export const unsubscribe = endpoint(async (context) => {
  const body = new TextDecoder().decode(await readBody(context.request, 16 * 1024, context.locals.ip))
  const isKnown = await unsubscribeByToken(context.locals.db, tokenOf(context))
  if (body.includes('boton=')) return seeOther(paths.unsubscribe(tokenOf(context)))
  if (!isKnown) throw notFound('Este enlace no es de ningún resumen.')
  return json({ unsubscribed: true })
})

/** GET: somebody opened the address of the mail's header; the page asks. */
export const redirectToPage = endpoint((context) => seeOther(paths.unsubscribe(tokenOf(context))))
