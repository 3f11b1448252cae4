import type { Db } from '#db/client.ts'
import { readPostgresHealth } from '#db/dialect/postgres/health.ts'
import { readContents } from '#features/maintenance/database-contents.server.ts'
import { formatPlural } from '#features/maintenance/maintenance.ts'
import { isMoveUnfinished } from '#features/maintenance/move/move-rows.server.ts'
import { checkMigratedRows, formatRowCount } from './check-database.server.ts'
import { failure, type Finding, formatSome, ok } from './finding.ts'

/** Checks a PostgreSQL database: rights, moves, references, migrations, and the counts that triggers maintain. Pages and indexes are its own. */
export async function checkPostgres(db: Db): Promise<Finding[]> {
  const { version, forbiddenTables, tablesWithDisabledTriggers, uncheckedReferences } = await readPostgresHealth(db)
  if (forbiddenTables.length > 0)
    return [
      failure(
        'base de datos',
        `PostgreSQL ${version}: al usuario le faltan permisos en ${formatPlural(forbiddenTables.length, 'tabla', 'tablas')} (${formatSome(forbiddenTables)})`,
      ),
    ]
  if (await isMoveUnfinished(db))
    return [
      failure('base de datos', `PostgreSQL ${version}: una mudanza se quedó a medias: repite npm run move -- --to`),
    ]
  const { rows, migrations } = await readContents(db)
  if (migrations.length === 0)
    return [
      failure('base de datos', `PostgreSQL ${version}: está vacía: arranca antes el sitio, o npm run move -- --to`),
    ]
  return [
    ok('base de datos', `PostgreSQL ${version}, ${formatRowCount(rows)}`),
    uncheckedReferences.length > 0
      ? failure(
          'referencias',
          `PostgreSQL no las ha comprobado: ${formatSome(uncheckedReferences)} (VALIDATE CONSTRAINT)`,
        )
      : ok('referencias', 'PostgreSQL las comprueba'),
    ...(tablesWithDisabledTriggers.length > 0
      ? [
          failure(
            'disparadores',
            `apagados en ${formatPlural(tablesWithDisabledTriggers.length, 'tabla', 'tablas')} (${formatSome(tablesWithDisabledTriggers)}): ALTER TABLE … ENABLE TRIGGER ALL`,
          ),
        ]
      : []),
    ...(await checkMigratedRows(db, migrations)),
  ]
}
