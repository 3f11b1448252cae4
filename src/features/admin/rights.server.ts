import { isAdmin } from '#lib/admin.ts'
import { forbidden, unauthenticated } from '#lib/errors.ts'

/** Who asks, and the address of the one who may (ADMIN_EMAIL; undefined: nobody may). */
export interface AdminAsker {
  user: { id: string; email: string | null } | null
  adminEmail: string | undefined
}

/** The admin's id. @throws AppError 401 without a session, 403 for any other member */
export function mustAdmin({ user, adminEmail }: AdminAsker): string {
  if (!user) throw unauthenticated()
  if (!isAdmin(user, adminEmail)) throw forbidden()
  return user.id
}
