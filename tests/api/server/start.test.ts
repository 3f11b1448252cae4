import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { listBackups } from '#features/maintenance/backup-record.server.ts'
import { runCommand } from '#tests/support/operator-command.ts'
import { freePort, runToEnd, startServer } from '#tests/support/server.ts'
import { root } from '#tests/support/sources.ts'
import { assert, folderSuite } from '#tests/support/suites.ts'

const start = folderSuite('api/server/start')

start('prints its steps and ends with the address', async ({ dir }) => {
  const operator = { OPERATOR_NAME: 'Ana', OPERATOR_EMAIL: 'ana@ejemplo.es', OPERATOR_ADDRESS: 'Calle Mayor 1, Madrid' }
  const server = await startServer({ DATA_DIR: dir, ...operator })
  assert.match(server.output(), /base de datos al día \(\d+ migraciones\)\n.*listo en http:\/\/localhost:\d+\n$/)
  assert.equal(await (await fetch(`${server.url}/healthz`)).json(), { status: 'ok' })
  await server.restart()
  assert.match(server.output(), /base de datos al día\n.*listo en .*\n$/)
  await server.dispose()
})

start('the first start writes the keys that other nodes need a copy of, and later ones leave them', async ({ dir }) => {
  const server = await startServer({ DATA_DIR: dir })
  const read = () => ['sign-in.key', 'riddle.key'].map((name) => readFileSync(join(dir, name), 'utf8'))
  const first = read()
  for (const key of first) assert.match(key, /^[\w-]{43}\n$/)
  await server.restart()
  assert.equal(read(), first)
  await server.dispose()
})

start('a busy port prints one clear line and exits with 1', async ({ dir }) => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as { port: number }
  const { code, output } = await runToEnd({ PORT: String(port), DATA_DIR: dir })
  other.close()
  assert.is(code, 1)
  assert.match(
    output,
    new RegExp(`^perrario · el puerto ${port} está ocupado: cierra lo que lo usa o elige otro con PORT\\.$`, 'm'),
  )
  assert.not.match(output, / at .*\.(ts|js):\d/)
})

start('a DATA_DIR that is not writable prints one clear line and exits with 1', async ({ dir }) => {
  const file = join(dir, 'file')
  writeFileSync(file, '')
  const { code, output } = await runToEnd({ PORT: String(await freePort()), DATA_DIR: join(file, 'data') })
  assert.is(code, 1)
  assert.match(output, /^perrario · no se puede escribir en DATA_DIR \(.*\): crea la carpeta o dale permiso\.\n$/)
})

start('a bucket that is set in part prints one clear line and exits with 1', async ({ dir }) => {
  const env = { S3_ENDPOINT: 'https://s3.example', S3_BUCKET: 'perrario' }
  const { code, output } = await runToEnd({ PORT: String(await freePort()), DATA_DIR: dir, ...env })
  assert.equal(
    [code, output],
    [
      1,
      'perrario · falta S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: las fotos se guardan en un bucket con los cinco valores S3_… o, sin ninguno, en DATA_DIR.\n',
    ],
  )
})

start('a file that is not a database prints one clear line and exits with 1', async ({ dir }) => {
  writeFileSync(join(dir, 'perrario.db'), 'this is no database '.repeat(100))
  const { code, output } = await runToEnd({ PORT: String(await freePort()), DATA_DIR: dir })
  assert.is(code, 1)
  assert.match(
    output,
    /^perrario · no se puede abrir la base de datos de .*: el archivo no es una base de datos \(SQLITE_NOTADB\)\. Restaura la última copia con npm run restore\.\n$/,
  )
})

