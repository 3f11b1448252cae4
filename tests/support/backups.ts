import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { makeBackup } from '#features/care/backup.server.ts'
import { CareError } from '#features/care/care.ts'
import { restoreBackup } from '#features/care/restore.server.ts'
import { type DataDir, makeDataDir } from './data-dir.ts'

export const DAY = 86_400_000
export const NOW = Date.UTC(2026, 10, 23, 3, 0, 0)

interface World {
  data: DataDir
  back: (now?: number) => ReturnType<typeof makeBackup>
  restore: (backup: string) => ReturnType<typeof restoreBackup>
}

/** What the operator reads when it does not work. */
export async function refusal(deed: Promise<unknown>): Promise<string> {
  try {
    await deed
  } catch (error) {
    assert.instance(error, CareError)
    return (error as Error).message
  }
  throw new Error('it should have been refused')
}

/** A suite whose tests each have data of their own, and backups of it. */
export function backupSuite(name: string) {
  const backups = suite<World>(name)
  backups.before.each(async (t) => {
    t.data = await makeDataDir()
    const { dir: dataDir, backupDir } = t.data
    t.back = (now = NOW) => makeBackup({ dataDir, backupDir, now })
    t.restore = (backup) => restoreBackup({ dataDir, backup, now: NOW })
  })
  backups.after.each((t) => t.data.dispose())
  return backups
}
