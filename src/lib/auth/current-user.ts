import { forbidden, unauthenticated } from '#lib/errors.ts'

/** The signed-in member, as every page and endpoint sees them. */
export interface CurrentUser {
  id: string
  email: string | null
  alias: string
  emoji: string
  verified: boolean
}

/** The member who makes the request; null without a session. */
export type Requester = { id: string } | null

/**
 * True for the admin's account: the member whose address is ADMIN_EMAIL (undefined: there is no admin). Every address in `users`
 * is verified, by a mail or by the provider.
 */
export const isAdmin = (user: { email: string | null } | null, adminEmail: string | undefined): boolean =>
  adminEmail !== undefined &&
  user?.email != null &&
  toAsciiLowerCase(user.email) === adminEmail.normalize('NFC').toLowerCase()

/** Lower case of ASCII letters only: `toLowerCase` would turn the Kelvin sign into a k. */
const toAsciiLowerCase = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** The requester, and the admin's address (ADMIN_EMAIL; undefined: there is no admin). */
export interface AdminRequester {
  user: { id: string; email: string | null } | null
  adminEmail: string | undefined
}

/** The admin's id. @throws AppError 401 without a session, 403 for any other member */
export function assertAdmin({ user, adminEmail }: AdminRequester): string {
  if (!user) throw unauthenticated()
  if (!isAdmin(user, adminEmail)) throw forbidden()
  return user.id
}
