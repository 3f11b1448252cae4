import type { APIContext } from 'astro'
import { AppError, notFound } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { getEnv } from '#server/env.ts'
import { endpoint, readForm } from '#server/http.ts'
import { limit } from '#server/rate.ts'
import { isSecure, openSession, sessionToken } from '#features/auth/session.http.ts'
import { admitFrom } from '../admit.http.ts'
import { LIMITS } from '../auth.ts'
import { forget, isForm, redirect, remember } from '../forms.http.ts'
import { proveSession } from '../lucia.server.ts'
import { PROVIDER_NAMES, type Provider } from '#lib/providers.ts'
import { linkedAccount, signInByProvider } from './accounts.server.ts'
import { finishFlow, ProviderRefusal, startFlow } from './client.server.ts'
import { type Failure, FAILURE_TEXTS, failureTexts, refusal, tidyMessage } from './failure.ts'
import { FLOW_SECONDS, type Flow, flowCookie, readFlow } from './flow.ts'
import type { ProviderSettings } from '#lib/oauth-settings.ts'

// People come here by following links and are sent on to pages; a program that asks gets problem+json.

/** Apple's `user` part is the longest thing that comes back, and it is not read. */
const FORM_LIMIT = 16 * 1024

/** GET /api/auth/{provider}: sends the browser to the provider. */
export const start = endpoint((context) =>
  attempt(context, async (provider, settings) => {
    await limit('flows of an ip', context.locals.ip, ...LIMITS.flowsPerIp)
    const { url, flow } = await startFlow(provider, settings, redirectUri(context, provider))
    const { user } = context.locals
    const proves = user && context.url.searchParams.get('para') === 'confirmar' ? user.id : undefined
    context.cookies.set(cookieName(provider), JSON.stringify({ ...flow, proves }), {
      ...cookieOptions(provider),
      maxAge: FLOW_SECONDS,
    })
    return new Response(null, { status: 302, headers: { Location: url.href, 'Cache-Control': 'no-store' } })
  }),
)

/** GET (Apple: POST) /api/auth/{provider}/callback: where the provider sends it back. Ends at /perfil with a session. */
export const callback = endpoint((context) =>
  attempt(context, async (provider, settings) => {
    await limit('flows of an ip', context.locals.ip, ...LIMITS.flowsPerIp)
    const answer = await readAnswer(context, provider)
    const flow = await takeFlow(context, provider, answer)
    // Coming back a second time (reload, Back) to an address that has already worked is no failure.
    if (!flow && context.locals.user && wantsPage(context)) return redirect(paths.profile)
    if (!flow) throw new FlowError(403, failed(provider, FAILURE_TEXTS.stale(PROVIDER_NAMES[provider])))
    const identity = await finishFlow(provider, settings, redirectUri(context, provider), answer, flow)
    if (flow.proves) return prove(context, provider, identity.id, flow.proves)
    const admit = admitFrom(context.locals.ip)
    await openSession(context, await signInByProvider(context.locals.db, provider, identity, Date.now(), admit))
    forget(context)
    return redirect(paths.profile)
  }),
)

/**
 * The member came back only to prove that it is still them: no other account is signed in to, made or linked. Apple comes
 * back without our cookie; its answer opens a session as any sign-in does.
 */
async function prove(context: APIContext, provider: Provider, providerUserId: string, memberId: string) {
  const account = await linkedAccount(context.locals.db, provider, providerUserId)
  if (account?.id !== memberId) return redirect(paths.accountConfirm('otra'))
  const token = sessionToken(context.cookies)
  if (token && context.locals.user?.id === memberId) await proveSession(context.locals.db, token)
  else await openSession(context, account)
  return redirect(paths.accountProved)
}

/** A failure that has its words, and the status that a program is told. */
class FlowError extends AppError {
  readonly failure: Failure

  constructor(status: number, failure: Failure) {
    super(status, failureTexts(failure).box)
    this.failure = failure
  }
}

const failed = (provider: Provider, message = ''): Failure => ({ provider, kind: 'failed', message })

/** Runs a step of the flow; what goes wrong in it becomes a page for people and a problem for programs. */
async function attempt(
  context: APIContext,
  step: (provider: Provider, settings: ProviderSettings) => Promise<Response>,
): Promise<Response> {
  const name = context.params.provider ?? ''
  if (!Object.hasOwn(PROVIDER_NAMES, name)) throw notFound('No existe esta dirección de la API.')
  const provider = name as Provider
  try {
    const settings = getEnv().oauth[provider]
    if (!settings) throw new FlowError(503, failed(provider, FAILURE_TEXTS.unconfigured(PROVIDER_NAMES[provider])))
    return await step(provider, settings)
  } catch (error) {
    const known = explain(error, provider)
    if (!wantsPage(context)) throw known
    // Only who proves who they are goes there while signed in.
    if (context.locals.user) return redirect(paths.accountConfirm('fallo'))
    const failure = known instanceof FlowError ? known.failure : failed(provider, known.message)
    return remember(context, paths.login, { email: '', error: '', failure })
  }
}

/** What is not ours to word (a provider that is down, a token that proves nothing) is told to the operator alone. */
function explain(error: unknown, provider: Provider): AppError {
  if (error instanceof AppError) return error
  const refused = error instanceof ProviderRefusal && refusal(provider, error.code, error.description)
  if (!refused || refused.kind === 'refused')
    console.error(`perrario · la entrada con ${PROVIDER_NAMES[provider]} falló: ${describe(error)}`)
  return refused ? new FlowError(403, refused) : new FlowError(502, failed(provider))
}

/** An error and its causes in one line. Their other fields hold tokens and addresses, which no log should. */
function describe(error: unknown): string {
  const words: string[] = []
  for (let at = error; at instanceof Error && words.length < 4; at = at.cause) {
    const { code, error: answer, error_description: why } = at as Error & Record<string, unknown>
    words.push([at.message, code, answer, why].filter((word) => typeof word === 'string' && word !== '').join(' · '))
  }
  return tidyMessage(words.join(' ← '))
}

const wantsPage = (context: APIContext) =>
  isForm(context) || /\btext\/html\b/.test(context.request.headers.get('accept') ?? '')

async function readAnswer(context: APIContext, provider: Provider): Promise<URLSearchParams> {
  if (context.request.method === 'GET') return context.url.searchParams
  if (provider !== 'apple') throw new AppError(405, 'Esta dirección solo admite GET.')
  const form = await readForm(context, FORM_LIMIT)
  return new URLSearchParams([...form].map(([name, value]) => [name, String(value)]))
}

/** The flow that `answer` belongs to, if this browser began it; a flow is good for one answer. */
async function takeFlow(context: APIContext, provider: Provider, answer: URLSearchParams): Promise<Flow | null> {
  const flow = readFlow(context.cookies.get(cookieName(provider))?.value)
  if (!flow || answer.get('state') !== flow.state) return null
  context.cookies.delete(cookieName(provider), cookieOptions(provider))
  try {
    // The cookie goes, but somebody may have kept a copy.
    await limit('answers to a flow', flow.state, 1, FLOW_SECONDS)
  } catch {
    return null
  }
  return flow
}

const cookieName = (provider: Provider) => flowCookie(provider, isSecure())

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
