import type { APIContext } from 'astro'
import { AppError, notFound } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { getEnv, isHttpsSite, siteOrigin } from '#server/env.ts'
import { endpoint, readForm } from '#server/endpoint.ts'
import { limit } from '#server/limits/rate-limit.ts'
import { mailAlerts } from '#features/auth/new-device/mail-alerts.http.ts'
import { openSession, sessionToken } from '#features/auth/sessions/session.http.ts'
import { newAccountQuota } from '#features/auth/sign-in/account-quota.http.ts'
import { SIGN_IN_RATE_LIMITS } from '../auth.ts'
import { endSignIn, redirectWithFlash } from '../flash.http.ts'
import { isForm, redirect } from '#server/forms.ts'
import { markRecentlyAuthenticated } from '#features/auth/sessions/sessions.server.ts'
import { type Provider, PROVIDER_NAMES } from '#lib/auth/oauth-providers.ts'
import { findLinkedAccount, linkProvider, signInByProvider, UnlinkedAccountError } from './linked-accounts.server.ts'
import { FAILURE_TEXTS, failureTexts, LINK_TEXTS, type SignInFailure, tidyMessage, toSignInFailure } from './oauth.ts'
import { isRecentlyAuthenticated } from '#features/auth/recent-auth/recent-auth.ts'
import {
  finishFlow,
  type Flow,
  FLOW_TTL_SECONDS,
  flowCookieName,
  parseFlow,
  ProviderRefusal,
  startFlow,
} from './client.server.ts'
import { linkedPath, linkErrorPath } from '#features/auth/auth-paths.ts'
import type { ProviderIdentity } from './providers.server.ts'
import type { ProviderSettings } from '#lib/auth/oauth-settings.ts'

// Browsers come here by links and are redirected to pages; other clients get problem+json.

/** GET /api/auth/{provider}: sends the browser to the provider. */
export const startOauth = endpoint({ 302: null, 303: null }, (context) =>
  runFlowStep(context, async (provider, settings) => {
    await limit('oauth-flow', context.locals.network, ...SIGN_IN_RATE_LIMITS.flowsPerNetwork)
    const purpose = readPurpose(context)
    if (purpose instanceof Response) return purpose
    const isConfirmation = purpose.proves !== undefined
    const { url, flow } = await startFlow(provider, settings, redirectUri(context, provider), isConfirmation)
    context.cookies.set(cookieName(provider), JSON.stringify({ ...flow, ...purpose }), {
      ...cookieOptions(provider),
      maxAge: FLOW_TTL_SECONDS,
    })
    return new Response(null, { status: 302, headers: { Location: url.href, 'Cache-Control': 'no-store' } })
  }),
)

/**
 * What a flow of a signed-in member is for (`?para=`). Only members without an address confirm their identity at a provider: it
 * may answer without asking anybody. Linking asks for recent authentication. Flows begin on our own pages only: where the provider asks
 * nothing, a page of another site would sign its visitors in by itself.
 */
function readPurpose({
  locals: { user, authenticatedAt },
  url,
  request,
}: APIContext): Pick<Flow, 'proves' | 'links'> | Response {
  const site = request.headers.get('sec-fetch-site')
  if (site === 'cross-site' || site === 'same-site') return redirect(user ? paths.account : paths.login)
  const wanted = url.searchParams.get('para')
  if (!user) return {}
  if (wanted === 'confirmar') return user.email === null ? { proves: user.id } : redirect(paths.accountConfirm('pide'))
  if (wanted !== 'enlazar') return {}
  if (site === 'none') return redirect(paths.account)
  return isRecentlyAuthenticated(authenticatedAt) ? { links: user.id } : redirect(paths.accountConfirm('pide'))
}

/** GET (Apple: POST) /api/auth/{provider}/callback: the provider redirects here. Ends at /perfil with a session. */
export const handleCallback = endpoint({ 303: null }, (context) =>
  runFlowStep(context, async (provider, settings) => {
    await limit('oauth-flow', context.locals.network, ...SIGN_IN_RATE_LIMITS.flowsPerNetwork)
    const params = await readCallbackParams(context, provider)
    if (isLinkingByPost(context, provider))
      return redirect(`${paths.api.providerCallback(provider)}?${pickFlowParams(params)}`)
    const flow = await consumeFlow(context, provider, params)
    // Returning a second time (reload, Back) to a callback that has already worked is not a failure.
    if (!flow && context.locals.user && acceptsHtml(context)) return redirect(paths.profile)
    if (!flow) throw new FlowError(403, toGenericFailure(provider, FAILURE_TEXTS.stale(PROVIDER_NAMES[provider])))
    const identity = await finishFlow(provider, settings, redirectUri(context, provider), params, flow)
    if (flow.proves) return confirmMember(context, provider, identity, flow.proves)
    if (flow.links) return linkToMember(context, provider, identity.id, flow.links)
    const admit = newAccountQuota(context.locals.network)
    const now = Date.now()
    const account = await signInByProvider(context.locals.db, provider, identity, now, admit)
    // Of an account with an address, only a mailed code proves who sits here (recent-auth.ts).
    await openSession(context, account, { method: provider, authenticatedAt: account.email === null ? now : 0 })
    return redirect(endSignIn(context))
  }),
)

