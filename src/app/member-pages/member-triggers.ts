import type { Sqlite } from '#db/client.ts'
import type { StatePart } from './member-states.ts'

/** A trigger: its event with the table, and the changed rows' members as SQL expressions. */
type MemberTrigger = [event: string, members: readonly string[]]

const onEvery = (table: string, ...columns: string[]): MemberTrigger[] => [
  [`INSERT ON ${table}`, columns.map((name) => `new.${name}`)],
  [`UPDATE ON ${table}`, columns.flatMap((name) => [`new.${name}`, `old.${name}`])],
  [`DELETE ON ${table}`, columns.map((name) => `old.${name}`)],
]

/** The rows that each part of a member's state is read from (member-states.ts). */
const STATE_TRIGGERS: Readonly<Record<StatePart, readonly MemberTrigger[]>> = {
  member: [
    ...onEvery('users', 'id'),
    ['INSERT ON profiles', ['new.id']],
    // Without the likes that they have given: each like counts one.
    ['UPDATE OF id, alias, emoji, dogs_count, breeds_count ON profiles', ['new.id', 'old.id']],
    ['DELETE ON profiles', ['old.id']],
  ],
  unread: onEvery('notifications', 'user_id'),
  liked: [
    ['INSERT ON dog_likes', ['new.user_id']],
    ['DELETE ON dog_likes', ['old.user_id']],
  ],
  followed: onEvery('follows', 'user_id'),
  blockedIds: onEvery('blocks', 'user_id', 'blocked_id'),
  hasOwnParts: [...onEvery('held', 'user_id'), ...onEvery('ownership_requests', 'user_id')],
}

/** The rows that others see a moment later, and their writer at once. */
const WRITE_TRIGGERS: readonly MemberTrigger[] = [
  ['INSERT ON dog_likes', ['new.user_id']],
  ['DELETE ON dog_likes', ['old.user_id']],
  ['INSERT ON comments', ['new.user_id']],
]

/** Receives what changes. */
export interface MemberChanges {
  /** A part of the member's state. */
  onState: (userId: string, part: StatePart) => void
  /** The member likes or comments. */
  onWrite: (userId: string) => void
  onSession: (id: string) => void
}

/**
 * Tells which members and sessions a changed row concerns, whichever writer of this connection changes it: before the commit, which is
 * early enough, since a read of the same connection waits for it.
 */
export function installMemberTriggers(sqlite: Sqlite, changes: MemberChanges): void {
  const define = (name: string, listener: (id: string, part: string) => void) =>
    sqlite.function(`perrario_${name}`, { varargs: true }, (id: unknown, part: unknown) => {
      if (id !== null) listener(String(id), String(part))
      return null
    })
  define('state_changed', (userId, part) => changes.onState(userId, part as StatePart))
  define('written', changes.onWrite)
  define('session_changed', changes.onSession)
  for (const [part, triggers] of Object.entries(STATE_TRIGGERS))
    triggers.forEach(([event, members], i) => {
      const calls = members.map((member) => `perrario_state_changed(${member}, '${part}')`)
      createTrigger(sqlite, `perrario_state_${part}_${i}`, event, calls)
    })
  WRITE_TRIGGERS.forEach(([event, members], i) => {
    const calls = members.map((member) => `perrario_written(${member})`)
    createTrigger(sqlite, `perrario_written_${i}`, event, calls)
  })
  for (const action of ['UPDATE', 'DELETE'])
    createTrigger(sqlite, `perrario_session_${action}`, `${action} ON sessions`, ['perrario_session_changed(old.id)'])
}

function createTrigger(sqlite: Sqlite, name: string, event: string, calls: readonly string[]): void {
  const statements = calls.map((call) => `SELECT ${call};`).join(' ')
  sqlite.exec(`CREATE TEMP TRIGGER ${name} AFTER ${event.replace(' ON ', ' ON main.')} BEGIN ${statements} END`)
}
