import { paths } from '#lib/paths.ts'
import { unsubscribeEndpoints } from '#server/one-click-unsubscribe.ts'
import { unsubscribedAnswer } from '../answers.ts'
import { unsubscribeByToken } from './digest.server.ts'

const oneClick = unsubscribeEndpoints({
  answer: unsubscribedAnswer,
  pagePath: paths.unsubscribe,
  unsubscribe: unsubscribeByToken,
  unknown: 'Este enlace no es de ningún resumen.',
})

/**
 * POST /api/digest/unsubscribe?token=…: sent by mail programs (RFC 8058, `List-Unsubscribe=One-Click`) and by the button of
 * /baja. The token authorises it, not a session.
 */
export const unsubscribe = oneClick.unsubscribe

/** GET of the address in the mail's header: redirects to the page, which asks for confirmation. */
export const redirectToPage = oneClick.redirectToPage
