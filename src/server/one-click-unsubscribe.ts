import type { APIContext } from 'astro'
import type * as z from 'zod/mini'
import type { Db } from '#db/client.ts'
import { notFound } from '#lib/errors.ts'
import { endpoint, readBody } from './endpoint.ts'
import { redirect } from './forms.ts'

const BODY_MAX_BYTES = 16 * 1024

const tokenOf = ({ url }: APIContext): string => url.searchParams.get('token') ?? ''

/** Whether a page's button (`name="boton"`) sent the form, not a mail program. Reads the body. @throws AppError 413 */
export const isButtonForm = async ({ request, locals }: APIContext): Promise<boolean> =>
  new TextDecoder().decode(await readBody(request, BODY_MAX_BYTES, locals.network)).includes('boton=')

interface UnsubscribeOptions {
  answer: z.ZodMiniType<{ unsubscribed: true }>
  /** The page with the button. */
  pagePath: (token: string) => string
  /** Idempotent. @returns false for an unknown token */
  unsubscribe: (db: Db, token: string) => Promise<boolean>
  /** What is answered for an unknown token; null: the same as for a known one. */
  unknown: string | null
}

/**
 * The endpoints of the address in a mail's `List-Unsubscribe` header (RFC 8058), `…/unsubscribe?token=…`: POST unsubscribes, GET leads to the
 * page with the button, because mail scanners open links.
 */
export const unsubscribeEndpoints = ({ answer, pagePath, unsubscribe, unknown }: UnsubscribeOptions) => ({
  unsubscribe: endpoint({ 200: answer, 303: null }, async (context) => {
    const isButton = await isButtonForm(context)
    const isKnown = await unsubscribe(context.locals.db, tokenOf(context))
    if (isButton) return redirect(pagePath(tokenOf(context)))
    if (!isKnown && unknown !== null) throw notFound(unknown)
    return { unsubscribed: true } as const
  }),
  redirectToPage: endpoint({ 303: null }, (context) => redirect(pagePath(tokenOf(context)))),
})
