import { listFiles, readSource } from '#tests/support/sources.ts'
import { assert, suite } from '#tests/support/suites.ts'

// A rolling update: the first node of a new version migrates the database while nodes of the version before still use it.

const guard = suite('migrations')

/** Migrations from before sites could have several nodes. */
const BEFORE_NODES = '2026-11-24-0136'
/** Migrations that take away what the version named, or one before it, stopped using. */
const REMOVALS: Record<string, string> = {
  '2026-11-28-2106-request-answers': 'rebuilds a table on SQLite, which no nodes share, with all its columns',
  '2026-11-29-1730-changes-in-order': 'runs only while no node does (`isServed`)',
  '2026-11-29-2140-hidden-content': 'the same',
  '2026-11-29-2230-hidden-profiles': 'the same',
  '2026-11-30-0010-hidden-dogs': 'the same',
  '2026-11-30-0011-returned-dogs': 'the same',
  '2026-11-30-0020-notifications-of-leaving': 'the same',
  '2026-11-30-0030-hidden-sightings': 'the same',
  '2026-11-30-0040-secrets': 'the same',
  '2026-11-30-0050-jobs': 'the same',
  '2026-11-30-0200-more-jobs': 'the same',
  '2026-11-30-0500-limits-by-node': 'the same',
  '2026-11-30-0510-events-without-content': 'the same',
  '2026-11-30-0600-devices': 'the same',
}
/** What a statement of an older version may miss or trip over. An index is nobody's to miss. */
const TAKES_AWAY =
  /\b(dropTable|dropColumn|renameTo|renameColumn|alterColumn|dropConstraint|setNotNull)\b|\b(DROP\s+(TABLE|COLUMN|CONSTRAINT|VIEW)|RENAME\s+(TO|COLUMN)|SET\s+NOT\s+NULL)\b/i

guard('a migration takes nothing away from nodes of the version before', () => {
  const files = listFiles(['db/migrations'], ['.ts']).filter((file) => /\/\d{4}-[\d-]+[a-z-]+\.ts$/.test(file))
  assert.ok(files.length > 20)
  const faults = files.filter((file) => {
    const name = file.slice(file.lastIndexOf('/') + 1).replace('.ts', '')
    return name > BEFORE_NODES && !Object.hasOwn(REMOVALS, name) && TAKES_AWAY.test(readSource(file))
  })
  assert.equal(faults, [])
})

guard('the pattern finds what takes away', () => {
  for (const statement of [
    'ALTER TABLE dogs DROP COLUMN zone',
    'drop table held',
    'ALTER TABLE dogs RENAME TO perros',
    'db.schema.dropTable("x")',
    'ALTER TABLE dogs ALTER COLUMN zone SET NOT NULL',
  ])
    assert.match(statement, TAKES_AWAY)
  assert.not.match('DROP INDEX dogs_updated; DROP TRIGGER x; ALTER TABLE dogs ADD COLUMN y', TAKES_AWAY)
})
