import {
  chmodSync,
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
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { sqliteOf } from '#db/client.ts'
import { makeBackup } from '#features/maintenance/backup.server.ts'
import { runChecks, runRepairs } from '#features/maintenance/doctor/doctor.server.ts'
import { type Finding, worstLevel } from '#features/maintenance/doctor/finding.ts'
import { beginSwap, lockDataShared, lockDataExclusive } from '#features/maintenance/lock.server.ts'
import { writeOutcome } from '#features/maintenance/backup-record.server.ts'
import { seed, member } from '#tests/support/seed.ts'
import {
  ageFile,
  type DataDir,
  addDogWithPhotos,
  hashFiles,
  makeDataDir,
  photoFiles,
} from '#tests/support/maintenance/data-dir.ts'

const DAY_MS = 86_400_000
const backups = { daily: 7, weekly: 4, monthly: 6 }

interface World {
  data: DataDir
  look: (now?: number) => Promise<Finding[]>
  mend: () => Promise<string[]>
}

const doctor = suite<World>('the doctor')
doctor.before.each(async (t) => {
  t.data = await makeDataDir()
  const options = { dataDir: t.data.dir, backupDir: t.data.backupDir, backups }
  t.look = (now = Date.now()) => runChecks({ ...options, now })
  t.mend = () => runRepairs(options)
})
doctor.after.each((t) => t.data.dispose())

/** What is not in order, but for the free disk, which is the machine's. */
const findProblems = (findings: Finding[]) =>
  findings
    .filter(({ what, level }) => level !== 'ok' && what !== 'disco')
    .map(({ level, what, detail }) => `${level} ${what}: ${detail}`)

doctor('finds nothing wrong with sound data and a fresh backup', async ({ data, look, mend }) => {
  await addDogWithPhotos(data, 3)
  await makeBackup({ dataDir: data.dir, backupDir: data.backupDir })
  const findings = await look()
  assert.equal(findProblems(findings), [])
  assert.equal(
    findings.map(({ what }) => what),
    [
      'sitio',
      'base de datos',
      'referencias',
      'migraciones',
      'recuentos',
      'fotos',
      'fotos sueltas',
      'restos',
      'permisos',
      'disco',
      'registro',
      'restauración',
      'copias',
    ],
  )
  assert.equal(await mend(), [])
})

doctor('counts that are off are named and counted anew, each and all', async ({ data, look, mend }) => {
  await addDogWithPhotos(data, 1, { size: 'grande' })
  const toby = await addDogWithPhotos(data, 1)
  const [ana] = await seed(data.db, member())
  await data.db.insertInto('dog_likes').values({ id: 'x', dog_id: toby.id, user_id: ana.id, created_at: 1 }).execute()
  const harm: [string, string[]][] = [
    ['UPDATE dogs SET comments_count = 9', ['comentarios de los perros']],
    ['UPDATE profiles SET likes_count = likes_count + 1', ['likes de los perfiles']],
    [
      'UPDATE profiles SET dogs_count = dogs_count - 1, breeds_count = 7',
      ['número de perros de los perfiles', 'número de razas de los perfiles'],
    ],
    ['DELETE FROM member_dogs', ['perros de cada miembro', 'razas de cada miembro']],
    ['UPDATE member_breeds SET dogs = 5', ['razas de cada miembro']],
    [
      'DELETE FROM dog_tallies; UPDATE dog_day_tallies SET dogs = 8',
      ['perros y likes por raza y tamaño', 'perros por día, raza y tamaño'],
    ],
    ['DELETE FROM ranking_dogs; DELETE FROM ranking_likes', ['miembros por perros', 'miembros por perros y likes']],
    ['UPDATE like_hour_tallies SET likes = 7', ['likes por hora']],
    [`DELETE FROM totals WHERE name = 'profiles'`, ['total de perfiles']],
    ['UPDATE dogs SET votes = votes + 3', ['likes de los perros']],
  ]
  const sqlite = sqliteOf(data.db)
  const kept = () => sqlite.prepare('SELECT * FROM profiles ORDER BY id').all()
  const before = kept()
  for (const [sql, names] of harm) {
    sqlite.exec(sql)
    const found = findProblems(await look()).filter((line) => line.includes('recuentos'))
    for (const name of names)
      assert.ok(
        found.some((line) => line.startsWith(`error recuentos: no cuadra: ${name} (`)),
        `${sql}: ${name}`,
      )
    const [done] = await mend()
    assert.match(done!, /^recuentos rehechos: /)
    assert.equal(
      findProblems(await look()).filter((line) => line.includes('recuentos')),
      [],
      sql,
    )
    assert.equal(kept(), before, sql)
  }
})

doctor('photos nobody names are set aside, unless one may just be coming in', async ({ data, look, mend }) => {
  const toby = await addDogWithPhotos(data, 1)
  const name = (end: string) => `${toby.id}_1700000000001_${end}.jpg`
  const put = (end: string, hours: number) => {
    writeFileSync(join(data.dir, 'photos', name(end)), 'una foto')
    ageFile(join(data.dir, 'photos', name(end)), hours)
  }
  put('aaaaaaaa', 2)
  put('bbbbbbbb', 0.5)
  writeFileSync(join(data.dir, 'photos', `${name('cccccccc')}.1234abcd.part`), 'media foto')
  mkdirSync(join(data.dir, 'cache', 'photos', name('aaaaaaaa')), { recursive: true })
  assert.ok(lockDataShared(data.dir, 0), 'a server is running')
  assert.equal(findProblems(await look()).slice(0, 2), [
    `aviso fotos sueltas: 1 archivo que nadie nombra (${name('aaaaaaaa')})`,
    'aviso copias: todavía no hay ninguna en ' + data.backupDir + ': npm run backup',
  ])
  assert.equal(await mend(), [`1 foto suelta apartada en ${join(data.dir, 'lost')}`])
  assert.equal(readdirSync(join(data.dir, 'lost')), [name('aaaaaaaa')])
  assert.ok(existsSync(join(data.dir, 'photos', name('bbbbbbbb'))))
  assert.is(readdirSync(join(data.dir, 'photos')).length, 3)
  assert.not.ok(existsSync(join(data.dir, 'cache', 'photos', name('aaaaaaaa'))))
})

doctor(
  'with nobody serving, whatever is left behind goes at once, and what was set aside after a month',
  async ({ data, look, mend }) => {
    const toby = await addDogWithPhotos(data, 1)
    writeFileSync(join(data.dir, 'photos', `${toby.id}_1700000000001_aaaaaaaa.jpg`), 'una foto')
    writeFileSync(join(data.dir, 'photos', `${toby.id}_1700000000001_bbbbbbbb.jpg.1234abcd.part`), 'media')
    writeFileSync(join(data.dir, '.mail-1700000000000-abc'), 'medio correo')
    mkdirSync(join(data.dir, 'outbox'), { recursive: true })
    writeFileSync(join(data.dir, 'outbox', '.mail-1700000000000-abc'), 'medio correo')
    mkdirSync(join(data.dir, 'cache', 'razas'), { recursive: true })
    writeFileSync(join(data.dir, 'cache', 'razas', 'beagle.webp.1234abcd.part'), 'media')
    await mend()
    assert.equal(
      findProblems(await look()).filter((line) => !line.includes('copias')),
      [],
    )
    assert.equal(readdirSync(join(data.dir, 'photos')).length, 1)
    for (const folder of ['', 'outbox'])
      assert.not.ok(existsSync(join(data.dir, folder, '.mail-1700000000000-abc')), folder)
    assert.equal(readdirSync(join(data.dir, 'cache', 'razas')), [])
    const [lost] = readdirSync(join(data.dir, 'lost'))
    ageFile(join(data.dir, 'lost', lost!), 31 * 24)
    assert.equal(await mend(), ['1 resto borrado'])
    assert.equal(readdirSync(join(data.dir, 'lost')), [])
  },
)

doctor('missing photos come back from what was set aside or from the backups', async ({ data, look, mend }) => {
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
    findProblems(await look())[0]!,
    /^error fotos: faltan 2 de 3 en el disco \(.*\); --repair las busca en las copias$/,
  )
  assert.match(
    findProblems(await look())[1]!,
    /^error fotos vacías: 1 archivo está vacío o lleno de ceros \(.*\); --repair los busca en las copias$/,
  )
  assert.equal(await mend(), ['3 fotos recuperadas de lo apartado o de las copias'])
  assert.equal(hashFiles(join(data.dir, 'photos')), before)
  assert.equal(findProblems(await look()), [])
})

