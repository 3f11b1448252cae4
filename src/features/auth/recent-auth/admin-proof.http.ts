import type { APIContext } from 'astro'
import { hasPasskey } from '#features/auth/passkeys/passkeys.server.ts'
import { pageRelyingParty } from '#features/auth/passkeys/relying-party.http.ts'
import { type AdminRequester, assertAdmin, isAdmin } from '#lib/auth/current-user.ts'
import { AppError } from '#lib/errors.ts'
import { authPaths } from '#features/auth/auth-paths.ts'
import { getEnv } from '#server/env.ts'
import { assertRecentSignIn, isRecentlyAuthenticated, isRecentSignInError, RECENT_AUTH_TEXTS } from './recent-auth.ts'

type Context = Pick<APIContext, 'locals' | 'request'>

/** Whether the admin proves who they are by passkey alone: from their first one on. */
export async function mustUsePasskey(context: Context): Promise<boolean> {
  const { db, user } = context.locals
  const rp = pageRelyingParty()
  return user !== null && rp !== null && (await hasPasskey(db, user.id, rp.id))
}

/**
 * Call it before every write of the admin: their session alone may not change what is others'. It stands in the endpoints and not in the
 * actions, which `npm run admin` calls without a session.
 * @throws AppError 401, 403 for anybody else; 403 with an error of `code` without recent authentication, by passkey once they have one
 */
export async function assertAdminProof(context: Context): Promise<void> {
  const { user, authenticatedAt, provedBy } = context.locals
  const id = assertAdmin({ user, adminEmail: getEnv().adminEmail })
  if (provedBy !== 'passkey' && (await mustUsePasskey(context)))
    throw new AppError(403, RECENT_AUTH_TEXTS.byPasskey, { errors: { code: RECENT_AUTH_TEXTS.byPasskey } })
  assertRecentSignIn({ id, authenticatedAt })
}

/** Where an admin's form without that proof leads; undefined for any other error. */
export const adminProofStep = (error: unknown): string | undefined =>
  isRecentSignInError(error) ? authPaths.adminConfirm('pide') : undefined

/** The admin's forms. Others, also without session, are answered as a JSON call. */
export const ADMIN_FORM = {
  async who(context: APIContext): Promise<AdminRequester> {
    await assertAdminProof(context)
    return { user: context.locals.user, adminEmail: getEnv().adminEmail }
  },
  signIn: () => undefined,
}

/** How the admin's page asks its reader for proof. */
export interface AdminProofState {
  mustUsePasskey: boolean
  /** Whether the lists are shown: a session that was never proved by passkey shows them no more once there is one. */
  mayRead: boolean
  /** Whether writes are accepted now. */
  mayWrite: boolean
}

export async function readAdminProof(context: Context): Promise<AdminProofState> {
  const { user, authenticatedAt, provedBy } = context.locals
  const byPasskey = isAdmin(user, getEnv().adminEmail) && (await mustUsePasskey(context))
  const mayRead = !byPasskey || provedBy === 'passkey'
  return { mustUsePasskey: byPasskey, mayRead, mayWrite: mayRead && isRecentlyAuthenticated(authenticatedAt) }
}
