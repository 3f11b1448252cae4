import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from '#tests/support/operator-command.ts'
import { operatorEnv, startServer, type TestServer } from '#tests/support/server.ts'
import { assert, signIn, suite } from '#tests/support/suites.ts'

// What is wrong with the settings or the machine reaches the operator once in the log, and then by the doctor and on /admin.

const ADMIN = 'admin@ejemplo.es'
const METRICS_TOKEN = 'una-clave-larga-de-metricas'
const dir = mkdtempSync(join(tmpdir(), 'perrario-warnings-'))
writeFileSync(join(dir, 'file'), '')
/** Nobody can write into a folder that is a file's, not even root. */
const backups = { BACKUP_DIR: join(dir, 'file/backups'), BACKUPS: '7,4,6' }

const warned = suite<{ server: TestServer }>('api/server/operator-warnings')
warned.before(async (t) => {
  t.server = await startServer({ SITE_URL: 'http://perrario.ejemplo', ADMIN_EMAIL: ADMIN, METRICS_TOKEN, ...backups })
})
warned.after(async ({ server }) => {
  await server.dispose()
  rmSync(dir, { recursive: true })
})

const TEXTS = [
  /BACKUP_DIR \(\S+\/file\/backups\) no sirve y no se hace ninguna copia: [^\n<]+/,
  /TRUST_PROXY no está puesto y llegan peticiones con X-Forwarded-For: todas las personas cuentan como una sola en los límites[^\n<]+/,
  /SITE_URL es http:\/\/perrario\.ejemplo, pero se usa el sitio en http:\/\/127\.0\.0\.1:\d+: ahí nadie puede entrar ni publicar[^\n<]+/,
]
const listWarnings = (text: string) => TEXTS.map((pattern) => text.split(pattern).length - 1)

const post = (server: TestServer, origin: string, headers: Record<string, string> = {}) =>
  fetch(`${server.url}/api/auth/magic-link`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: origin, ...headers },
    body: '{"email":"ana@ejemplo.es"}',
  })

warned('each fault is said once in the log', async ({ server }) => {
  assert.equal(listWarnings(server.output()), [1, 0, 0])
  assert.is((await post(server, 'https://otro.ejemplo')).status, 403)
  assert.equal(listWarnings(server.output()), [1, 0, 0], 'another site is none of the operator’s')
  for (const person of ['203.0.113.1', '203.0.113.2'])
    assert.is((await post(server, server.url, { 'X-Forwarded-For': person })).status, 403)
  assert.equal(listWarnings(server.output()), [1, 1, 1])
})

warned('the doctor, /admin and the metrics say them too', async ({ server }) => {
  const doctor = await runCommand('doctor', [], { ...operatorEnv(server), ...backups })
  assert.equal(listWarnings(doctor.output), [1, 1, 1])
  assert.match(doctor.output, /^error +copias +no se pueden escribir en \S+: \S/m)
  const { cookie } = await signIn(server, ADMIN)
  const page = await (await fetch(`${server.url}/admin`, { headers: { Cookie: cookie } })).text()
  assert.equal(listWarnings(page), [1, 1, 1])
  const metrics = await fetch(`${server.url}/metrics`, { headers: { Authorization: `Bearer ${METRICS_TOKEN}` } })
  assert.match(await metrics.text(), /^perrario_backup_ok 0$/m)
})

warned('a start forgets what the last one noticed', async ({ server }) => {
  const file = join(server.dataDir, 'warnings.json')
  const from = server.output().length
  await server.restart()
  assert.equal(listWarnings(server.output().slice(from)), [1, 0, 0])
  assert.ok(existsSync(file))
  const doctor = await runCommand('doctor', [], { ...operatorEnv(server), ...backups })
  assert.equal(listWarnings(doctor.output), [1, 0, 0])
})