doctor(
  'files that a power cut left as zeros are named, in the data and in the backups',
  async ({ data, look, mend }) => {
    const toby = await addDogWithPhotos(data, 4)
    const options = { dataDir: data.dir, backupDir: data.backupDir }
    const older = await makeBackup({ ...options, now: Date.now() - DAY_MS })
    const newest = await makeBackup(options)
    const before = hashFiles(join(data.dir, 'photos'))
    const files = photoFiles(data, toby) as [string, string, string, string]
    const size = statSync(files[0]).size
    // Written wholly as NULs, empty, and of which only the beginning was written. A new file each: backups share theirs.
    const leave = (file: string, bytes: Buffer) => (rmSync(file), writeFileSync(file, bytes, { mode: 0o600 }))
    leave(files[0], Buffer.alloc(size))
    leave(files[1], Buffer.alloc(0))
    leave(files[2], Buffer.concat([readFileSync(files[2]).subarray(0, 200), Buffer.alloc(5000)]))
    const [photos] = findProblems(await look())
    assert.match(photos!, /^error fotos vacías: 3 archivos están vacíos o llenos de ceros \(.*\); --repair/)
    assert.equal(await mend(), ['3 fotos recuperadas de lo apartado o de las copias'])
    assert.equal(hashFiles(join(data.dir, 'photos')), before)
    for (const bytes of [Buffer.alloc(0), Buffer.alloc(4096)]) {
      leave(join(older.path, 'perrario.db.gz'), bytes)
      leave(join(newest.path, 'perrario.db.gz'), bytes)
      assert.equal(findProblems(await look()), [
        `error copias: la última, ${newest.name}, está dañada: falta, está vacío o lleno de ceros perrario.db.gz`,
        `aviso copias anteriores: 1 dañada (${older.name})`,
      ])
    }
    leave(join(newest.path, 'backup.json'), Buffer.alloc(600))
    assert.is(findProblems(await look())[0], `error copias: la última, ${newest.name}, está dañada`)
  },
)

