import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { makeBackup } from '#features/maintenance/backup.server.ts'
import { lockDataShared } from '#features/maintenance/lock.server.ts'
import { DAY_MS } from '#tests/support/maintenance/backup-suite.ts'
import { ageFile, addDogWithPhotos, hashFiles, photoFiles } from '#tests/support/maintenance/data-dir.ts'
import { doctorSuite, findProblems } from '#tests/support/maintenance/doctor-suite.ts'
import { assert, assertNone } from '#tests/support/suites.ts'

const doctor = doctorSuite('unit/maintenance/doctor-photos')

doctor('unreferenced photos are moved aside, unless an upload may be under way', async ({ data, check, repair }) => {
  const toby = await addDogWithPhotos(data, 1)
  const name = (end: string) => `${toby.id}_1700000000001_${end}.jpg`
  const writePhoto = (end: string, hours: number) => {
    writeFileSync(join(data.dir, 'photos', name(end)), 'una foto')
    ageFile(join(data.dir, 'photos', name(end)), hours)
  }
  writePhoto('aaaaaaaa', 2)
  writePhoto('bbbbbbbb', 0.5)
  writeFileSync(join(data.dir, 'photos', `${name('cccccccc')}.1234abcd.part`), 'media foto')
  mkdirSync(join(data.dir, 'cache', 'photos', name('aaaaaaaa')), { recursive: true })
  assert.ok(lockDataShared(data.dir, 0), 'a server is running')
  assert.equal(findProblems(await check()).slice(0, 2), [
    `aviso fotos sueltas: 1 archivo que nadie nombra (${name('aaaaaaaa')})`,
    'aviso copias: todavía no hay ninguna en ' + data.backupDir + ': npm run backup',
  ])
  assert.equal(await repair(), [`1 foto suelta apartada en ${join(data.dir, 'lost')}`])
  assert.equal(readdirSync(join(data.dir, 'lost')), [name('aaaaaaaa')])
  assert.ok(existsSync(join(data.dir, 'photos', name('bbbbbbbb'))))
  assert.is(readdirSync(join(data.dir, 'photos')).length, 3)
  assert.not.ok(existsSync(join(data.dir, 'cache', 'photos', name('aaaaaaaa'))))
})

doctor(
  'without a server, leftovers are deleted at once, and moved photos after a month',
  async ({ data, check, repair }) => {
    const toby = await addDogWithPhotos(data, 1)
    writeFileSync(join(data.dir, 'photos', `${toby.id}_1700000000001_aaaaaaaa.jpg`), 'una foto')
    writeFileSync(join(data.dir, 'photos', `${toby.id}_1700000000001_bbbbbbbb.jpg.1234abcd.part`), 'media')
    writeFileSync(join(data.dir, '.mail-1700000000000-abc'), 'medio correo')
    mkdirSync(join(data.dir, 'outbox'), { recursive: true })
    writeFileSync(join(data.dir, 'outbox', '.mail-1700000000000-abc'), 'medio correo')
    mkdirSync(join(data.dir, 'cache', 'razas'), { recursive: true })
    writeFileSync(join(data.dir, 'cache', 'razas', 'beagle.webp.1234abcd.part'), 'media')
    await repair()
    assertNone(findProblems(await check()), (line) => !line.includes('copias'))
    assert.equal(readdirSync(join(data.dir, 'photos')).length, 1)
    for (const folder of ['', 'outbox'])
      assert.not.ok(existsSync(join(data.dir, folder, '.mail-1700000000000-abc')), folder)
    assert.equal(readdirSync(join(data.dir, 'cache', 'razas')), [])
    const [lost] = readdirSync(join(data.dir, 'lost'))
    ageFile(join(data.dir, 'lost', lost!), 31 * 24)
    assert.equal(await repair(), ['1 resto borrado'])
    assert.equal(readdirSync(join(data.dir, 'lost')), [])
  },
)

