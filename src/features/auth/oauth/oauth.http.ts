import type { APIContext } from 'astro'
import { AppError, notFound } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { getEnv, isHttpsSite } from '#server/env.ts'
import { endpoint, readForm } from '#server/endpoint.ts'
import { limit } from '#server/limits/rate-limit.ts'
import { openSession, sessionToken } from '#features/auth/sessions/session.http.ts'
import { newAccountQuota } from '#features/auth/sign-in/account-quota.http.ts'
import { SIGN_IN_RATE_LIMITS } from '../auth.ts'
import { clearFlash, redirectWithFlash } from '../flash.http.ts'
import { isForm, redirect } from '#server/forms.ts'
import { markRecentlyAuthenticated } from '#features/auth/sessions/sessions.server.ts'
import { PROVIDER_NAMES, type Provider } from '#lib/auth/oauth-providers.ts'
import { findLinkedAccount, signInByProvider } from './linked-accounts.server.ts'
import { finishFlow, ProviderRefusal, startFlow } from './client.server.ts'
import { type SignInFailure, FAILURE_TEXTS, failureTexts, toSignInFailure, tidyMessage } from './sign-in-failure.ts'
import { FLOW_TTL_SECONDS, type Flow, flowCookieName, parseFlow } from './flow.ts'
import type { ProviderSettings } from '#lib/auth/oauth-settings.ts'

// Browsers come here by links and are redirected to pages; other clients get problem+json.

/** Enough for Apple's `user` field, the longest part of a callback, which is not read. */
const MAX_FORM_BYTES = 16 * 1024

/** GET /api/auth/{provider}: sends the browser to the provider. */
export const start = endpoint({ 302: null, 303: null }, (context) =>
  runFlowStep(context, async (provider, settings) => {
    await limit('flows of an ip', context.locals.ip, ...SIGN_IN_RATE_LIMITS.flowsPerIp)
    const { url, flow } = await startFlow(provider, settings, redirectUri(context, provider))
    const { user } = context.locals
    const proves = user && context.url.searchParams.get('para') === 'confirmar' ? user.id : undefined
    context.cookies.set(cookieName(provider), JSON.stringify({ ...flow, proves }), {
      ...cookieOptions(provider),
      maxAge: FLOW_TTL_SECONDS,
    })
    return new Response(null, { status: 302, headers: { Location: url.href, 'Cache-Control': 'no-store' } })
  }),
)

/** GET (Apple: POST) /api/auth/{provider}/callback: the provider redirects here. Ends at /perfil with a session. */
export const callback = endpoint({ 303: null }, (context) =>
  runFlowStep(context, async (provider, settings) => {
    await limit('flows of an ip', context.locals.ip, ...SIGN_IN_RATE_LIMITS.flowsPerIp)
    const params = await readCallbackParams(context, provider)
    const flow = await consumeFlow(context, provider, params)
    // Returning a second time (reload, Back) to a callback that has already worked is not a failure.
    if (!flow && context.locals.user && acceptsHtml(context)) return redirect(paths.profile)
    if (!flow) throw new FlowError(403, toGenericFailure(provider, FAILURE_TEXTS.stale(PROVIDER_NAMES[provider])))
    const identity = await finishFlow(provider, settings, redirectUri(context, provider), params, flow)
    if (flow.proves) return confirmMember(context, provider, identity.id, flow.proves)
    const admit = newAccountQuota(context.locals.ip)
    await openSession(context, await signInByProvider(context.locals.db, provider, identity, Date.now(), admit))
    clearFlash(context)
    return redirect(paths.profile)
  }),
)

/**
 * Confirms the signed-in member's identity; signs in to, creates and links no other account. Apple's callback comes without the
 * session cookie, so it opens a session as any sign-in does.
 */
async function confirmMember(context: APIContext, provider: Provider, providerUserId: string, memberId: string) {
  const account = await findLinkedAccount(context.locals.db, provider, providerUserId)
  if (account?.id !== memberId) return redirect(paths.accountConfirm('otra'))
  const token = sessionToken(context.cookies)
  if (token && context.locals.user?.id === memberId) await markRecentlyAuthenticated(context.locals.db, token)
  else await openSession(context, account)
  return redirect(paths.accountConfirmed)
}

/** A failure with its texts, and the HTTP status for clients other than browsers. */
class FlowError extends AppError {
  readonly failure: SignInFailure

  constructor(status: number, failure: SignInFailure) {
    super(status, failureTexts(failure).box)
    this.failure = failure
  }
}

