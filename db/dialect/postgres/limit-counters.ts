import { sql } from 'kysely'
import type { AnyDb } from '../dialect.ts'

// Counters that all nodes of a PostgreSQL share, in an unlogged table: a crash of the server forgets them, as a restart forgets memory. Every
// time is the database's, since the clocks of the nodes may differ. They are no data and are written beside the one writer, each by one
// statement: a transaction that takes a point would wait for itself.

export interface Take {
  /** What identifies the limit and its caller: a keyed hash. */
  key: Buffer
  name: string
  cost: number
  /** What the caller has in a window. */
  points: number
  seconds: number
}

/** Takes points, all of `cost` or none, and deletes counters whose window is over. @returns `msLeft`: until the window's end */
export async function takeSharedPoints(
  db: AnyDb,
  { key, name, cost, points, seconds }: Take,
): Promise<{ isTaken: boolean; msLeft: number }> {
  // Others may delete the same ones.
  await sql`DELETE FROM node_counters WHERE key IN (
    SELECT key FROM node_counters WHERE expires_at <= now() FOR UPDATE SKIP LOCKED)`.execute(db)
  const { rows } = await sql<{ isTaken: boolean; msLeft: number | null }>`
    WITH taken AS (
      INSERT INTO node_counters AS c (key, name, points, expires_at)
      SELECT ${key}, ${name}, ${cost}, now() + ${seconds} * interval '1 second' WHERE ${cost}::bigint <= ${points}
      ON CONFLICT (key) DO UPDATE SET
        points = CASE WHEN c.expires_at <= now() THEN excluded.points ELSE c.points + excluded.points END,
        expires_at = CASE WHEN c.expires_at <= now() THEN excluded.expires_at ELSE c.expires_at END
      WHERE c.expires_at <= now() OR c.points + excluded.points <= ${points}
      RETURNING expires_at)
    SELECT taken.expires_at IS NOT NULL AS "isTaken",
      ceil(extract(epoch FROM coalesce(taken.expires_at, before.expires_at) - now()) * 1000)::bigint AS "msLeft"
    FROM (SELECT 1) AS one LEFT JOIN taken ON true LEFT JOIN node_counters AS before ON before.key = ${key}`.execute(db)
  const [row] = rows
  return { isTaken: row?.isTaken ?? false, msLeft: row?.msLeft ?? seconds * 1000 }
}

/** Gives points back, unless their window is over. */
export const giveBackSharedPoints = (db: AnyDb, { key, cost }: Pick<Take, 'key' | 'cost'>) =>
  sql`UPDATE node_counters SET points = points - ${cost} WHERE key = ${key} AND expires_at > now()`.execute(db)
