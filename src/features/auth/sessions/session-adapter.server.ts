import type { Adapter, DatabaseSession } from 'lucia'
import type { Selectable } from 'kysely'
import type { Db } from '#db/client.ts'
import { isSharedByNodes } from '#db/dialect/dialect.ts'
import { inJsonTexts } from '#db/dialect/expressions.ts'
import { RequestBatcher, type WaitingCall } from '#db/request-batcher.ts'
import { prepareQuery } from '#db/prepared.ts'
import type { SessionsTable } from '#db/tables/accounts.ts'

/** What lucia passes on of a session's account. */
export interface AccountAttributes {
  email: string | null
  /** Null until the first load creates it. */
  profile: { alias: string; emoji: string; verified: boolean } | null
}

/**
 * By the primary keys of four tables. An account that waits for its deletion has no sessions but for that (leaving-session.server.ts).
 * @param ids JSON
 */
const selectSessionsAndUsers = prepareQuery((db, { ids }: { ids: string }) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .leftJoin('profiles', 'profiles.id', 'sessions.user_id')
    .leftJoin('account_deletions', 'account_deletions.user_id', 'sessions.user_id')
    .where('account_deletions.user_id', 'is', null)
    .selectAll('sessions')
    .select(['users.email', 'profiles.alias', 'profiles.emoji', 'profiles.verified'])
    .where(inJsonTexts(db, 'sessions.id', ids)),
)

type SessionAndUser = Awaited<ReturnType<typeof selectSessionsAndUsers>>[number]

async function findSessions(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, SessionAndUser>> {
  const rows = await selectSessionsAndUsers(db, { ids: JSON.stringify([...new Set(ids)]) })
  return new Map(rows.map((row) => [row.id, row]))
}

/** Sessions of one statement. */
const BATCH_MAX = 64
/** Statements at a time: one whose connection hangs holds up few others. */
const CONCURRENT_BATCHES = 4
/** As long as a statement waits for a connection. */
const TIMEOUT_MS = 10_000

type SessionCalls = RequestBatcher<string, SessionAndUser | undefined>
const batchers = new WeakMap<Db, SessionCalls>()

/**
 * Requests that come in the same moment look up their sessions in one statement: with PostgreSQL each member's request has one, and waking it
 * takes the longest of what it costs.
 */
async function findSession(db: Db, id: string): Promise<SessionAndUser | undefined> {
  if (!isSharedByNodes(db)) return (await findSessions(db, [id])).get(id)
  let calls = batchers.get(db)
  if (!calls) {
    const run = async (waiting: readonly WaitingCall<string, SessionAndUser | undefined>[]) => {
      const found = await findSessions(
        db,
        waiting.map(({ input }) => input),
      )
      for (const { input, resolve } of waiting) resolve(found.get(input))
    }
    calls = new RequestBatcher({ max: BATCH_MAX, concurrency: CONCURRENT_BATCHES, timeoutMs: TIMEOUT_MS, run })
    batchers.set(db, calls)
  }
  return calls.call(id)
}

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

/** Reads and writes lucia's sessions through Kysely, so that its rows wait for, and never join, another caller's transaction. */
export const createSessionAdapter = (db: Db): Adapter => ({
  /** In one statement, since each request of a member pays for it. */
  async getSessionAndUser(sessionId) {
    const row = await findSession(db, sessionId)
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
    await db
      .insertInto('sessions')
      .values({ id, user_id: userId, expires_at: toSeconds(expiresAt), ...attributes })
      .execute()
  },
  async updateSessionExpiration(sessionId, expiresAt) {
    await db
      .updateTable('sessions')
      .set({ expires_at: toSeconds(expiresAt) })
      .where('id', '=', sessionId)
      .execute()
  },
  async deleteSession(sessionId) {
    await db.deleteFrom('sessions').where('id', '=', sessionId).execute()
  },
  async deleteUserSessions(userId) {
    await db.deleteFrom('sessions').where('user_id', '=', userId).execute()
  },
  async deleteExpiredSessions() {
    await db.deleteFrom('sessions').where('expires_at', '<=', toSeconds(new Date())).execute()
  },
})
