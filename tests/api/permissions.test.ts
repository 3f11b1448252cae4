import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runCommand } from '#tests/support/operator-command.ts'
import { type DataDir, addDogWithPhotos, makeDataDir } from '#tests/support/maintenance/data-dir.ts'
import { giveToNobody } from '#tests/support/nobody.ts'
import { startBucket } from '#tests/support/storage/bucket.ts'
import { assert, suite } from '#tests/support/suites.ts'

// What may not be read is neither lost nor damaged: the operator's programs say which permission is missing, and change nothing.

interface World {
  data: DataDir
  run: (name: string, ...words: string[]) => Promise<{ code: number | null; output: string }>
}
const permissions = suite<World>('api/permissions')

permissions.before.each(async (t) => {
  t.data = await makeDataDir()
  await addDogWithPhotos(t.data, 2)
  await t.data.close()
  const env = { DATA_DIR: t.data.dir, BACKUP_DIR: t.data.backupDir }
  t.run = (name, ...words) => runCommand(name, words, env, ['--import', './tests/support/as-nobody.ts'])
  giveToNobody(dirname(t.data.dir))
  const { code, output } = await t.run('backup')
  assert.is(code, 0, output)
})
permissions.after.each((t) => {
  chmodSync(t.data.dir, 0o700)
  return t.data.dispose()
})

const WRONG =
  /restaura la|no hay base de datos|no hay ning|todavía no hay|dañad|faltan|no es una base|at .*\(.*:\d+:\d+\)/

const says = (output: string, path: string) => {
  assert.ok(output.includes(`falta permiso en ${path} (EACCES): usa el usuario del sitio, o dale permiso`), output)
  assert.not.match(output, WRONG)
}

const PROGRAMS: string[][] = [['doctor'], ['doctor', '--repair'], ['backup'], ['admin', 'verify', 'Ana']]

/** What is barred, by its place in DATA_DIR, and the programs that work on it. */
const BARRED: [name: string, programs: string[][]][] = [
  ['', PROGRAMS],
  ['perrario.db', PROGRAMS],
  ['photos', PROGRAMS.slice(0, 3)],
]

for (const [name, programs] of BARRED)
  permissions(
    `backup, restore, doctor and admin report ${name || 'the data folder'} when it is unreadable, and change nothing`,
    async ({ data, run }) => {
      const path = join(data.dir, name)
      chmodSync(path, 0)
      const copies = readdirSync(data.backupDir).filter((copy) => /^\d/.test(copy))
      await Promise.all(
        programs.map(async ([program, ...words]) => {
          const { code, output } = await run(program!, ...words)
          assert.is(code, 1, `${program}: ${output}`)
          says(output, path)
        }),
      )
      chmodSync(path, name === 'perrario.db' ? 0o600 : 0o700)
      assert.equal(
        readdirSync(data.backupDir).filter((copy) => /^\d/.test(copy)),
        copies,
        'no backup without what may not be read',
      )
      assert.not.ok(existsSync(join(data.dir, 'lost')))
      const { output } = await run('doctor')
      assert.match(output, /^ok +fotos +2 fotos, que están en el disco$/m)
      assert.not.match(output, /^error +(?! |última copia)/m)
    },
  )

permissions('a move of photos reports what may not be read, in both directions', async ({ data }) => {
  const bucket = await startBucket()
  const parent = dirname(data.dir)
  try {
    for (const [barred, start] of [
      [data.dir, 'perrario · falta'],
      [parent, 'perrario · falta'],
      [join(data.dir, 'photos'), 'perrario · la mudanza se ha cortado: falta'],
    ] as const) {
      chmodSync(barred, 0)
      for (const word of ['--to-bucket', '--from-bucket']) {
        const env = { DATA_DIR: data.dir, ...bucket.env }
        const { code, output } = await runCommand('move', [word], env, ['--import', './tests/support/as-nobody.ts'])
        assert.is(code, 1, output)
        assert.match(output, /^[^\n]+\n$/)
        assert.ok(output.startsWith(start), output)
        says(output, barred)
      }
      chmodSync(barred, 0o700)
    }
  } finally {
    chmodSync(parent, 0o700)
    await bucket.dispose()
  }
})

permissions('doctor reports a data folder that is not writable', async ({ data, run }) => {
  chmodSync(data.dir, 0o500)
  const { code, output } = await run('doctor')
  assert.is(code, 1, output)
  says(output, data.dir)
})

permissions('an unreadable lock is not taken for a running site', async ({ data, run }) => {
  await run('doctor')
  chmodSync(join(data.dir, '.in-use'), 0)
  const { output } = await run('doctor')
  assert.match(output, /^aviso +sitio +no se sabe si está en marcha: falta permiso en \S+\.in-use .*$/m)
  assert.not.match(output, /^ok +sitio/m)
})

permissions('a lock taken by root belongs to the folder’s owner, who can take it next', async ({ data, run }) => {
  const folders = [data.dir, data.backupDir]
  const locks = [join(data.dir, '.in-use'), join(data.backupDir, '.lock')]
  for (const path of locks) rmSync(path, { force: true })
  rmSync(data.backupDir, { recursive: true })
  const env = { DATA_DIR: data.dir, BACKUP_DIR: data.backupDir }
  for (const program of ['doctor', 'backup']) {
    const { code, output } = await runCommand(program, [], env)
    assert.is(code, 0, output)
  }
  const { uid } = statSync(data.dir)
  assert.equal(
    [...folders, ...locks].map((path) => [path, statSync(path).uid]),
    [...folders, ...locks].map((path) => [path, uid]),
  )
  assert.match((await run('doctor')).output, /^ok +sitio +parado$/m)
})

permissions('backup and restore report an unreadable backup folder', async ({ data, run }) => {
  const [copy] = readdirSync(data.backupDir).filter((name) => /^\d/.test(name))
  chmodSync(data.backupDir, 0)
  try {
    for (const [program, ...words] of [['doctor'], ['backup'], ['restore', copy!]]) {
      const { code, output } = await run(program!, ...words)
      assert.is(code, 1, `${program}: ${output}`)
      says(output, data.backupDir)
    }
  } finally {
    chmodSync(data.backupDir, 0o700)
  }
})

permissions('doctor still reports a missing database as missing', async ({ data }) => {
  const empty = join(dirname(data.dir), 'nada')
  mkdirSync(empty)
  assert.match((await runCommand('doctor', [], { DATA_DIR: empty })).output, /^perrario · no hay base de datos en /)
})
