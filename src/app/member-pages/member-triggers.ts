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

/** The rows that a member's own pages show besides, and those that their tags are of (app/page-cache/invalidation.ts). */
const OWN_TRIGGERS: readonly MemberTrigger[] = [
  ...onEvery('sessions', 'user_id'),
  ...onEvery('oauth_accounts', 'user_id'),
  ...onEvery('passkeys', 'user_id'),
  ...onEvery('recovery_codes', 'user_id'),
  ...onEvery('email_changes', 'user_id'),
  ...onEvery('sign_in_alerts', 'user_id'),
  ...onEvery('security_log', 'user_id'),
  ...onEvery('account_erasures', 'user_id'),
  ...onEvery('account_deletions', 'user_id'),
  ...onEvery('first_days', 'user_id'),
  ...onEvery('riddle_guesses', 'user_id'),
  ...onEvery('breed_opinions', 'user_id'),
  ...onEvery('notice_settings', 'user_id'),
  ...onEvery('push_subscriptions', 'user_id'),
  ...onEvery('digests', 'user_id'),
  ...onEvery('home_zones', 'user_id'),
  ...onEvery('lost_cases', 'owner_id'),
  ...onEvery('lost_history', 'owner_id'),
  ...onEvery('member_dogs', 'user_id'),
  ...onEvery('member_breeds', 'user_id'),
  // A followed member sees the number of followers.
  ...onEvery('follows', 'target_id'),
  ...onEvery('badges', 'user_id'),
  ...onEvery('challenge_entries', 'user_id'),
  ...onEvery('badge_queue', 'user_id'),
  ['UPDATE ON profiles', ['new.id']],
  ...onEvery('comments', 'user_id'),
  ['UPDATE ON dog_likes', ['new.user_id', 'old.user_id']],
]

/** What moderators hold back or decide. The members concerned are not always in the row, and it is rare: every member's own pages go. */
const MODERATION_TABLES = [
  'cases',
  'decisions',
  'decision_people',
  'held',
  'held_photos',
  'held_comments',
  'held_likes',
  'held_requests',
  'bans',
  'detached_lines',
]

/** Tables whose rows are derived, in the same transaction, from rows that are watched: pages read them. */
export const DERIVED_TABLES = [
  'dog_paths',
  'dog_tallies',
  'dog_day_tallies',
  'province_breeds',
  'totals',
  'ranking_dogs',
  'ranking_likes',
]

/** Tables that no page of a member reads (api/members/own-pages reads the statements of each page). */
export const TABLES_ON_NO_OWN_PAGE = [
  'withdrawn_rows',
  'passkey_challenges',
  'sign_in_tokens',
  'sign_in_devices',
  'account_devices',
  'dog_claims',
  'idempotency_keys',
  'like_hour_tallies',
  'dog_words',
  'member_words',
  'events',
  'geocodes',
  'follow_alerts',
  'daily_budgets',
  'push_queue',
  'push_keys',
  'digest_runs',
  'reports',
  'report_keys',
  'photo_moves',
  'riddles',
  'contact_threads',
  'contact_messages',
  'contact_mails',
  'reported_messages',
  'dog_arrivals',
  'lost_alert_settings',
  'lost_alert_queue',
  'lost_alert_mails',
  'lost_alert_ends',
  'lost_alerted_dogs',
  'lost_homecomings',
  'album_links',
  'member_years',
  'year_links',
  'memory_runs',
  'admin_log',
  'ban_digests',
  'ban_keys',
  // The owner's page of them is never kept.
  'sighting_photos',
  'sighting_refusals',
  'sighting_keys',
  'found_notices',
  'found_photos',
  'found_matches',
  'found_claims',
  'found_reports',
  'found_scans',
]

/** The tables with a trigger here. */
export const memberTables = (): string[] => [
  ...new Set([
    ...[...Object.values(STATE_TRIGGERS).flat(), ...OWN_TRIGGERS].map(([event]) =>
      event.slice(event.lastIndexOf(' ') + 1),
    ),
    ...MODERATION_TABLES,
  ]),
]

/** Receives what changes. */
export interface MemberChanges {
  /** A part of the member's state. */
  onState: (userId: string, part: StatePart) => void
  /** The member likes or comments. */
  onWrite: (userId: string) => void
  /** Something that only the member's own pages show. */
  onOwn: (userId: string) => void
  onSession: (id: string) => void
  onModeration: () => void
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
  define('own_changed', changes.onOwn)
  define('session_changed', changes.onSession)
  define('moderated', changes.onModeration)
  for (const [part, triggers] of Object.entries(STATE_TRIGGERS))
    triggers.forEach(([event, members], i) => {
      const calls = members.map((member) => `perrario_state_changed(${member}, '${part}')`)
      createTrigger(sqlite, `perrario_state_${part}_${i}`, event, calls)
    })
  WRITE_TRIGGERS.forEach(([event, members], i) => {
    const calls = members.map((member) => `perrario_written(${member})`)
    createTrigger(sqlite, `perrario_written_${i}`, event, calls)
  })
  OWN_TRIGGERS.forEach(([event, members], i) => {
    const calls = members.map((member) => `perrario_own_changed(${member})`)
    createTrigger(sqlite, `perrario_own_${i}`, event, calls)
  })
  for (const action of ['INSERT', 'UPDATE', 'DELETE'])
    for (const table of MODERATION_TABLES)
      createTrigger(sqlite, `perrario_moderation_${action}_${table}`, `${action} ON ${table}`, [
        `perrario_moderated(1)`,
      ])
  for (const action of ['UPDATE', 'DELETE'])
    createTrigger(sqlite, `perrario_session_${action}`, `${action} ON sessions`, ['perrario_session_changed(old.id)'])
}

function createTrigger(sqlite: Sqlite, name: string, event: string, calls: readonly string[]): void {
  const statements = calls.map((call) => `SELECT ${call};`).join(' ')
  sqlite.exec(`CREATE TEMP TRIGGER ${name} AFTER ${event.replace(' ON ', ' ON main.')} BEGIN ${statements} END`)
}
