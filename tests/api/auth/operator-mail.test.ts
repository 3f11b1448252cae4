import { once } from 'node:events'
import { SMTPServer } from 'smtp-server'
import { runCommand } from '#tests/support/operator-command.ts'
import { readOutbox } from '#tests/support/outbox.ts'
import { operatorEnv, type TestServer } from '#tests/support/server.ts'
import { assert, call, serverSuite } from '#tests/support/suites.ts'

// What an operator does about mail at a terminal: a link for a site without a mail server, and a test of one.

const operator = serverSuite('api/auth/operator-mail')

const run = ({ server }: { server: TestServer }, words: string[], env: Record<string, string> = {}) =>
  runCommand('admin', words, { ...operatorEnv(server), ...env })

operator('a link from the terminal signs in once, as whom it was written for', async (t) => {
  const { code, output } = await run(t, ['link', ' Ana@Ejemplo.es '], { SITE_URL: 'https://perrario.ejemplo' })
  assert.is(code, 0, output)
  assert.match(output, 'para entrar como ana@ejemplo.es, una sola vez')
  const [, token = ''] = /^https:\/\/perrario\.ejemplo\/.*?([\w-]{43})$/m.exec(output) ?? []
  const enter = () => call(t.server, '/api/auth/link', { method: 'POST', json: { token } })
  const opened = await enter()
  assert.is(opened.status, 200, JSON.stringify(opened.body))
  assert.is(opened.body.user.email, 'ana@ejemplo.es')
  assert.is((await enter()).status, 422)
})

operator('no link and no mail for what is no address', async (t) => {
  for (const command of ['link', 'mail']) {
    assert.is((await run(t, [command])).code, 2)
    for (const typed of ['ana', 'ana@', 'ana@ejemplo.es, eva@ejemplo.es', 'ana@10.0.0.1']) {
      const { code, output } = await run(t, [command, typed])
      assert.is(code, 1, output)
      assert.match(output, `«${typed}» no es una dirección de correo.`)
    }
  }
})

operator('a test mail arrives, or one line says why not', async (t) => {
  const raw: string[] = []
  const mailServer = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, done) =>
      done(address === 'nadie@ejemplo.es' ? Object.assign(new Error('no such user'), { responseCode: 550 }) : null),
    onData(stream, _session, done) {
      stream.on('data', (chunk: Buffer) => raw.push(chunk.toString()))
      stream.on('end', () => done())
    },
  })
  mailServer.listen(0, '127.0.0.1')
  await once(mailServer.server, 'listening')
  const { port } = mailServer.server.address() as { port: number }
  const SMTP_URL = `smtp://127.0.0.1:${port}`
  const sent = await run(t, ['mail', 'ana@ejemplo.es'], { SMTP_URL })
  assert.is(sent.code, 0, sent.output)
  assert.match(sent.output, 'el servidor de correo ha aceptado el mensaje')
  assert.match(raw.join(''), 'Prueba del correo de Perrario')
  const refused = await run(t, ['mail', 'nadie@ejemplo.es'], { SMTP_URL })
  assert.is(refused.code, 1)
  assert.match(refused.output, /no ha aceptado el mensaje: EENVELOPE RCPT TO 550\. Revisa SMTP_URL y MAIL_FROM\.\n$/)
  await new Promise<void>((done) => mailServer.close(done))
  const gone = await run(t, ['mail', 'ana@ejemplo.es'], { SMTP_URL })
  assert.is(gone.code, 1)
  assert.match(gone.output, 'ECONNREFUSED')
  assert.is(gone.output.trim().split('\n').length, 1)
})

operator('without a mail server the test is in the outbox, as every mail is', async (t) => {
  const before = readOutbox(t.server.dataDir).length
  const { code, output } = await run(t, ['mail', 'ana@ejemplo.es'])
  assert.is(code, 0, output)
  assert.match(output, 'sin SMTP_URL no se envía nada')
  assert.is(readOutbox(t.server.dataDir).length, before + 1)
})
