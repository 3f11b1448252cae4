import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeBackup } from '#features/maintenance/backup.server.ts'
import { checkBackups } from '#features/maintenance/doctor/check-backups.server.ts'
import { freeSpace } from '#features/maintenance/files.server.ts'
import { mountTestDisk } from '#tests/support/faults/test-disk.ts'
import { backupSuite, operatorErrorOf } from '#tests/support/maintenance/backup-suite.ts'
import { assert, pluck } from '#tests/support/suites.ts'

const backups = backupSuite('unit/maintenance/backup-space')
const mounted = mountTestDisk(160)

if ('missing' in mounted) {
  const { missing } = mounted
  backups('is skipped, because no disk can be created', () => {
    console.log(`SKIPPED: a disk for backups (${missing})`)
    assert.match(missing, /^(mkfs\.ext4 -q -F|mount -o loop) /, 'no other reason')
  })
} else {
  backups('the doctor announces that the next backup does not fit where that backup is refused', async ({ data }) => {
    const backupDir = join(mounted.dir, 'backups')
    const backUp = () => makeBackup({ dataDir: data.dir, backupDir })
    await backUp()
    const filler = join(mounted.dir, 'filler')
    for (const [freeMb, fits] of [
      [100, true],
      [60, false],
      [20, false],
      [1, false],
    ] as const) {
      rmSync(filler, { force: true })
      writeFileSync(filler, Buffer.alloc((await freeSpace(mounted.dir)) - freeMb * 1_000_000, 1), { flush: true })
      const findings = await checkBackups(backupDir, null, Date.now())
      const announced = findings.filter(({ detail }) => detail.startsWith('la próxima no cabe: hacen falta '))
      assert.equal(pluck(announced, 'level'), fits ? [] : ['error'], `${freeMb} MB`)
      if (fits) await backUp()
      else assert.match(await operatorErrorOf(backUp()), /^no queda sitio para la copia en /)
    }
  })
  backups.after(() => mounted.dispose())
}
