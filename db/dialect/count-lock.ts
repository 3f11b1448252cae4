import { type AnyDb, dialectOf } from './dialect.ts'

/** What changes a count that many transactions change: tallies, hours, the ranking, totals. */
const COUNTED_EVENTS = [
  'INSERT OR DELETE ON dog_likes',
  'INSERT OR DELETE OR UPDATE OF breed_slug, size, votes, province ON dogs',
  'INSERT OR DELETE OR UPDATE OF dogs_count, likes_count ON profiles',
]

/**
 * Statements after which transactions that change counts pass their last moment, in which PostgreSQL runs the triggers of counts, one after
 * another. Each then changes the rows of the counts in an order of its own, and two that meet would wait for each other. SQLite has one writer.
 */
export function listCountLockStatements(db: AnyDb): string[] {
  if (dialectOf(db) === 'sqlite') return []
  return [
    `CREATE FUNCTION lock_counts() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_advisory_xact_lock(hashtextextended('counts', 0)); RETURN NULL; END $$`,
    // Triggers of a row run in the order of their names: before all others.
    ...COUNTED_EVENTS.map(
      (event) => `CREATE CONSTRAINT TRIGGER a_counts_locked AFTER ${event}
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION lock_counts()`,
    ),
  ]
}
