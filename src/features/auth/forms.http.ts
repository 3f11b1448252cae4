import type { APIContext } from 'astro'
import { isHttpsSite } from '#server/security/https-site.ts'
import { flashCookieName, type FlashState, parseFlash, serializeFlash } from './flash-cookie.ts'

/** Whether the request is a plain HTML form's. */
export const isForm = ({ request }: Pick<APIContext, 'request'>): boolean =>
  /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(request.headers.get('content-type') ?? '')

/** Longer than any address of the site. An address built from a form's input may exceed it, and browsers refuse such ones. */
const MAX_LOCATION_CHARACTERS = 4000

/** 303: the browser requests `to` with GET, so that a reload sends no form again. Drops query and fragment of a too long address. */
export function redirect(to: string): Response {
  const isTooLong = to.length > MAX_LOCATION_CHARACTERS
  const address = isTooLong ? to.slice(0, MAX_LOCATION_CHARACTERS).split(/[?#]/, 1)[0]! : to
  return new Response(null, { status: 303, headers: { Location: address, 'Cache-Control': 'no-store' } })
}

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

/** State left by the last form. The error is shown once; the e-mail address stays for later visits. */
export function readFlash(context: Pick<APIContext, 'cookies'>): FlashState {
  const flash = parseFlash(context.cookies.get(cookieName())?.value)
  if (flash.error || flash.failure) setFlash(context, { email: flash.email, error: '' })
  return flash
}

export function clearFlash(context: Pick<APIContext, 'cookies'>): void {
  context.cookies.delete(cookieName(), cookieOptions())
}
