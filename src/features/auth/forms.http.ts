import type { APIContext } from 'astro'
import { isSecure } from './sessions/session.http.ts'
import { flashCookieName, type FlashState, parseFlash, serializeFlash } from './flash-cookie.ts'

/** True for what a plain HTML form sends. */
export const isForm = ({ request }: Pick<APIContext, 'request'>): boolean =>
  /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(request.headers.get('content-type') ?? '')

/** No address of ours is as long; one that holds what a form sent may be, and no browser could ask for it. */
const MAX_LOCATION_CHARACTERS = 4000

/** 303: the browser asks for `to` with GET, so that reloading it sends nothing again. Without its query if that is too long. */
export function redirect(to: string): Response {
  const address = to.length > MAX_LOCATION_CHARACTERS ? to.slice(0, MAX_LOCATION_CHARACTERS).split(/[?#]/, 1)[0]! : to
  return new Response(null, { status: 303, headers: { Location: address, 'Cache-Control': 'no-store' } })
}

const cookieName = () => flashCookieName(isSecure())
const cookieOptions = () => ({ path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure() }) as const
const FLASH_TTL_SECONDS = 15 * 60

const setFlash = ({ cookies }: Pick<APIContext, 'cookies'>, memory: FlashState) =>
  cookies.set(cookieName(), serializeFlash(memory), { ...cookieOptions(), maxAge: FLASH_TTL_SECONDS })

/** Sends a form's sender on to `to`, which reads the memory back with `recall`. */
export function redirectWithFlash(context: Pick<APIContext, 'cookies'>, to: string, memory: FlashState): Response {
  setFlash(context, memory)
  return redirect(to)
}

/** What the last form left. The sentence is shown once: a later visit starts clean, but still knows the address. */
export function readFlash(context: Pick<APIContext, 'cookies'>): FlashState {
  const memory = parseFlash(context.cookies.get(cookieName())?.value)
  if (memory.error || memory.failure) setFlash(context, { email: memory.email, error: '' })
  return memory
}

export function clearFlash(context: Pick<APIContext, 'cookies'>): void {
  context.cookies.delete(cookieName(), cookieOptions())
}
