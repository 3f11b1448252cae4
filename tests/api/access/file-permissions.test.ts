import { spawn } from 'node:child_process'
import { chmodSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { runCommand } from '#tests/support/operator-command.ts'
import { lastMailTo } from '#tests/support/outbox.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { freePort, serverEnv, startServer } from '#tests/support/server.ts'
import { answered, assert, assertNone, call, formOf, signIn, suite } from '#tests/support/suites.ts'

// Other accounts of the machine can read neither the data nor, in a log, sign-in secrets.

const permissions = suite('api/access/file-permissions')
// As it is where nobody thought of it.
process.umask(0o022)

/** What others may read or enter, `mode path`. */
const findOpenFiles = (...folders: string[]): string[] =>
  folders.flatMap((folder) =>
    ['', ...readdirSync(folder, { recursive: true }).map(String)].flatMap((name) => {
      const info = lstatSync(join(folder, name))
      return info.mode & 0o077 ? [`${(info.mode & 0o777).toString(8)} ${join(folder, name)}`] : []
    }),
  )

permissions(
  'every file below DATA_DIR and BACKUP_DIR is accessible to the operator alone, whichever program wrote it',
  async () => {
    const root = mkdtempSync(join(tmpdir(), 'perrario-own-'))
    const [DATA_DIR, BACKUP_DIR] = [join(root, 'var'), join(root, 'copias')]
    const dirs = { DATA_DIR, BACKUP_DIR }
    const run = async (name: string, ...words: string[]) => {
      const { code, output } = await runCommand(name, words, dirs)
      assert.is(code, 0, `${name} ${words.join(' ')}: ${output}`)
      assert.equal(findOpenFiles(DATA_DIR, BACKUP_DIR), [], `after ${name}`)
    }
    try {
      const server = await startServer(dirs)
      const { cookie } = await signIn(server, 'ana@ejemplo.es')
      const form = formOf({ name: 'Toby', breed: 'Beagle', relationship: 'owner', images: new Blob([await photo()]) })
      const { dog } = (await call(server, '/api/dogs', { method: 'POST', form, cookie })).body
      await (await answered(200, fetch(`${server.url}/_ipx/q_90,s_120x120${dog.photo_url}`))).arrayBuffer()
      await fetch(`${server.url}/tarjetas/perro/${dog.id}.jpg`).then((response) => response.arrayBuffer())
      await call(server, '/api/auth/magic-link', { method: 'POST', json: { email: 'bea@ejemplo.es' } })
      await call(server, '/api/push', { cookie })
      assert.equal(findOpenFiles(DATA_DIR), [], 'while it runs')
      await run('backup')
      const { alias } = (await call(server, '/api/session', { cookie })).body.user
      await run('admin', 'verify', alias)
      await run('doctor', '--repair')
      await server.stop()
      await run(
        'restore',
        readdirSync(BACKUP_DIR).find((name) => /^\d{4}-/.test(name))!,
      )
      await run('doctor')
      // Files of an earlier version with open permissions: the next start closes the folder, the doctor repairs each file.
      for (const folder of [DATA_DIR, BACKUP_DIR])
        for (const name of ['', ...readdirSync(folder, { recursive: true }).map(String)])
          chmodSync(join(folder, name), lstatSync(join(folder, name)).isDirectory() ? 0o755 : 0o644)
      const again = await startServer(dirs)
      const barred = (folder: string) => ['', ...readdirSync(folder)].map((name) => join(folder, name))
      assertNone([...barred(DATA_DIR), ...barred(BACKUP_DIR)], (path) => lstatSync(path).mode & 0o077)
      await again.stop()
      assert.equal((await runCommand('doctor', ['--repair'], dirs)).code, 0)
      assert.equal(findOpenFiles(DATA_DIR), [])
    } finally {
      rmSync(root, { recursive: true, force: true })
    }
  },
)

permissions('a sign-in link is printed at a terminal and written to no file', async () => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'perrario-tty-'))
  const port = await freePort()
  const env = serverEnv({ DATA_DIR, PORT: String(port), LOG: 'pretty' })
  const command = `${process.execPath} --disable-warning=ExperimentalWarning scripts/serve.mjs`
  const child = spawn('script', ['-qefc', command, '/dev/null'], { cwd: resolve(import.meta.dirname, '../../..'), env })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  const until = async (text: string) => {
    for (let n = 0; !output.includes(text) && n < 600; n++) await new Promise((done) => setTimeout(done, 50))
    assert.ok(output.includes(text), `${text} in ${output}`)
  }
  try {
    await until('listo en')
    await fetch(`http://127.0.0.1:${port}/api/auth/magic-link`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: 'ana@ejemplo.es' }),
    })
    await until(lastMailTo(DATA_DIR, 'ana@ejemplo.es').code)
  } finally {
    const ended = new Promise((done) => child.on('close', done))
    // The end of the terminal, as where its window is closed.
    child.stdin.end('\x03')
    await Promise.race([ended, new Promise((done) => setTimeout(done, 5000))])
    child.kill()
    rmSync(DATA_DIR, { recursive: true, force: true })
  }
})
