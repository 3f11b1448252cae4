import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { sql } from 'kysely'
import { openDatabase } from '#db/client.ts'
import { isMoveUnfinished } from '#features/maintenance/move/move-rows.server.ts'
import { DATABASE, moveSuite, withFile } from '#tests/support/maintenance/move-suite.ts'
import { runCommand } from '#tests/support/operator-command.ts'
import { readAllRows } from '#tests/support/rows.ts'
import { serverEnv } from '#tests/support/server.ts'
import { assert, type Db } from '#tests/support/suites.ts'

// `npm run move -- --to <DATABASE_URL>` and `--from`, as a process of its own.

const move = moveSuite('unit/maintenance/move-command', 1500)

const run = (dataDir: string, ...words: string[]) => runCommand('move', words, { DATA_DIR: dataDir })
const digestIn = (output: string) =>
  /iguales en las dos bases de datos \(\d+ tablas, ([0-9a-f]{16})\)/.exec(output)?.[1]

/** Starts a move and kills it once it has copied `percent`. */
async function killAt(percent: number, dataDir: string, ...words: string[]): Promise<void> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'scripts/move.ts', ...words], {
    cwd: resolve(import.meta.dirname, '../../..'),
    env: serverEnv({ DATA_DIR: dataDir }),
  })
  let output = ''
  child.stderr.on('data', (text) => (output += text))
  child.stdout.on('data', (text) => {
    output += text
    const seen = [...output.matchAll(/^ *(\d+) %/gm)].map(([, number]) => Number(number))
    if (seen.some((number) => number >= percent)) child.kill('SIGKILL')
  })
  const signal = await new Promise((done) => child.on('close', (_, name) => done(name)))
  assert.is(signal, 'SIGKILL', output)
}

/** Runs a move that must be refused in one line. */
async function assertRefused(text: RegExp, dataDir: string, ...words: string[]): Promise<void> {
  const { code, output } = await run(dataDir, ...words)
  assert.is(code, 1, output)
  assert.match(output, text)
  assert.match(output, /^perrario · [^\n]*\n$/)
  assert.not.match(output, /:password@|secreta|mover:mover/)
}

/** In no order: as texts, sorted. */
const sortRows = (all: Record<string, readonly unknown[]>) =>
  Object.entries(all).map(([table, rows]) => [
    table,
    table.startsWith('kysely_') ? rows.length : rows.map((row) => JSON.stringify(row)).toSorted(),
  ])

move('moved there and back by two commands, the data is identical and the digests are equal', async (t) => {
  const there = await run(t.dataDir, '--to', t.url)
  assert.is(there.code, 0, there.output)
  assert.match(there.output, /^100 % {2}comparadas ([\d.]+) de \1 filas \(\w+\)$/m)
  assert.match(
    there.output,
    /\nperrario · arranca el sitio con DATABASE_URL=postgres:\/\/postgres:\*\*\*@localhost\/test_\w+\?/,
  )
  assert.match(there.output, /\nperrario · no se mueven las cachés ni las miniaturas, que se rehacen, ni las fotos/)
  assert.not.match(there.output, /:password@/)
  assert.ok(existsSync(join(t.dataDir, DATABASE)))
  const back = await run(t.emptyDir, '--from', t.url)
  assert.is(back.code, 0, back.output)
  assert.ok(digestIn(there.output))
  assert.is(digestIn(back.output), digestIn(there.output))
  assert.equal(
    readdirSync(t.emptyDir).filter((name) => name !== '.in-use'),
    [DATABASE],
  )
  assert.is(statSync(join(t.emptyDir, DATABASE)).mode & 0o777, 0o600)
  assert.equal(sortRows(await withFile(t.emptyDir, readAllRows)), sortRows(await withFile(t.dataDir, readAllRows)))
  const again = await run(t.dataDir, '--to', t.url)
  assert.is(again.code, 0, 'an ended move is compared again: it may have been killed before its answer')
  assert.is(digestIn(again.output), digestIn(there.output))
})

move('killed in the middle, a move goes on where it was, in both directions', async (t) => {
  const rowsOf = async (db: Db) =>
    (await sql<{ sum: number }>`SELECT coalesce(sum(rows), 0) AS sum FROM move_progress`.execute(db)).rows[0]!.sum
  await killAt(20, t.dataDir, '--to', t.url)
  assert.ok(await isMoveUnfinished(t.postgres))
  assert.ok((await rowsOf(t.postgres)) > 1000)
  await assertRefused(/^perrario · en el origen hay una mudanza que no acabó/, t.emptyDir, '--from', t.url)
  rmSync(join(t.emptyDir, 'perrario.db.moving'), { force: true })
  const there = await run(t.dataDir, '--to', t.url)
  assert.is(there.code, 0, there.output)
  assert.match(there.output, /^perrario · sigue una mudanza que se cortó\n +[1-9]\d* %/)
  assert.not(await isMoveUnfinished(t.postgres))

  await killAt(20, t.emptyDir, '--from', t.url)
  assert.not(existsSync(join(t.emptyDir, DATABASE)))
  const moving = openDatabase(join(t.emptyDir, 'perrario.db.moving'))
  assert.ok((await rowsOf(moving)) > 1000)
  await moving.destroy()
  const back = await run(t.emptyDir, '--from', t.url)
  assert.is(back.code, 0, back.output)
  assert.match(back.output, /^perrario · sigue una mudanza que se cortó\n/)
  assert.is(digestIn(back.output), digestIn(there.output))
  assert.equal(sortRows(await withFile(t.emptyDir, readAllRows)), sortRows(await withFile(t.dataDir, readAllRows)))
})

move('unknown arguments print the usage, and DATABASE_URL serves as the address', async (t) => {
  for (const words of [[], ['--to', t.url, '--from', t.url], ['--to', t.url, 'más'], ['--ya']]) {
    const { code, output } = await run(t.dataDir, ...words)
    assert.is(code, 2, output)
    assert.match(output, /Uso: npm run move -- --to <DATABASE_URL>/)
  }
  const wrong = await run(t.dataDir, '--to', 'mysql://localhost/perros')
  assert.is(wrong.code, 2)
  assert.is(wrong.output, 'perrario · la dirección tiene que ser postgres://usuario:contraseña@servidor:5432/base.\n')
  const unencoded = await run(t.dataDir, '--to', 'postgres://perrario:se#creto@localhost/perros')
  assert.is(unencoded.code, 2)
  assert.match(unencoded.output, /contraseña codificados: # es %23/)
  assert.not.match(unencoded.output, /creto/)
  writeFileSync(join(t.emptyDir, DATABASE), readFileSync(join(t.dataDir, DATABASE)))
  const { code, output } = await runCommand('move', ['--to'], { DATA_DIR: t.emptyDir, DATABASE_URL: t.url })
  assert.is(code, 0, output)
})
