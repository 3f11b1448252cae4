import type { APIContext } from 'astro'
import { paths } from '#lib/paths.ts'
import { AppError, invalid } from '#lib/errors.ts'
import { endpoint, readForm, validate } from '#server/endpoint.ts'
import { isForm, redirect } from '#server/forms.ts'
import { isHttpsSite } from '#server/env.ts'
import {
  flashCookieName,
  type FlashState,
  type Intent,
  INTENT_TEXT,
  intentSchema,
  parseFlash,
  serializeFlash,
  TYPED_MAX_CODE_UNITS,
} from './flash-cookie.ts'

const cookieName = () => flashCookieName(isHttpsSite())
const cookieOptions = () => ({ path: '/', httpOnly: true, sameSite: 'lax', secure: isHttpsSite() }) as const
const FLASH_TTL_SECONDS = 15 * 60

const readCookie = ({ cookies }: Pick<APIContext, 'cookies'>) => parseFlash(cookies.get(cookieName())?.value)

/** What the visitor was about to do stays until it is done, whatever forms come before. */
function setFlash(context: Pick<APIContext, 'cookies'>, flash: FlashState): void {
  const intent = flash.intent ?? readCookie(context).intent
  const text = serializeFlash({ ...flash, ...(intent && { intent }) })
  context.cookies.set(cookieName(), text, { ...cookieOptions(), maxAge: FLASH_TTL_SECONDS })
}

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
  const flash = readCookie(context)
  if (flash.error || flash.failure) setFlash(context, { email: flash.email, error: '' })
  return flash
}

/** Forgets the state, but for what the visitor was about to do: `takeIntent` does. */
export function clearFlash(context: Pick<APIContext, 'cookies'>): void {
  if (!readCookie(context).intent) context.cookies.delete(cookieName(), cookieOptions())
  else setFlash(context, { email: '', error: '' })
}

/**
 * Sends a visitor to the sign-in, after which their profile does what they were about to do. Only for a mutation, whose origin has been
 * checked: a link must not make anybody like or write. @throws AppError 422 for a text that is too long for a cookie
 */
export function redirectToSignIn(context: Pick<APIContext, 'cookies' | 'locals'>, intent: Intent): Response {
  const flash = { email: '', error: '', intent }
  if (serializeFlash(flash).length > TYPED_MAX_BYTES) throw invalid(INTENT_TEXT, { text: INTENT_TEXT })
  return redirectWithFlash(context, context.locals.user ? paths.profile : paths.login, flash)
}

/** `POST /api/auth/intent` from a form: keeps what a visitor is about to do, for a quarter of an hour, and leads to the sign-in. */
export const keepIntent = endpoint({ 303: null }, async (context) => {
  if (!isForm(context)) throw new AppError(415, 'Envía el formulario.')
  return redirectToSignIn(context, validate(intentSchema, Object.fromEntries(await readForm(context))))
})

/** What the member who has just signed in was about to do, once; undefined for nothing, as in another browser. */
export function takeIntent(context: Pick<APIContext, 'cookies'>): Intent | undefined {
  const { intent } = readCookie(context)
  if (intent) context.cookies.delete(cookieName(), cookieOptions())
  return intent
}

/** Redirects to the page of a form that was refused, which shows again what was typed (`takeTyped`). */
export function redirectWithTyped(context: Pick<APIContext, 'cookies'>, to: string, typed: string): Response {
  let kept = typed.slice(0, TYPED_MAX_CODE_UNITS)
  while (serializeFlash({ email: '', error: '', typed: kept }).length > TYPED_MAX_BYTES) kept = kept.slice(0, -50)
  return redirectWithFlash(context, to, { ...readCookie(context), typed: kept })
}
/** Browsers drop a cookie of more than 4 kB whole; an emoji alone is 12 bytes of it. */
const TYPED_MAX_BYTES = 3000

/** What was typed in the form that led here, once; null for nothing. */
export function takeTyped(context: Pick<APIContext, 'cookies'>): string | null {
  const { typed, ...flash } = readCookie(context)
  if (typed === undefined) return null
  if (flash.email === '' && flash.error === '') clearFlash(context)
  else setFlash(context, flash)
  return typed
}
