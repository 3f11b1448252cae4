/** What admins, and the operator by `npm run admin`, do. The first eight decide on a case. */
export const ADMIN_ACTIONS = [
  'hide',
  'restore',
  'delete',
  'dismiss',
  'warn',
  'ban',
  'unban',
  'note',
  'verify',
  'unverify',
  'message',
  'breed-edit',
  'breed-undo',
  'readmit',
  'sign-in-link',
  'sighting-deliver',
  'sighting-delete',
  'found-keep',
  'found-delete',
  'answer-keep',
  'answer-delete',
  'message-resolve',
  'message-delete',
] as const
export type AdminAction = (typeof ADMIN_ACTIONS)[number]

/** Days an entry stays: the database deletes none before (db/migrations/2026-11-26-1820-security-log.ts). */
export const ADMIN_LOG_DAYS = 730
