import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { watch } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assert, suite } from '#tests/support/suites.ts'
const dir = mkdtempSync(join(tmpdir(), 'perrario-outbox-'))
process.env.DATA_DIR = dir
delete process.env.SMTP_URL
const { sendMail } = await import('#server/mail.ts')

const outbox = suite('unit/server/mail-outbox')

outbox('a mail is written within the outbox, which may be on another disk than the data', async () => {
  const seen: string[] = []
  const leaving = new AbortController()
  const watching = (async () => {
    for await (const { filename } of watch(dir, { signal: leaving.signal })) if (filename) seen.push(filename)
  })().catch(() => {})
  for (let i = 0; i < 3; i++)
    await sendMail({ to: 'ana@ejemplo.es', subject: 'Hola', text: 'Hola', html: '<p>Hola</p>' })
  await new Promise((done) => setTimeout(done, 100))
  leaving.abort()
  await watching
  assert.equal([...new Set(seen)], ['outbox'])
  const mails = readdirSync(join(dir, 'outbox'))
  assert.is(mails.length, 3)
  for (const mail of mails) {
    assert.match(mail, /^\d+-[0-9a-f]{12}\.eml$/)
    assert.match(readFileSync(join(dir, 'outbox', mail), 'utf8'), 'To: ana@ejemplo.es')
  }
})

outbox.after(() => rmSync(dir, { recursive: true }))
