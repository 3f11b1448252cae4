import type { APIContext } from 'astro'
import { AppError, notFound } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { getEnv } from '#server/env.ts'
import { endpoint, readForm } from '#server/endpoint.ts'
import { limit } from '#server/limits/rate-limit.ts'
import { isSecure, openSession, sessionToken } from '#features/auth/sessions/session.http.ts'
import { newAccountQuota } from '#features/auth/sign-in/account-quota.http.ts'
import { SIGN_IN_RATE_LIMITS } from '../auth.ts'
import { clearFlash, isForm, redirect, redirectWithFlash } from '../forms.http.ts'
import { markRecentlyAuthenticated } from '#features/auth/sessions/sessions.server.ts'
import { PROVIDER_NAMES, type Provider } from '#lib/auth/oauth-providers.ts'
import { findLinkedAccount, signInByProvider } from './linked-accounts.server.ts'
import { finishFlow, ProviderRefusal, startFlow } from './client.server.ts'
import { type SignInFailure, FAILURE_TEXTS, failureTexts, toSignInFailure, tidyMessage } from './sign-in-failure.ts'
import { FLOW_TTL_SECONDS, type Flow, flowCookieName, parseFlow } from './flow.ts'
import type { ProviderSettings } from '#lib/auth/oauth-settings.ts'

// People come here by following links and are sent on to pages; a program that asks gets problem+json.

/** Apple's `user` part is the longest thing that comes back, and it is not read. */
const MAX_FORM_BYTES = 16 * 1024

/** GET /api/auth/{provider}: sends the browser to the provider. */
export const start = endpoint((context) =>
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

/** GET (Apple: POST) /api/auth/{provider}/callback: where the provider sends it back. Ends at /perfil with a session. */
export const callback = endpoint((context) =>
  runFlowStep(context, async (provider, settings) => {
    await limit('flows of an ip', context.locals.ip, ...SIGN_IN_RATE_LIMITS.flowsPerIp)
    const answer = await readCallbackParams(context, provider)
    const flow = await consumeFlow(context, provider, answer)
    // Coming back a second time (reload, Back) to an address that has already worked is no failure.
    if (!flow && context.locals.user && acceptsHtml(context)) return redirect(paths.profile)
    if (!flow) throw new FlowError(403, toGenericFailure(provider, FAILURE_TEXTS.stale(PROVIDER_NAMES[provider])))
    const identity = await finishFlow(provider, settings, redirectUri(context, provider), answer, flow)
    if (flow.proves) return confirmMember(context, provider, identity.id, flow.proves)
    const admit = newAccountQuota(context.locals.ip)
    await openSession(context, await signInByProvider(context.locals.db, provider, identity, Date.now(), admit))
    clearFlash(context)
    return redirect(paths.profile)
  }),
)

/**
 * The member came back only to prove that it is still them: no other account is signed in to, made or linked. Apple comes
 * back without our cookie; its answer opens a session as any sign-in does.
 */
async function confirmMember(context: APIContext, provider: Provider, providerUserId: string, memberId: string) {
  const account = await findLinkedAccount(context.locals.db, provider, providerUserId)
  if (account?.id !== memberId) return redirect(paths.accountConfirm('otra'))
  const token = sessionToken(context.cookies)
  if (token && context.locals.user?.id === memberId) await markRecentlyAuthenticated(context.locals.db, token)
  else await openSession(context, account)
  return redirect(paths.accountConfirmed)
}

/** A failure that has its words, and the status that a program is told. */
class FlowError extends AppError {
  readonly failure: SignInFailure

  constructor(status: number, failure: SignInFailure) {
    super(status, failureTexts(failure).box)
    this.failure = failure
  }
}

const toGenericFailure = (provider: Provider, message = ''): SignInFailure => ({ provider, kind: 'failed', message })

/** Runs a step of the flow; what goes wrong in it becomes a page for people and a problem for programs. */
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
    const known = toAppError(error, provider)
    if (!acceptsHtml(context)) throw known
    // Only who proves who they are goes there while signed in.
    if (context.locals.user) return redirect(paths.accountConfirm('fallo'))
    const failure = known instanceof FlowError ? known.failure : toGenericFailure(provider, known.message)
    return redirectWithFlash(context, paths.login, { email: '', error: '', failure })
  }
}

/** What is not ours to word (a provider that is down, a token that proves nothing) is told to the operator alone. */
function toAppError(error: unknown, provider: Provider): AppError {
  if (error instanceof AppError) return error
  const refused = error instanceof ProviderRefusal && toSignInFailure(provider, error.code, error.description)
  if (!refused || refused.kind === 'refused')
    console.error(`perrario · la entrada con ${PROVIDER_NAMES[provider]} falló: ${describeError(error)}`)
  return refused ? new FlowError(403, refused) : new FlowError(502, toGenericFailure(provider))
}

/** An error and its causes in one line. Their other fields hold tokens and addresses, which no log should. */
function describeError(error: unknown): string {
  const words: string[] = []
  for (let at = error; at instanceof Error && words.length < 4; at = at.cause) {
    const { code, error: answer, error_description: why } = at as Error & Record<string, unknown>
    words.push([at.message, code, answer, why].filter((word) => typeof word === 'string' && word !== '').join(' · '))
  }
  return tidyMessage(words.join(' ← '))
}

const acceptsHtml = (context: APIContext) =>
  isForm(context) || /\btext\/html\b/.test(context.request.headers.get('accept') ?? '')

async function readCallbackParams(context: APIContext, provider: Provider): Promise<URLSearchParams> {
  if (context.request.method === 'GET') return context.url.searchParams
  if (provider !== 'apple') throw new AppError(405, 'Esta dirección solo admite GET.')
  const form = await readForm(context, MAX_FORM_BYTES)
  return new URLSearchParams([...form].map(([name, value]) => [name, String(value)]))
}

/** The flow that `answer` belongs to, if this browser began it; a flow is good for one answer. */
async function consumeFlow(context: APIContext, provider: Provider, answer: URLSearchParams): Promise<Flow | null> {
  const flow = parseFlow(context.cookies.get(cookieName(provider))?.value)
  if (!flow || answer.get('state') !== flow.state) return null
  context.cookies.delete(cookieName(provider), cookieOptions(provider))
  try {
    // The cookie goes, but somebody may have kept a copy.
    await limit('answers to a flow', flow.state, 1, FLOW_TTL_SECONDS)
  } catch {
    return null
  }
  return flow
}

const cookieName = (provider: Provider) => flowCookieName(provider, isSecure())

/** Apple comes back by a POST from its own site, which carries only `SameSite=None` cookies, and those must be Secure. */
const cookieOptions = (provider: Provider) =>
  ({
    path: '/',
    httpOnly: true,
    sameSite: provider === 'apple' ? 'none' : 'lax',
    secure: provider === 'apple' || isSecure(),
  }) as const

/**
 * The callback's address, which the operator registers with the provider. Without SITE_URL it is the host that was
 * asked: whoever forges that header is refused by the provider, and a sign-in must end where its cookie is.
 */
function redirectUri({ request }: APIContext, provider: Provider): string {
  const { siteUrl, port } = getEnv()
  const host = request.headers.get('host') ?? `localhost:${port}`
  return `${siteUrl ?? `http://${host}`}${paths.api.providerCallback(provider)}`
}