/**
 * Confirms the identity of a signed-in member without an address; signs in to, creates and links no other account. Apple's
 * callback comes without the session cookie, so it opens a session as any sign-in does.
 */
async function confirmMember(
  context: APIContext,
  provider: Provider,
  { id, signedInAt = Date.now() }: ProviderIdentity,
  memberId: string,
) {
  if (!isRecentlyAuthenticated(signedInAt)) return redirect(paths.accountConfirm('fallo'))
  const account = await findLinkedAccount(context.locals.db, provider, id)
  if (account?.id !== memberId || account.email !== null) return redirect(paths.accountConfirm('otra'))
  const token = sessionToken(context.cookies)
  if (token && context.locals.user?.id === memberId)
    await markRecentlyAuthenticated(context.locals.db, token, Date.now(), provider)
  else await openSession(context, account, { method: provider })
  return redirect(paths.accountConfirmed)
}

/** Apple's callback comes without the session cookie, which linking needs: the browser is sent to the same address by GET. */
const isLinkingByPost = (context: APIContext, provider: Provider): boolean =>
  context.request.method === 'POST' && parseFlow(context.cookies.get(cookieName(provider))?.value)?.links !== undefined

/** What a callback needs of the provider's answer (RFC 6749 §4.1.2, RFC 9207). */
const FLOW_PARAMS = ['code', 'state', 'iss', 'error']

/** Only these may stand in an address, which histories and logs keep: Apple's `user` holds the person's name and e-mail address. */
const pickFlowParams = (params: URLSearchParams): URLSearchParams =>
  new URLSearchParams([...params].filter(([name]) => FLOW_PARAMS.includes(name)))

/** Links the provider to the signed-in member's account. The cookie alone does not say who they are. */
async function linkToMember({ locals }: APIContext, provider: Provider, providerUserId: string, memberId: string) {
  if (locals.user?.id !== memberId) return redirect(paths.login)
  if (!isRecentlyAuthenticated(locals.authenticatedAt)) return redirect(paths.accountConfirm('pide'))
  const member = { id: memberId, authenticatedAt: locals.authenticatedAt }
  const isLinked = await linkProvider(locals.db, provider, providerUserId, member)
  await mailAlerts(locals.db, memberId)
  return redirect(isLinked ? linkedPath('enlazado') : linkErrorPath('ajena'))
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
    // A signed-in member comes here only to confirm their identity, or to link a provider.
    const { user } = context.locals
    if (user) return redirect(user.email === null ? paths.accountConfirm('fallo') : linkErrorPath('enlace'))
    const failure = appError instanceof FlowError ? appError.failure : toGenericFailure(provider, appError.message)
    return redirectWithFlash(context, paths.login, { email: '', error: '', failure })
  }
}

/** Unexpected errors (a provider that is down, an invalid token) are only logged; the visitor gets a generic text. */
function toAppError(error: unknown, provider: Provider): AppError {
  if (error instanceof AppError) return error
  if (error instanceof UnlinkedAccountError)
    return new FlowError(409, { provider, kind: 'refused', message: LINK_TEXTS.exists(provider) })
  const failure = error instanceof ProviderRefusal && toSignInFailure(provider, error.error, error.error_description)
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
  const form = await readForm(context)
  return new URLSearchParams([...form].map(([name, value]) => [name, String(value)]))
}

/** The flow that the callback belongs to, if this browser began it; null otherwise. A flow accepts one callback. */
async function consumeFlow(context: APIContext, provider: Provider, params: URLSearchParams): Promise<Flow | null> {
  const flow = parseFlow(context.cookies.get(cookieName(provider))?.value)
  if (!flow || params.get('state') !== flow.state) return null
  context.cookies.delete(cookieName(provider), cookieOptions(provider))
  try {
    // The cookie is deleted, but a copy of it may exist.
    await limit('oauth-callback', flow.state, 1, FLOW_TTL_SECONDS)
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
const redirectUri = ({ request }: APIContext, provider: Provider): string =>
  siteOrigin(request) + paths.api.providerCallback(provider)