start('a database of a newer version is reported by server, admin and backup, and not changed', async ({ dir }) => {
  const file = join(dir, 'perrario.db')
  const sqlite = new Database(file)
  sqlite.exec(`
    CREATE TABLE kysely_migration (name TEXT PRIMARY KEY, timestamp TEXT NOT NULL);
    INSERT INTO kysely_migration VALUES ('2099-01-01-futuro', '2099-01-01');
    CREATE TABLE profiles (alias TEXT, verified INTEGER)`)
  sqlite.close()
  const env = { DATA_DIR: dir, BACKUP_DIR: join(dir, 'copias'), PORT: String(await freePort()) }
  for (const { code, output } of [
    await runToEnd(env),
    await runCommand('admin', ['verify', 'Ana'], env),
    await runCommand('admin', ['readmit', 'ana@ejemplo.es'], env),
    await runCommand('backup', [], env),
  ]) {
    assert.is(code, 1)
    assert.match(
      output,
      /^perrario · la base de datos es de una versión más nueva del programa \(2099-01-01-futuro\): actualízalo.*\.\n$/,
    )
  }
  assert.equal(await listBackups(env.BACKUP_DIR), [])
  const after = new Database(file, { readonly: true })
  const tables = after.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`).pluck().all()
  after.close()
  assert.equal(tables, ['kysely_migration', 'profiles'])
})

// A disk of a few hundred kilobytes takes the folder and part of the database. Mounting one takes root.
const smallDisk = mkdtempSync(join(tmpdir(), 'perrario-small-'))
for (const size of spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', smallDisk]).status === 0
  ? [12, 24, 48, 200]
  : [])
  start(
    `a disk without space for the database is reported as full, not as a permission problem (${size} kB)`,
    async () => {
      spawnSync('mount', ['-o', `remount,size=${size}k`, smallDisk])
      const { code, output } = await runToEnd({ PORT: String(await freePort()), DATA_DIR: smallDisk })
      for (const name of readdirSync(smallDisk)) rmSync(join(smallDisk, name), { recursive: true })
      assert.is(code, 1)
      assert.match(
        output,
        /^perrario · no queda sitio en el disco para abrir la base de datos de .*: haz sitio y arranca otra vez\.\n$/,
      )
    },
  )
start.after(() => {
  spawnSync('umount', [smallDisk])
  rmSync(smallDisk, { recursive: true, force: true })
})

const BUILT_FILES = ['csp.json', 'files.json', 'server/main.mjs', 'server/map-worker.mjs', 'server/decoder.mjs']

for (const [name, spoil] of Object.entries({
  missing: (file: string) => rmSync(file),
  cut: (file: string) => writeFileSync(file, file.endsWith('.json') ? '{"scr' : ''),
}))
  start(
    `a build with a file that is ${name} prints one clear line, exits with 1 and creates no database`,
    async ({ dir }) => {
      for (const spoilt of BUILT_FILES) {
        // An empty program is one that begins and ends: only a missing one is known to be none.
        if (name === 'cut' && spoilt.endsWith('.mjs')) continue
        const place = mkdtempSync(join(dir, 'place-'))
        for (const file of BUILT_FILES) {
          mkdirSync(dirname(join(place, 'dist', file)), { recursive: true })
          writeFileSync(join(place, 'dist', file), file.endsWith('.json') ? '{"a":1}' : 'process.exit(0)')
        }
        mkdirSync(join(place, 'scripts'))
        copyFileSync(join(root, 'scripts/serve.mjs'), join(place, 'scripts/serve.mjs'))
        const begin = () => spawnSync(process.execPath, ['scripts/serve.mjs'], { cwd: place, encoding: 'utf8' })
        assert.is(begin().status, 0, spoilt)
        spoil(join(place, 'dist', spoilt))
        const { status, stderr } = begin()
        assert.equal(
          [status, stderr],
          [1, 'perrario · el sitio no está construido o quedó a medias: borra la carpeta dist y repite npm start.\n'],
          spoilt,
        )
      }
    },
  )

const BAD_SETTINGS: [string, string, RegExp][] = [
  ['PORT', 'ochenta', /^perrario · PORT=ochenta: valor no válido \(se esperaba un número entre 0 y 65535\)\.\n$/],
  ['PORT', '99999', /^perrario · PORT=99999: valor no válido/],
  [
    'SITE_URL',
    'perrario.example',
    /^perrario · SITE_URL=…: valor no válido \(se esperaba una dirección http\(s\) sin ruta\)\.\n$/,
  ],
  ['SITE_URL', 'https://perrario.example/perros', /^perrario · SITE_URL=/],
  [
    'SMTP_URL',
    'correo',
    /^perrario · SMTP_URL=…: valor no válido \(se esperaba una dirección smtp:\/\/ o smtps:\/\/\)\.\n$/,
  ],
  ['ADMIN_EMAIL', 'ana', /^perrario · ADMIN_EMAIL=ana: valor no válido \(se esperaba una dirección de correo\)\.\n$/],
  ['TRUST_PROXY', 'quizás', /^perrario · TRUST_PROXY=quizás: valor no válido \(se esperaba 0 o 1\)\.\n$/],
]
for (const [name, value, line] of BAD_SETTINGS)
  start(`${name}=${value} prints one clear line and exits with 1`, async ({ dir }) => {
    const { code, output } = await runToEnd({ DATA_DIR: dir, PORT: '0', [name]: value })
    assert.is(code, 1)
    assert.match(output, line)
  })

start('an empty setting counts as unset', async ({ dir }) => {
  const server = await startServer({ DATA_DIR: dir, SMTP_URL: '', SITE_URL: '' })
  assert.is((await fetch(`${server.url}/healthz`)).status, 200)
  await server.dispose()
})

start('server modules read large data from build files instead of embedding it', () => {
  const server = join(root, 'dist/server')
  const files = readdirSync(server, { recursive: true, encoding: 'utf8' })
  const largest = Math.max(
    ...files.filter((name) => name.endsWith('.mjs')).map((name) => statSync(join(server, name)).size),
  )
  assert.ok(largest < 500_000, `a module of ${largest} bytes`)
  assert.ok(files.includes(join('data', 'razas.json')))
})

start('a status line has the standard reason phrase', async ({ dir }) => {
  const server = await startServer({ DATA_DIR: dir })
  const names: string[] = []
  for (const path of ['/healthz', '/no/existe', '/api/nada', '/api/notifications', '/_astro/nada.js']) {
    const { status, statusText } = await fetch(server.url + path)
    names.push(`${status} ${statusText}`)
  }
  assert.equal(names, ['200 OK', '404 Not Found', '404 Not Found', '401 Unauthorized', '404 Not Found'])
  await server.stop()
})

start('SIGTERM completes requests in flight and closes the database', async ({ dir }) => {
  const server = await startServer({ DATA_DIR: dir })
  // A request whose body is still coming in when the signal arrives.
  const { port } = new URL(server.url)
  const socket = connect(Number(port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write(
    'POST /api/nada HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{',
  )
  await new Promise((done) => setTimeout(done, 200))
  const stopped = server.stop()
  await new Promise((done) => setTimeout(done, 100))
  let answer = ''
  socket.on('data', (chunk) => (answer += chunk))
  socket.write('}')
  await once(socket, 'close')
  assert.match(answer, /^HTTP\/1\.1 404 /)
  assert.is(await stopped, 0)
  assert.not.ok(existsSync(join(dir, 'perrario.db-wal')), 'a closed database has merged its log')
  const db = new Database(join(dir, 'perrario.db'), { readonly: true })
  assert.is(db.pragma('integrity_check', { simple: true }), 'ok')
  db.close()
})
