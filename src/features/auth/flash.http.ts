import type { APIContext } from 'astro'
import { redirect } from '#server/forms.ts'
import { isHttpsSite } from '#server/env.ts'
import { flashCookieName, type FlashState, parseFlash, serializeFlash } from './flash-cookie.ts'

const cookieName = () => flashCookieName(isHttpsSite())
const cookieOptions = () => ({ path: '/', httpOnly: true, sameSite: 'lax', secure: isHttpsSite() }) as const
const FLASH_TTL_SECONDS = 15 * 60

const setFlash = ({ cookies }: Pick<APIContext, 'cookies'>, flash: FlashState) =>
  cookies.set(cookieName(), serializeFlash(flash), { ...cookieOptions(), maxAge: FLASH_TTL_SECONDS })

/** Redirects to `to`, which reads the state with `readFlash`. */
export function redirectWithFlash(context: Pick<APIContext, 'cookies'>, to: string, flash: FlashState): Response {
  setFlash(context, flash)
  return redirect(to)
}

/** Renders the page `to` with the state, instead of redirecting to it: for an answer with a status of its own. */
export function renderWithFlash(context: APIContext, to: string, flash: FlashState): Promise<Response> {
  context.locals.flash = flash
  // A request of its own: the form's body has been read.
  return context.rewrite(new Request(new URL(to, context.url), { headers: context.request.headers }))
}

/** State left by the last form. The error is shown once; the e-mail address stays for later visits. */
export function readFlash(context: Pick<APIContext, 'cookies' | 'locals'>): FlashState {
  if (context.locals.flash) return context.locals.flash
  const flash = parseFlash(context.cookies.get(cookieName())?.value)
  if (flash.error || flash.failure) setFlash(context, { email: flash.email, error: '' })
  return flash
}

export function clearFlash(context: Pick<APIContext, 'cookies'>): void {
  context.cookies.delete(cookieName(), cookieOptions())
}
