import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeFileAtomically, makeFolder } from '#features/storage/files.server.ts'
import { errorCode } from '#lib/error-code.ts'
import { mountTestDisk } from '#tests/support/faults/test-disk.ts'
import { migratedSnapshot } from '#tests/support/migrated-snapshot.ts'
import { runCommand } from '#tests/support/operator-command.ts'
import { assert, suite } from '#tests/support/suites.ts'

// The operator's commands on a disk that takes nothing: one Spanish line, and nothing is changed.
const admin = suite('unit/maintenance/admin-disk')

const COMMANDS = [
  ['verify', 'Ana'],
  ['link', 'ana@ejemplo.es'],
  ['mail', 'ana@ejemplo.es'],
  ['sign-out-all'],
  ['readmit', 'ana@ejemplo.es'],
] as const

const mounted = mountTestDisk(64)
if ('missing' in mounted) {
  const { missing } = mounted
  admin('is skipped, because no disk can be created', () => {
    console.log(`SKIPPED: commands on a full disk (${missing})`)
    assert.match(missing, /^(mkfs\.ext4 -q -F|mount -o loop) /, 'no other reason')
  })
} else {
  const dataDir = join(mounted.dir, 'var')
  const explain = async (reason: RegExp) => {
    for (const words of COMMANDS) {
      const { code, output } = await runCommand('admin', words, { DATA_DIR: dataDir })
      assert.is(code, 1, `${words[0]}: ${output}`)
      assert.match(output, reason, words[0])
    }
  }

  admin('a full disk and a read-only one are explained in Spanish', async () => {
    mkdirSync(dataDir)
    writeFileSync(join(dataDir, 'perrario.db'), await migratedSnapshot())
    const makeRoom = mounted.fill()
    await explain(
      /^perrario · (?:no se pu\S+|el mensaje no se pudo escribir)[^:]*: (?:no queda sitio en el disco|el disco está lleno o no responde bien) \((?:ENOSPC|SQLITE_\w+)\)\.\n$/,
    )
    makeRoom()
    for (const name of readdirSync(dataDir)) if (/-(wal|shm)$/.test(name)) rmSync(join(dataDir, name))
    const unlock = mounted.lock(dataDir)
    try {
      await explain(
        /^perrario · (?:no se pu\S+|el mensaje no se pudo escribir)[^:]*: (?:el disco es de solo lectura|no se puede abrir|el disco está lleno o no responde bien) \((?:EROFS|SQLITE_\w+)\)\.\n$/,
      )
    } finally {
      unlock()
    }
  })

  admin('a folder that cannot be created on a read-only disk has the disk’s reason', async () => {
    const unlock = mounted.lock(mounted.dir)
    try {
      const code = (making: Promise<unknown>) =>
        making.then(
          () => 'made',
          (error: unknown) => errorCode(error),
        )
      for (const path of ['a', 'a/b', 'a/b/c'])
        assert.is(await code(makeFolder(join(mounted.dir, path))), 'EROFS', path)
      assert.is(await code(writeFileAtomically(join(mounted.dir, 'a/b/c'), Buffer.from('x'))), 'EROFS')
    } finally {
      unlock()
    }
    assert.is(await makeFolder(join(mounted.dir, 'a/b/c'), 0o700), join(mounted.dir, 'a'))
    assert.is(await makeFolder(join(mounted.dir, 'a/b/c')), undefined)
  })

  admin.after(() => mounted.dispose())
}
