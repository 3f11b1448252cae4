import { mailAlerts } from '#features/auth/new-device/mail-alerts.http.ts'
import { unlinkProvider } from '#features/auth/oauth/linked-accounts.server.ts'
import { linkedPath, linkErrorPath } from '#features/auth/oauth/provider-paths.ts'
import { usableWays } from '#features/auth/passkeys/relying-party.http.ts'
import { isRecentSignInError } from '#features/auth/recent-auth/recent-auth.ts'
import { PROVIDER_NAMES, type Provider } from '#lib/auth/oauth-providers.ts'
import { AppError, notFound } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { endpoint, requireAuthenticatedMember } from '#server/endpoint.ts'
import { isForm, redirect } from '#server/forms.ts'
import type { APIContext } from 'astro'

// The providers linked to the member's account. JSON clients use DELETE; plain forms, which cannot, POST to the same address.

async function unlink(context: APIContext): Promise<void> {
  const name = context.params.provider ?? ''
  if (!Object.hasOwn(PROVIDER_NAMES, name)) throw notFound('No existe esta dirección de la API.')
  const member = requireAuthenticatedMember(context)
  await unlinkProvider(context.locals.db, member, name as Provider, {
    usable: usableWays(),
    sessionId: context.locals.sessionId,
  })
  await mailAlerts(context.locals.db, member.id)
}

/** DELETE or POST /api/account/providers/{provider}: unlinks it and ends the member's other sessions. */
export const removeProvider = endpoint({ 204: null, 303: null }, async (context) => {
  if (!isForm(context)) {
    await unlink(context)
    return new Response(null, { status: 204 })
  }
  if (!context.locals.user) return redirect(paths.login)
  try {
    await unlink(context)
  } catch (error) {
    if (isRecentSignInError(error)) return redirect(paths.accountConfirm('pide'))
    if (!(error instanceof AppError)) throw error
    return redirect(linkErrorPath(error.status === 409 ? 'unica' : 'enlace'))
  }
  return redirect(linkedPath('desenlazado'))
})
