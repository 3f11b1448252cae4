import type Database from 'better-sqlite3'
import { migrations } from './migrations/index.ts'

/**
 * Earlier names of migrations with today's, in the order in which they run. Databases and backups remember a migration by
 * the name under which it ran, so a name that has landed changes only together with a row here.
 */
const RENAMED_MIGRATIONS: ReadonlyMap<string, string> = new Map([
  ['2026-11-20-tables', '2026-11-20-1643-tables'],
  ['2026-11-20-z-counts', '2026-11-20-1644-counts'],
  ['2026-11-20-zz-breed-overrides', '2026-11-20-1721-breed-overrides'],
  ['2026-11-20-zz-figure-indexes', '2026-11-20-1731-weight-age-indexes'],
  ['2026-11-21-admin-lists', '2026-11-21-1745-admin-lists'],
  ['2026-11-21-events', '2026-11-21-1746-events'],
  ['2026-11-21-map-changes', '2026-11-21-1747-dogs-updated-index'],
  ['2026-11-21-ownership-requests', '2026-11-21-1805-ownership-requests'],
  ['2026-11-21-ranking-counts', '2026-11-21-1806-ranking-counts'],
  ['2026-11-21-session-devices', '2026-11-21-1807-session-devices'],
  ['2026-11-21-zz-geocodes', '2026-11-21-1934-geocodes'],
  ['2026-11-22-push', '2026-11-21-2132-push'],
  ['2026-11-22-push-digests', '2026-11-21-2151-weekly-digests'],
  ['2026-11-23-photo-blurs', '2026-11-22-0439-photo-blurs'],
  ['2026-11-23-trust', '2026-11-22-0440-moderation'],
  ['2026-11-24-sitemap', '2026-11-22-0858-sitemap'],
  ['2026-11-24-z-dog-provinces', '2026-11-22-0910-dog-provinces'],
  ['2026-11-25-words', '2026-11-22-0912-name-words'],
  ['2026-11-25-z-alts', '2026-11-22-1035-photo-alts'],
  ['2026-11-26-sign-ins', '2026-11-22-1646-sign-ins'],
  ['2026-11-27-event-subjects', '2026-11-22-1647-event-subjects'],
  ['2026-11-28-door-numbers', '2026-11-22-1724-house-numbers'],
  ['2026-11-28-like-bundles', '2026-11-22-1730-grouped-likes'],
  ['2026-11-29-whole-kilograms', '2026-11-22-1754-kilogram-indexes'],
  ['2026-11-30-photo-moves', '2026-11-22-1946-photo-moves'],
  ['2026-11-30-z-ban-digests', '2026-11-22-2006-ban-digests'],
  ['2026-11-30-zz-daily-budgets', '2026-11-22-2007-daily-budgets'],
  ['2026-12-01-like-hours', '2026-11-22-2039-like-hours'],
  ['2026-12-02-account-erasures', '2026-11-23-0120-account-erasures'],
])

/** Today's name of a migration that may have run under an earlier one. */
export const currentMigrationName = (name: string): string => RENAMED_MIGRATIONS.get(name) ?? name

/** False for a migration of a newer version of the program. */
export const isKnownMigration = (name: string): boolean => Object.hasOwn(migrations, currentMigrationName(name))

/** The migrations that ran in a database, in order and by today's names. Empty where none ever did. */
export function listExecutedMigrations(sqlite: Database.Database): string[] {
  return readExecutedNames(sqlite).map(currentMigrationName)
}

/**
 * Renames the migrations that a database remembers under earlier names: Kysely refuses a database whose names it does not
 * find in its list. All or none, and nothing is written where every name is today's.
 */
export function renameExecutedMigrations(sqlite: Database.Database): void {
  const renamed = readExecutedNames(sqlite).filter((name) => RENAMED_MIGRATIONS.has(name))
  if (renamed.length === 0) return
  const rename = sqlite.prepare('UPDATE kysely_migration SET name = ? WHERE name = ?')
  sqlite.transaction(() => {
    for (const name of renamed) rename.run(currentMigrationName(name), name)
  })()
}

function readExecutedNames(sqlite: Database.Database): string[] {
  const isMigrated = sqlite.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'kysely_migration'`).get()
  if (!isMigrated) return []
  return sqlite.prepare('SELECT name FROM kysely_migration ORDER BY name').pluck().all() as string[]
}