doctor('photos that hardly any row names are an error, and no repair touches them', async ({ data, check, repair }) => {
  await addDogWithPhotos(data, 1)
  const names = Array.from({ length: 30 }, (_, i) => `${crypto.randomUUID()}_17000000000${10 + i}_aaaaaaaa.jpg`)
  for (const name of names) writeFileSync(join(data.dir, 'photos', name), 'una foto')
  mkdirSync(join(data.dir, 'cache', 'photos', names[0]!), { recursive: true })
  assert.equal(
    findProblems(await check()).filter((line) => /foto|resto/.test(line)),
    [
      'error fotos sueltas: la base de datos nombra 1 foto del disco, y 30 no las nombra nadie: revisa DATABASE_URL y DATA_DIR, que parecen de otro sitio; --repair no las toca',
    ],
  )
  assert.equal(await repair(), [])
  assert.equal(readdirSync(join(data.dir, 'photos')).length, 31)
  assert.not.ok(existsSync(join(data.dir, 'lost')))
  assert.ok(existsSync(join(data.dir, 'cache', 'photos', names[0]!)))
})

doctor('photos without a row are moved aside where more rows name theirs', async ({ data, check, repair }) => {
  for (let i = 0; i < 5; i++) await addDogWithPhotos(data, 1)
  for (let i = 0; i < 30; i++)
    writeFileSync(join(data.dir, 'photos', `${crypto.randomUUID()}_17000000000${10 + i}_aaaaaaaa.jpg`), 'una foto')
  assert.match(findProblems(await check()).join('\n'), /^aviso fotos sueltas: 30 archivos que nadie nombra/m)
  assert.equal(await repair(), [`30 fotos sueltas apartadas en ${join(data.dir, 'lost')}`])
})

doctor('missing photos are restored from moved ones or from the backups', async ({ data, check, repair }) => {
  const toby = await addDogWithPhotos(data, 3)
  await makeBackup({ dataDir: data.dir, backupDir: data.backupDir })
  const before = hashFiles(join(data.dir, 'photos'))
  const [gone, empty, aside] = photoFiles(data, toby) as [string, string, string]
  rmSync(gone)
  truncateSync(empty, 0)
  mkdirSync(join(data.dir, 'lost'))
  writeFileSync(join(data.dir, 'lost', aside.split('/').at(-1)!), readFileSync(aside))
  rmSync(aside)
  assert.match(
    findProblems(await check())[0]!,
    /^error fotos: faltan 2 de 3 en el disco \(.*\); --repair las busca en las copias$/,
  )
  assert.match(
    findProblems(await check())[1]!,
    /^error fotos vacías: 1 archivo está vacío o lleno de ceros \(.*\); --repair los busca en las copias$/,
  )
  assert.equal(await repair(), ['3 fotos recuperadas de lo apartado o de las copias'])
  assert.equal(hashFiles(join(data.dir, 'photos')), before)
  assert.equal(findProblems(await check()), [])
})

doctor(
  'files that a power cut left as zeros are reported, in the data and in the backups',
  async ({ data, check, repair }) => {
    const toby = await addDogWithPhotos(data, 4)
    const options = { dataDir: data.dir, backupDir: data.backupDir }
    const older = await makeBackup({ ...options, now: Date.now() - DAY_MS })
    const newest = await makeBackup(options)
    const before = hashFiles(join(data.dir, 'photos'))
    const files = photoFiles(data, toby) as [string, string, string, string]
    const size = statSync(files[0]).size
    // All NULs, empty, and with only the beginning written. Each is a new file, because backups share theirs.
    const overwrite = (file: string, bytes: Buffer) => (rmSync(file), writeFileSync(file, bytes, { mode: 0o600 }))
    overwrite(files[0], Buffer.alloc(size))
    overwrite(files[1], Buffer.alloc(0))
    overwrite(files[2], Buffer.concat([readFileSync(files[2]).subarray(0, 200), Buffer.alloc(5000)]))
    const [photos] = findProblems(await check())
    assert.match(photos!, /^error fotos vacías: 3 archivos están vacíos o llenos de ceros \(.*\); --repair/)
    assert.equal(await repair(), ['3 fotos recuperadas de lo apartado o de las copias'])
    assert.equal(hashFiles(join(data.dir, 'photos')), before)
    for (const bytes of [Buffer.alloc(0), Buffer.alloc(4096)]) {
      overwrite(join(older.path, 'perrario.db.gz'), bytes)
      overwrite(join(newest.path, 'perrario.db.gz'), bytes)
      assert.equal(findProblems(await check()), [
        `error copias: la última, ${newest.name}, está dañada: falta, está vacío o lleno de ceros perrario.db.gz`,
        `aviso copias anteriores: 1 dañada (${older.name})`,
      ])
    }
    overwrite(join(newest.path, 'backup.json'), Buffer.alloc(600))
    assert.is(findProblems(await check())[0], `error copias: la última, ${newest.name}, está dañada`)
  },
)
