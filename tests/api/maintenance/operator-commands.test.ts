import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beginSwap, endSwap } from '#features/maintenance/lock.server.ts'
import { isPostgresRun, onlyOnSqlite } from '#tests/support/db.ts'
import { runCommand } from '#tests/support/operator-command.ts'
import { hashFiles, countRows } from '#tests/support/maintenance/data-dir.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { openServerDatabase } from '#tests/support/server-database.ts'
import { operatorEnv, runToEnd, startServer } from '#tests/support/server.ts'
import { startSecondWriter } from '#tests/support/faults/concurrent-writes.ts'
import { assert, call, formOf, signIn, suite } from '#tests/support/suites.ts'

const server = await startServer()
const BACKUP_DIR = mkdtempSync(join(tmpdir(), 'perrario-copias-'))
const env = { ...operatorEnv(server), BACKUP_DIR }
const run = (name: string, ...words: string[]) => runCommand(name, words, env)
const { cookie } = await signIn(server, 'ana@ejemplo.es')
const addDog = async (name: string) => {
  const images = [new Blob([await photo(20)]), new Blob([await photo(220)])]
  const form = formOf({ name, breed: 'beagle', relationship: 'owner', images })
  return (await call(server, '/api/dogs', { method: 'POST', cookie, form })).body.dog
}
/** No connection stays open beside the server's: data in use are not restored. */
const rows = async () => {
  await using db = openServerDatabase(server)
  return await countRows(db)
}

const maintenance = suite('api/maintenance/operator-commands')
/** Backups of SQLite's file. What they have with PostgreSQL, and say of it: `unit/maintenance/backup-postgres`. */
const backups = onlyOnSqlite(maintenance)

backups('a drill on a running site backs up, changes, refuses, stops, restores and starts', async () => {
  const toby = await addDog('Toby')
  const before = { rows: await rows(), photos: hashFiles(join(server.dataDir, 'photos')) }
  const backup = await run('backup')
  assert.is(backup.code, 0)
  assert.match(
    backup.output,
    /^perrario · en .*\/\d{4}-\d\d-\d\dT[\d-]+Z\nperrario · copia de seguridad .*Z: [4-6] archivos, .* \(nuevo: .*\), comprobada en [\d,]+ s\n$/,
  )
  const [name] = readdirSync(BACKUP_DIR).filter((entry) => /^\d{4}/.test(entry))

  assert.is((await call(server, `/api/dogs/${toby.id}`, { method: 'DELETE', cookie })).status, 204)
  await addDog('Otro')
  assert.not.equal(hashFiles(join(server.dataDir, 'photos')), before.photos)

  const refused = await run('restore', name!)
  assert.is(refused.code, 1)
  assert.is(refused.output, 'perrario · el sitio está en marcha sobre estos datos: páralo antes de restaurar.\n')

  await server.stop()
  const restored = await run('restore', name!)
  assert.is(restored.code, 0, restored.output)
  assert.match(
    restored.output,
    /^perrario · restaurada la copia .*: 1 perro, 1 perfil, \d archivos\nperrario · lo que había está en .*before-restore-.*: bórralo cuando no lo necesites\n$/,
  )
  assert.equal(await rows(), before.rows)
  assert.equal(hashFiles(join(server.dataDir, 'photos')), before.photos)

  await server.restart()
  assert.is((await call(server, `/api/dogs/${toby.id}`)).body.dog.name, 'Toby')
  assert.is((await fetch(server.url + toby.photo_url)).status, 200)
})

maintenance('doctor checks a running site and repairs its counts', async () => {
  // Otherwise it is the drill's.
  if (isPostgresRun) await addDog('Toby')
  const sound = await run('doctor')
  assert.is(sound.code, 0, sound.output)
  const state = isPostgresRun
    ? /^ok +sitio +en marcha \(.*\)\nok +base de datos +PostgreSQL /
    : /^ok +sitio +en marcha\nok +base de datos +íntegra, [\d.]+ filas\n/
  assert.match(sound.output, state)
  await using db = openServerDatabase(server)
  await db.updateTable('dogs_all').set({ votes: 41 }).execute()
  const broken = await run('doctor')
  assert.is(broken.code, 1)
  assert.match(broken.output, /^error +recuentos +no cuadra: likes de los perros \(1 fila\)$/m)
  assert.match(broken.output, /\nperrario · npm run doctor -- --repair arregla lo que puede\n$/)
  const repaired = await run('doctor', '--repair')
  assert.is(repaired.code, 0, repaired.output)
  assert.match(
    repaired.output,
    /^perrario · recuentos rehechos: likes de los perros, perros y likes por raza y tamaño\n/,
  )
  assert.match(repaired.output, /^ok +recuentos +todos cuadran$/m)
})