doctor('a damaged database, and one that is none', async ({ data, look, mend }) => {
  for (let i = 0; i < 40; i++) await addDogWithPhotos(data, 1)
  await data.close()
  const file = join(data.dir, 'perrario.db')
  const bytes = readFileSync(file)
  bytes.fill(0x5a, 4096 * 12, 4096 * 14)
  writeFileSync(file, bytes)
  assert.match(
    findProblems(await look())[0]!,
    /^error base de datos: (está dañada|no se puede leer) \(.*\): restaura la última copia con npm run restore$/,
  )
  writeFileSync(file, 'esto ya no es una base de datos '.repeat(500))
  assert.is(
    findProblems(await look())[0],
    'error base de datos: no se puede leer (el archivo no es una base de datos (SQLITE_NOTADB)): restaura la última copia con npm run restore',
  )
  await mend()
})

doctor('rows that lead nowhere, migrations to come and of the future', async ({ data, look }) => {
  const sqlite = sqliteOf(data.db)
  sqlite.pragma('foreign_keys = OFF')
  sqlite.exec(`INSERT INTO comments VALUES ('x', 'nadie', 'nadie', 'hola', 1)`)
  assert.is(findProblems(await look())[0], 'error referencias: 2 filas nombran lo que ya no existe (comments)')
  sqlite.exec(`DELETE FROM comments`)
  const last = sqlite.prepare('SELECT max(name) FROM kysely_migration').pluck().get()
  sqlite.prepare('DELETE FROM kysely_migration WHERE name = ?').run(last)
  assert.is(findProblems(await look())[0], `aviso migraciones: 1 pendiente: se harán al arrancar (${last})`)
  sqlite.prepare('INSERT INTO kysely_migration VALUES (?, ?), (?, ?)').run(last, '1', '2099-01-01-futuro', '2')
  assert.is(
    findProblems(await look())[0],
    'error migraciones: la base de datos es de una versión más nueva del programa (2099-01-01-futuro)',
  )
})

