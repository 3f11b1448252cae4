import type { Adapter, DatabaseSession } from 'lucia'
import type { Selectable } from 'kysely'
import type { Db, Trx } from '#db/client.ts'
import { prepareQuery } from '#db/prepared.ts'
import type { SessionsTable } from '#db/tables/accounts.ts'
import { transact } from '#db/transact.ts'
import { visibleTo } from '#features/moderation/visibility.server.ts'

/** What lucia passes on of a session's account. */
export interface AccountAttributes {
  email: string | null
  /** Null until the first load creates it. */
  profile: { alias: string; emoji: string; verified: boolean } | null
}

/**
 * By the primary keys of four tables. An account that waits for its deletion has no sessions but for that (leaving-session.server.ts).
 */
const selectSessionAndUser = prepareQuery((db, { id }: { id: string }) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .leftJoin('profiles', 'profiles.id', 'sessions.user_id')
    .where(visibleTo(null, 'presence').of('sessions.user_id'))
    .selectAll('sessions')
    .select(['users.email', 'profiles.alias', 'profiles.emoji', 'profiles.verified'])
    .where('sessions.id', '=', id),
)

/** lucia counts in milliseconds, the table in whole seconds. */
const toSeconds = (date: Date): number => Math.floor(date.getTime() / 1000)

const toSession = ({ id, user_id, expires_at, ...row }: Selectable<SessionsTable>): DatabaseSession => {
  const { created_at, device, public_id, proved_at, proved_by } = row
  return {
    id,
    userId: user_id,
    expiresAt: new Date(expires_at * 1000),
    attributes: { created_at, device, public_id, proved_at, proved_by },
  }
}

/** Writes in the transaction that lucia was opened with, or in one of its own. */
const write = <T>(db: Db, action: (trx: Trx) => Promise<T>): Promise<T> =>
  db.isTransaction ? action(db as Trx) : transact(db, action)

/** Reads and writes lucia's sessions through Kysely, so that its rows never join another caller's transaction. */
export const createSessionAdapter = (db: Db): Adapter => ({
  /** In one statement, since each request of a member pays for it. */
  async getSessionAndUser(sessionId) {
    const [row] = await selectSessionAndUser(db, { id: sessionId })
    if (!row) return [null, null]
    const { user_id: id, email, alias, emoji, verified } = row
    const profile = alias === null ? null : { alias, emoji: emoji!, verified: verified === 1 }
    return [toSession(row), { id, attributes: { email, profile } }]
  },
  async getUserSessions(userId) {
    const rows = await db.selectFrom('sessions').selectAll().where('user_id', '=', userId).execute()
    return rows.map(toSession)
  },
  async setSession({ id, userId, expiresAt, attributes }) {
    await write(db, (trx) =>
      trx
        .insertInto('sessions')
        .values({ id, user_id: userId, expires_at: toSeconds(expiresAt), ...attributes })
        .execute(),
    )
  },
  async updateSessionExpiration(sessionId, expiresAt) {
    await write(db, (trx) =>
      trx
        .updateTable('sessions')
        .set({ expires_at: toSeconds(expiresAt) })
        .where('id', '=', sessionId)
        .execute(),
    )
  },
  async deleteSession(sessionId) {
    await write(db, (trx) => trx.deleteFrom('sessions').where('id', '=', sessionId).execute())
  },
  async deleteUserSessions(userId) {
    await write(db, (trx) => trx.deleteFrom('sessions').where('user_id', '=', userId).execute())
  },
  async deleteExpiredSessions() {
    await write(db, (trx) => trx.deleteFrom('sessions').where('expires_at', '<=', toSeconds(new Date())).execute())
  },
})
