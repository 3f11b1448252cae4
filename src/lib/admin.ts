/**
 * True for the one account that does the admin's work: the member whose address is ADMIN_EMAIL (undefined: nobody's).
 * Every address in `users` has been proved, by a mail or by the provider that says so.
 */
export const isAdmin = (user: { email: string | null } | null, adminEmail: string | undefined): boolean =>
  adminEmail !== undefined && user?.email != null && user.email.toLowerCase() === adminEmail.toLowerCase()