const toGenericFailure = (provider: Provider, message = ''): SignInFailure => ({ provider, kind: 'failed', message })

/** Runs a step of the flow. An error becomes a redirect to the sign-in page for browsers and problem+json for other clients. */
async function runFlowStep(
  context: APIContext,
  step: (provider: Provider, settings: ProviderSettings) => Promise<Response>,
): Promise<Response> {
  const name = context.params.provider ?? ''
  if (!Object.hasOwn(PROVIDER_NAMES, name)) throw notFound('No existe esta dirección de la API.')
  const provider = name as Provider
  try {
    const settings = getEnv().oauth[provider]
    if (!settings)
      throw new FlowError(503, toGenericFailure(provider, FAILURE_TEXTS.unconfigured(PROVIDER_NAMES[provider])))
    return await step(provider, settings)
  } catch (error) {
    const appError = toAppError(error, provider)
    if (!acceptsHtml(context)) throw appError
    // A signed-in member comes here only to confirm their identity.
    if (context.locals.user) return redirect(paths.accountConfirm('fallo'))
    const failure = appError instanceof FlowError ? appError.failure : toGenericFailure(provider, appError.message)
    return redirectWithFlash(context, paths.login, { email: '', error: '', failure })
  }
}

/** Unexpected errors (a provider that is down, an invalid token) are only logged; the visitor gets a generic text. */
function toAppError(error: unknown, provider: Provider): AppError {
  if (error instanceof AppError) return error
  const failure = error instanceof ProviderRefusal && toSignInFailure(provider, error.code, error.description)
  if (!failure || failure.kind === 'refused')
    console.error(`perrario · la entrada con ${PROVIDER_NAMES[provider]} falló: ${describeError(error)}`)
  return failure ? new FlowError(403, failure) : new FlowError(502, toGenericFailure(provider))
}

/** An error and its causes in one line. Their other fields hold tokens and e-mail addresses, which must not be logged. */
function describeError(error: unknown): string {
  const parts: string[] = []
  for (let cause = error; cause instanceof Error && parts.length < 4; cause = cause.cause) {
    const { code, error: oauthError, error_description } = cause as Error & Record<string, unknown>
    const fields = [cause.message, code, oauthError, error_description]
    parts.push(fields.filter((field) => typeof field === 'string' && field !== '').join(' · '))
  }
  return tidyMessage(parts.join(' ← '))
}

const acceptsHtml = (context: APIContext) =>
  isForm(context) || /\btext\/html\b/.test(context.request.headers.get('accept') ?? '')

async function readCallbackParams(context: APIContext, provider: Provider): Promise<URLSearchParams> {
  if (context.request.method === 'GET') return context.url.searchParams
  if (provider !== 'apple') throw new AppError(405, 'Esta dirección solo admite GET.')
  const form = await readForm(context, MAX_FORM_BYTES)
  return new URLSearchParams([...form].map(([name, value]) => [name, String(value)]))
}

/** The flow that the callback belongs to, if this browser began it; null otherwise. A flow accepts one callback. */
async function consumeFlow(context: APIContext, provider: Provider, params: URLSearchParams): Promise<Flow | null> {
  const flow = parseFlow(context.cookies.get(cookieName(provider))?.value)
  if (!flow || params.get('state') !== flow.state) return null
  context.cookies.delete(cookieName(provider), cookieOptions(provider))
  try {
    // The cookie is deleted, but a copy of it may exist.
    await limit('answers to a flow', flow.state, 1, FLOW_TTL_SECONDS)
  } catch {
    return null
  }
  return flow
}

const cookieName = (provider: Provider) => flowCookieName(provider, isHttpsSite())

/** Apple's callback is a cross-site POST, which carries only `SameSite=None` cookies, and those must be Secure. */
const cookieOptions = (provider: Provider) =>
  ({
    path: '/',
    httpOnly: true,
    sameSite: provider === 'apple' ? 'none' : 'lax',
    secure: provider === 'apple' || isHttpsSite(),
  }) as const

/**
 * The callback's address, which the operator registers with the provider. Without SITE_URL it uses the Host header: the
 * provider refuses a forged one, and a sign-in must end on the host that holds its cookie.
 */
function redirectUri({ request }: APIContext, provider: Provider): string {
  const { siteUrl, port } = getEnv()
  const host = request.headers.get('host') ?? `localhost:${port}`
  return `${siteUrl ?? `http://${host}`}${paths.api.providerCallback(provider)}`
}
