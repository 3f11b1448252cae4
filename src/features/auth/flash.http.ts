import { randomUUID } from 'node:crypto'
import type { APIContext } from 'astro'
import { paths } from '#lib/paths.ts'
import { AppError, invalid } from '#lib/errors.ts'
import { endpoint, readForm, validate } from '#server/endpoint.ts'
import { isForm, redirect } from '#server/forms.ts'
import { isHttpsSite } from '#server/env.ts'
import {
  fitsCookie,
  flashCookieName,
  type FlashState,
  type Intent,
  INTENT_TEXT,
  intentSchema,
  type KeptIntent,
  parseFlash,
  TYPED_MAX_CODE_UNITS,
} from './flash-cookie.ts'

const cookieName = () => flashCookieName(isHttpsSite())
const cookieOptions = () => ({ path: '/', httpOnly: true, sameSite: 'lax', secure: isHttpsSite() }) as const
const FLASH_TTL_SECONDS = 15 * 60

const readCookie = ({ cookies }: Pick<APIContext, 'cookies'>) => parseFlash(cookies.get(cookieName())?.value)

/** What the visitor was about to do stays until it is done, whatever forms come before; the oldest goes where the cookie is full. */
export function setFlash(
  context: Pick<APIContext, 'cookies'>,
  { intents = readIntents(context), ...flash }: FlashState,
): void {
  let state: FlashState = { ...flash, ...(intents.length > 0 && { intents }) }
  while (state.intents && !fitsCookie(state)) state = { ...state, intents: state.intents.slice(1) }
  context.cookies.set(cookieName(), JSON.stringify(state), { ...cookieOptions(), maxAge: FLASH_TTL_SECONDS })
}

/** What the visitor of this browser was about to do in the last quarter of an hour. */
export const readIntents = (context: Pick<APIContext, 'cookies'>): KeptIntent[] =>
  (readCookie(context).intents ?? []).filter(({ until }) => until > Date.now())

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

/** Remembers that a code was mailed: a page that comes back, as phones load them again, has its field. */
export const rememberSentCode = (context: Pick<APIContext, 'cookies'>, email: string): void =>
  setFlash(context, { email, error: '', sentUntil: Date.now() + FLASH_TTL_SECONDS * 1000 })

/** The address to which a code was mailed that is still good; empty for none. */
export const readSentTo = ({ email, error, sentUntil = 0 }: FlashState): string =>
  error === '' && sentUntil > Date.now() ? email : ''

/** State left by the last form. The error is shown once; the e-mail address stays for later visits. */
export function readFlash(context: Pick<APIContext, 'cookies' | 'locals'>): FlashState {
  if (context.locals.flash) return context.locals.flash
  const flash = readCookie(context)
  if (flash.error || flash.failure) setFlash(context, { email: flash.email, error: '' })
  return flash
}

/** Forgets the state, but for what the visitor was about to do: `takeIntents` does. */
function clearFlash(context: Pick<APIContext, 'cookies'>): void {
  if (readIntents(context).length === 0) forgetFlash(context)
  else setFlash(context, { email: '', error: '' })
}

/** Where a form leads by which somebody has signed in: what stood in the cookie is done. */
export function endSignIn(context: Pick<APIContext, 'cookies'>): string {
  clearFlash(context)
  return paths.profile
}

/** Forgets all of it. */
export const forgetFlash = (context: Pick<APIContext, 'cookies'>): void =>
  context.cookies.delete(cookieName(), cookieOptions())

/**
 * Sends a visitor to the sign-in, after which their profile does what they were about to do. Only for a mutation, whose origin has been
 * checked: a link must not make anybody like or write. @throws AppError 422 for a text that is too long for a cookie
 */
export function redirectToSignIn(context: Pick<APIContext, 'cookies' | 'locals'>, intent: Intent): Response {
  const kept = { ...intent, key: randomUUID(), until: Date.now() + FLASH_TTL_SECONDS * 1000 }
  const flash = { email: '', error: '', intents: [kept] }
  if (!fitsCookie(flash)) throw invalid(INTENT_TEXT, { text: INTENT_TEXT })
  const others = readIntents(context).filter(({ act, id }) => act !== intent.act || id !== intent.id)
  return redirectWithFlash(context, context.locals.user ? paths.profile : paths.login, {
    ...flash,
    intents: [...others, kept],
  })
}

/** `POST /api/auth/intent` from a form: keeps what a visitor is about to do, for a quarter of an hour, and leads to the sign-in. */
export const keepIntent = endpoint({ 303: null }, async (context) => {
  if (!isForm(context)) throw new AppError(415, 'Envía el formulario.')
  return redirectToSignIn(context, validate(intentSchema, Object.fromEntries(await readForm(context))))
})

/** What the member who has just signed in was about to do, which the browser forgets. */
export function takeIntents(context: Pick<APIContext, 'cookies'>): KeptIntent[] {
  const intents = readIntents(context)
  if (intents.length > 0) forgetFlash(context)
  return intents
}

/** The comments among them. */
export const readPendingTexts = (context: Pick<APIContext, 'cookies'>): string[] =>
  readIntents(context).flatMap(({ text = '' }) => (text.trim() === '' ? [] : [text]))

/** Redirects to the page of a form that was refused, which shows again what was typed (`takeTyped`). */
export function redirectWithTyped(context: Pick<APIContext, 'cookies'>, to: string, typed: string): Response {
  let kept = typed.slice(0, TYPED_MAX_CODE_UNITS)
  const flash = readCookie(context)
  while (!fitsCookie({ ...flash, intents: [], typed: kept })) kept = kept.slice(0, -50)
  return redirectWithFlash(context, to, { ...flash, typed: kept })
}

/** What was typed in the form that led here, once; null for nothing. */
export function takeTyped(context: Pick<APIContext, 'cookies'>): string | null {
  const { typed, ...flash } = readCookie(context)
  if (typed === undefined) return null
  if (flash.email === '' && flash.error === '') clearFlash(context)
  else setFlash(context, flash)
  return typed
}
