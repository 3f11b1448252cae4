import { mailAlerts } from '#features/auth/new-device/mail-alerts.http.ts'
import { unlinkProvider } from '#features/auth/oauth/linked-accounts.server.ts'
import { linkedPath, linkErrorPath } from '#features/auth/auth-paths.ts'
import { usableWays } from '#features/auth/passkeys/relying-party.http.ts'
import { askForProof } from '#features/auth/recent-auth/recent-auth.http.ts'
import { type Provider, PROVIDER_NAMES } from '#lib/auth/oauth-providers.ts'
import { notFound } from '#lib/errors.ts'
import { requireAuthenticatedMember } from '#server/endpoint.ts'
import { formEndpoint } from '#server/form-endpoint.ts'

// The providers linked to the member's account. JSON clients use DELETE; plain forms, which cannot, POST to the same address.

/** DELETE or POST /api/account/providers/{provider}: unlinks it and ends the member's other sessions. */
export const removeProvider = formEndpoint({
  answers: { 204: null },
  who: requireAuthenticatedMember,
  async save({ locals: { db, sessionId }, params: { provider: name = '' } }, member) {
    if (!Object.hasOwn(PROVIDER_NAMES, name)) throw notFound('No existe esta dirección de la API.')
    await unlinkProvider(db, member, name as Provider, { usable: usableWays(), sessionId })
    await mailAlerts(db, member.id)
  },
  done: () => linkedPath('desenlazado'),
  refused: (context, error) => askForProof(context, error) ?? linkErrorPath(error.status === 409 ? 'unica' : 'enlace'),
})
