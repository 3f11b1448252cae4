import { makeBackup } from '#features/maintenance/backup.server.ts'
import { MaintenanceError } from '#features/maintenance/maintenance.ts'
import { restoreBackup } from '#features/maintenance/restore.server.ts'
import { type DataDir, makeDataDir } from './data-dir.ts'
import { assert, suite } from '#tests/support/suites.ts'

export const DAY_MS = 86_400_000
export const NOW = Date.UTC(2026, 10, 23, 3, 0, 0)

interface World {
  data: DataDir
  backUp: (now?: number) => ReturnType<typeof makeBackup>
  restore: (backup: string) => ReturnType<typeof restoreBackup>
}

/** The message for the operator of the MaintenanceError that `action` rejects with. */
export async function operatorErrorOf(action: Promise<unknown>): Promise<string> {
  try {
    await action
  } catch (error) {
    assert.instance(error, MaintenanceError)
    return (error as Error).message
  }
  throw new Error('it was not refused')
}

/** A suite whose tests each have data of their own, and backups of it. */
export function backupSuite(name: string) {
  const backups = suite<World>(name)
  backups.before.each(async (t) => {
    t.data = await makeDataDir()
    const { dir: dataDir, backupDir } = t.data
    t.backUp = (now = NOW) => makeBackup({ dataDir, backupDir, now })
    t.restore = (backup) => restoreBackup({ dataDir, backup, now: NOW })
  })
  backups.after.each((t) => t.data.dispose())
  return backups
}
