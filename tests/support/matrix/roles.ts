/** Whoever may ask. «blocked» was blocked by the owner, «blocker» blocked the owner: the two do not meet either way. */
export const ROLES = [
  'visitor',
  'expired',
  'member',
  'holder',
  'owner',
  'bannedOwner',
  'admin',
  'banned',
  'blocked',
  'blocker',
] as const
export type Role = (typeof ROLES)[number]

/** The status each role is answered with. */
export type Statuses = Readonly<Record<Role, number>>
type Exceptions = Partial<Record<Role, number>>

/** Those without a session, those with one, and who is answered otherwise. */
export const statusesFor = (visitor: number, member: number, except: Exceptions = {}): Statuses => ({
  ...(Object.fromEntries(
    ROLES.map((role) => [role, role === 'visitor' || role === 'expired' ? visitor : member]),
  ) as Statuses),
  ...except,
})

export const everyone = (status: number, except: Exceptions = {}) => statusesFor(status, status, except)
export const members = (status: number, except: Exceptions = {}) => statusesFor(401, status, except)
/** What others would see: not for who may not write. */
export const writers = (status: number, except: Exceptions = {}) =>
  members(status, { banned: 403, bannedOwner: 403, ...except })
/** What visitors send, too: what a member sends after their session has ended is not a visitor's. */
export const anyWriter = (status: number) => everyone(status, { expired: 401, banned: 403, bannedOwner: 403 })
/** What the owner would notice: neither for whom they blocked nor for who blocked them. */
export const unblockedWriters = (status: number, except: Exceptions = {}) =>
  writers(status, { blocked: 403, blocker: 403, ...except })
export const toOwner = (status: number) => ({ owner: status, bannedOwner: status })
/** The owner's own; `banned` is what they are answered while they may not write. */
export const onlyOwner = (status: number, banned: number) => members(403, { owner: status, bannedOwner: banned })
export const onlyAdmin = (status: number) => members(403, { admin: status })

export const NO_ROLES: readonly Role[] = []
export const OWNER: readonly Role[] = ['owner', 'bannedOwner']
export const ADMIN: readonly Role[] = ['admin']
export const BLOCKED_ROLES: readonly Role[] = ['blocked', 'blocker']
export const SIGNED_IN: readonly Role[] = ROLES.filter((role) => role !== 'visitor' && role !== 'expired')
export const rolesExcept = (...out: readonly Role[]): readonly Role[] => ROLES.filter((role) => !out.includes(role))
export const UNBLOCKED = rolesExcept(...BLOCKED_ROLES)
export const OTHER_MEMBERS = SIGNED_IN.filter((role) => !OWNER.includes(role))
