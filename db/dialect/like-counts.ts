import { type AnyDb, dialectOf } from './dialect.ts'

/** Adds what a statement has changed of `dog_likes` to a count of another table, whose rows it locks in the order of their ids. */
const addCounts = (table: 'dogs' | 'profiles', count: string, column: string, sign: '+' | '-') => `
  PERFORM FROM ${table} WHERE id IN (SELECT ${column} FROM changed) ORDER BY id FOR NO KEY UPDATE;
  UPDATE ${table} SET ${count} = ${count} ${sign} given.likes
    FROM (SELECT ${column}, count(*) AS likes FROM changed GROUP BY ${column}) AS given WHERE id = given.${column};`

const perStatement = (name: string, event: string, transition: 'NEW' | 'OLD', sign: '+' | '-') => [
  `DROP TRIGGER ${name} ON dog_likes`,
  `CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    ${addCounts('dogs', 'votes', 'dog_id', sign)} ${addCounts('profiles', 'likes_count', 'user_id', sign)}
    RETURN NULL; END $$`,
  `CREATE TRIGGER ${name} AFTER ${event} ON dog_likes REFERENCING ${transition} TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION ${name}()`,
]

/**
 * Statements after which PostgreSQL counts the likes of a statement together, instead of each by updates of its own: `dogs` has some thirty
 * indexes, which each update opens. SQLite has no triggers of statements, and opens only the indexes that change.
 */
export function listLikeCountStatements(db: AnyDb): string[] {
  if (dialectOf(db) === 'sqlite') return []
  return [
    ...perStatement('dog_likes_added', 'INSERT', 'NEW', '+'),
    ...perStatement('dog_likes_removed', 'DELETE', 'OLD', '-'),
  ]
}
