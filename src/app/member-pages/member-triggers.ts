import type { Sqlite } from '#db/client.ts'
import type { MemberStates } from './member-states.ts'

/** A trigger: its event with the table, the changed rows' members as SQL expressions, and whether others see what they wrote. */
type MemberTrigger = [event: string, members: readonly string[], isWrite?: boolean]

const onEvery = (table: string, ...columns: string[]): MemberTrigger[] => [
  [`INSERT ON ${table}`, columns.map((name) => `new.${name}`)],
  [`UPDATE ON ${table}`, columns.flatMap((name) => [`new.${name}`, `old.${name}`])],
  [`DELETE ON ${table}`, columns.map((name) => `old.${name}`)],
]

/** The rows that a member's state is read from (member-states.ts). */
const TRIGGERS: readonly MemberTrigger[] = [
  ...onEvery('users', 'id'),
  ...onEvery('profiles', 'id'),
  ...onEvery('notifications', 'user_id'),
  ...onEvery('blocks', 'user_id', 'blocked_id'),
  ...onEvery('held', 'user_id'),
  ...onEvery('ownership_requests', 'user_id'),
  ['INSERT ON dog_likes', ['new.user_id'], true],
  ['DELETE ON dog_likes', ['old.user_id'], true],
  ['INSERT ON comments', ['new.user_id'], true],
]

/**
 * Has `states` forget the members and sessions whose rows change, whichever writer of this connection changes them: before the commit,
 * which is early enough, since a read of the same connection waits for it.
 */
export function installMemberTriggers(
  sqlite: Sqlite,
  states: Pick<MemberStates, 'forgetMember' | 'forgetSession'>,
): void {
  sqlite.function('perrario_member_changed', (userId: unknown, isWrite: unknown) => {
    if (userId !== null) states.forgetMember(String(userId), isWrite === 1)
    return null
  })
  sqlite.function('perrario_session_changed', (id: unknown) => {
    states.forgetSession(String(id))
    return null
  })
  TRIGGERS.forEach(([event, members, isWrite = false], i) => {
    const calls = members.map((member) => `SELECT perrario_member_changed(${member}, ${isWrite ? 1 : 0});`)
    createTrigger(sqlite, `perrario_member_${i}`, event, calls.join(' '))
  })
  for (const event of ['UPDATE', 'DELETE'])
    createTrigger(
      sqlite,
      `perrario_session_${event}`,
      `${event} ON sessions`,
      'SELECT perrario_session_changed(old.id);',
    )
}

function createTrigger(sqlite: Sqlite, name: string, event: string, statements: string): void {
  sqlite.exec(`CREATE TEMP TRIGGER ${name} AFTER ${event.replace(' ON ', ' ON main.')} BEGIN ${statements} END`)
}