doctor('a migration under its earlier name counts as made', async ({ data, look }) => {
  await makeBackup({ dataDir: data.dir, backupDir: data.backupDir })
  sqliteOf(data.db).exec(`UPDATE kysely_migration SET name = '2026-11-20-tables' WHERE name = '2026-11-20-1643-tables'`)
  assert.equal(findProblems(await look()), [])
})

doctor('backups that grow old, rot or fail', async ({ data, look }) => {
  const { path, name } = await makeBackup({ dataDir: data.dir, backupDir: data.backupDir })
  const now = Date.now()
  assert.equal(findProblems(await look(now + DAY_MS)), [])
  assert.match(
    findProblems(await look(now + 2 * DAY_MS))[0]!,
    /^aviso copias: 1 copia, la última .*: es de hace 2 días$/,
  )
  assert.match(findProblems(await look(now + 5 * DAY_MS))[0]!, /^error copias: .*: es de hace 5 días$/)
  await writeOutcome(data.backupDir, { at: now + 1000, ok: false, text: 'no queda sitio para la copia.' })
  assert.equal(findProblems(await look()), ['error última copia: no se hizo: no queda sitio para la copia.'])
  await writeOutcome(data.backupDir, { at: now + 2000, ok: true, text: 'bien' })
  truncateSync(join(path, 'SHA256SUMS'), 10)
  assert.equal(findProblems(await look()), [`error copias: la última, ${name}, está dañada`])
})

doctor('a restore that was cut off, and keys that others may read', async ({ data, look, mend }) => {
  await makeBackup({ dataDir: data.dir, backupDir: data.backupDir })
  writeFileSync(join(data.dir, 'push-keys.json'), '{}')
  // Behind a closed folder nobody reads it.
  chmodSync(join(data.dir, 'push-keys.json'), 0o644)
  assert.equal(findProblems(await look()), [])
  chmodSync(data.dir, 0o711)
  mkdirSync(join(data.dir, '.restore-2026-11-22T00-00-00Z'))
  assert.equal(findProblems(await look()), [
    'aviso permisos: otros usuarios de esta máquina pueden leer ., push-keys.json',
    'aviso restauración: quedan restos de una que no acabó',
  ])
  assert.equal(await mend(), [
    '. ya solo lo lee el sitio',
    'push-keys.json ya solo lo lee el sitio',
    'restos de una restauración borrados',
  ])
  assert.equal(findProblems(await look()), [])
  await addDogWithPhotos(data, 4)
  for (const name of ['', 'photos', ...readdirSync(join(data.dir, 'photos')).map((photo) => join('photos', photo))])
    chmodSync(join(data.dir, name), name.includes('.') ? 0o644 : 0o755)
  assert.equal(findProblems(await look()), ['aviso permisos: otros usuarios de esta máquina pueden leer 6 archivos'])
  assert.equal(await mend(), ['6 archivos ya solo los lee el sitio'])
  assert.equal(findProblems(await look()), [])
  beginSwap(data.dir, 'x')
  assert.equal(findProblems(await look()), ['error restauración: una se quedó a medias: repite npm run restore'])
})

doctor('says whether the site is up', async ({ data, look }) => {
  assert.is((await look())[0]!.detail, 'parado')
  const release = lockDataExclusive(data.dir)!
  assert.is((await look())[0]!.detail, 'en marcha')
  release()
})

doctor('the worst of a list', () => {
  const level = (level: Finding['level']) => ({ what: '', level, detail: '' })
  assert.is(worstLevel([level('ok')]), 'ok')
  assert.is(worstLevel([level('ok'), level('aviso')]), 'aviso')
  assert.is(worstLevel([level('aviso'), level('error'), level('ok')]), 'error')
})

doctor.run()