backups('unknown arguments, --help and missing data print a message', async () => {
  for (const name of ['backup', 'restore', 'doctor']) {
    const unknownFlag = await run(name, '--ya')
    assert.is(unknownFlag.code, 2)
    assert.match(unknownFlag.output, new RegExp(`^perrario · no entiendo «--ya»\\.\n\nUso: npm run ${name}`))
    const help = await run(name, '--help')
    assert.is(help.code, 0)
    assert.match(help.output, new RegExp(`^Uso: npm run ${name}`))
  }
  const none = await run('restore')
  assert.is(none.code, 2)
  assert.match(none.output, /\nCopias en .*:\n {2}\d{4}-.*Z {2}[\d,]+ kB\n$/)
  const unknown = await run('restore', 'ayer')
  assert.is(unknown.code, 1)
  assert.match(unknown.output, /^perrario · no hay ninguna copia «ayer»\.\n/)
  const empty = mkdtempSync(join(tmpdir(), 'perrario-nada-'))
  for (const name of ['backup', 'doctor']) {
    const { code, output } = await runCommand(name, [], { DATA_DIR: empty })
    assert.is(code, 1)
    assert.match(output, /^perrario · no hay base de datos en .*: arranca antes el sitio, o di DATA_DIR\.\n$/)
  }
  rmSync(empty, { recursive: true })
})

maintenance('a backup that cannot be written is an error', async () => {
  const file = join(BACKUP_DIR, 'archivo')
  writeFileSync(file, '')
  const { code, output } = await runCommand('backup', [], { ...env, BACKUP_DIR: join(file, 'copias') })
  assert.is(code, 1)
  assert.match(output, /^perrario · no se puede escribir en .*: .*\.\n$/)
})

backups('--prune and --nightly delete expired backups', async () => {
  for (let i = 0; i < 2; i++) assert.is((await run('backup')).code, 0)
  const names = () => readdirSync(BACKUP_DIR).filter((entry) => /^\d{4}/.test(entry))
  assert.ok(names().length >= 3)
  const { output } = await runCommand('backup', ['--prune'], { ...env, BACKUPS: '1' })
  assert.match(output, /^perrario · \d copias antiguas retiradas$/m)
  assert.is(names().length, 1)
  // As the server runs it: expired backups are deleted too, and the last line goes to the log.
  const nightly = await run('backup', '--nightly')
  assert.match(
    nightly.output,
    /^perrario · 1 copia antigua retirada\nperrario · copia de seguridad .*, comprobada en [\d,]+ s\n$/,
  )
  assert.is(JSON.parse(readFileSync(join(BACKUP_DIR, 'last.json'), 'utf8')).ok, true)
})

maintenance('no request fails while the operator’s commands run beside the site', async () => {
  const { id } = await addDog('Trufa')
  const path = `/api/dogs/${id}`
  // Processes that share a PostgreSQL do so all the time.
  const second = isPostgresRun ? null : await startSecondWriter(join(server.dataDir, 'perrario.db'), 300)
  const { alias } = (await call(server, '/api/session', { cookie })).body.user
  const programs = [run('backup'), run('admin', 'verify', alias)]
  const statuses = new Set<number>()
  // A member may change dogs 120 times in ten minutes.
  for (let i = 1; i <= 100; i++) {
    const edit = call(server, path, { method: 'PATCH', cookie, json: { weight: i / 10 } })
    const like = call(server, `${path}/like`, { method: i % 2 ? 'PUT' : 'DELETE', cookie })
    for (const { status } of await Promise.all([edit, like])) statuses.add(status)
  }
  assert.equal([...statuses], [200])
  if (second) assert.is(await second.end(), 0)
  for (const { code, output } of await Promise.all(programs)) assert.is(code, 0, output)
  const { dog } = (await call(server, path)).body
  assert.equal([dog.weight, dog.likes], [10, 0])
})

maintenance('partly restored data is not served', async () => {
  await server.stop()
  beginSwap(server.dataDir, 'x')
  const { code, output } = await runToEnd({ DATA_DIR: server.dataDir, PORT: '0' })
  endSwap(server.dataDir)
  assert.is(code, 1)
  assert.is(output, 'perrario · una restauración de los datos se quedó a medias: repite npm run restore.\n')
})

maintenance.after(async () => {
  await server.dispose()
  rmSync(BACKUP_DIR, { recursive: true })
})
