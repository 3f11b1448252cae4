import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeBackup } from '#features/maintenance/backup.server.ts'
import { runChecks, runRepairs } from '#features/maintenance/doctor/doctor.server.ts'
import type { Finding } from '#features/maintenance/doctor/finding.ts'
import { restoreBackup } from '#features/maintenance/restore.server.ts'
import { freshPostgresDb, postgresUrlOf } from '#tests/support/postgres/databases.ts'
import type { DataDir } from './data-dir.ts'
import { suite } from '#tests/support/suites.ts'

interface World {
  /** Photos and files in a folder, rows in a PostgreSQL. */
  data: DataDir
  url: string
  check: () => Promise<Finding[]>
  repair: () => Promise<string[]>
  backUp: () => ReturnType<typeof makeBackup>
  restore: (backup: string) => ReturnType<typeof restoreBackup>
}

/** A suite whose tests each have data of their own with its database in PostgreSQL, where no server runs. */
export function postgresDataSuite(name: string) {
  const tests = suite<World>(name)
  tests.before.each(async (t) => {
    const root = mkdtempSync(join(tmpdir(), 'perrario-maintenance-'))
    const db = freshPostgresDb({ applicationName: 'test' })
    await db.selectFrom('totals').select('value').execute()
    t.data = {
      dir: join(root, 'var'),
      backupDir: join(root, 'copias'),
      db,
      close: async () => {},
      open: async () => {},
      dispose: async () => {
        await db.destroy()
        rmSync(root, { recursive: true, force: true })
      },
    }
    mkdirSync(join(t.data.dir, 'photos'), { recursive: true, mode: 0o700 })
    t.url = await postgresUrlOf(db)
    const options = { dataDir: t.data.dir, databaseUrl: t.url, backupDir: t.data.backupDir }
    t.check = () => runChecks({ ...options, backups: { daily: 7, weekly: 4, monthly: 6 } })
    t.repair = () => runRepairs(options)
    t.backUp = () => makeBackup(options)
    t.restore = (backup) => restoreBackup({ ...options, backup })
  })
  tests.after.each((t) => t.data?.dispose())
  return tests
}
