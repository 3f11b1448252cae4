import { forbidden, unauthenticated } from '#lib/errors.ts'

/** Who is asking, as every page and endpoint sees them. Times in milliseconds. */
export interface CurrentUser {
  id: string
  email: string | null
  alias: string
  emoji: string
  verified: boolean
}

/**
 * True for the one account that does the admin's work: the member whose address is ADMIN_EMAIL (undefined: nobody's).
 * Every address in `users` has been proved, by a mail or by the provider that says so.
 */
export const isAdmin = (user: { email: string | null } | null, adminEmail: string | undefined): boolean =>
  adminEmail !== undefined &&
  user?.email != null &&
  toAsciiLowerCase(user.email) === adminEmail.normalize('NFC').toLowerCase()

/** Letters of other alphabets stay: `toLowerCase` would turn the Kelvin sign into a k. */
const toAsciiLowerCase = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** Who asks, and the address of the one who may (ADMIN_EMAIL; undefined: nobody may). */
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
