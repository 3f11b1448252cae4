import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { setLog } from '#server/log/log.ts'
import { openMailQueue } from '#server/mail-queue.ts'

// The queue and nodemailer against a mail server that works, except for the domains of some recipients.

/** Recipients at RCPT, by domain. */
const asked: string[] = []
const hasAsked = (domain: string) => asked.filter((address) => address.endsWith(`@${domain}`)).length
const delivered: string[] = []
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  closeTimeout: 100,
  onRcptTo({ address }, _session, done) {
    asked.push(address)
    // As while the name servers of the domain do not answer.
    if (address.endsWith('@parado.example')) return
    done(address.endsWith('@cuelga.example') ? Object.assign(new Error('bye'), { responseCode: 421 }) : null)
  },
  onData(stream, { envelope }, done) {
    stream.resume().on('end', () => {
      delivered.push(...envelope.rcptTo.map(({ address }) => address))
      done()
    })
  },
})
// Connections that the client gives up.
server.on('error', () => {})
server.listen(0, '127.0.0.1')
await once(server.server, 'listening')
const { port } = server.server.address() as AddressInfo
process.env.SMTP_URL = `smtp://127.0.0.1:${port}?socketTimeout=250`
const { sendMail, checkMailServer } = await import('#server/mail.ts')

const stall = suite('unit/server/mail-stall')
stall.before(() => setLog({ write: () => {}, isSilent: true, isTerminal: false }))
stall.after(async () => {
  setLog(undefined)
  await new Promise<void>((done) => server.close(done))
})

const mailTo = (to: string) => ({ to, subject: 'Hola', text: 'Hola', html: '<p>Hola</p>' })
for (const domain of ['parado.example', 'cuelga.example'])
  stall(`recipients at ${domain}, of one network, leave the queue available for others`, async () => {
    const mails = openMailQueue({ send: sendMail, check: checkMailServer, retryDelaysMs: [1] })
    const sender = { ip: '192.0.2.1', isKnownDevice: false }
    for (let n = 0; n < 5; n++) assert.ok(mails.enqueue(mailTo(`x${n}@${domain}`), sender))
    while (mails.size() > 0) {
      assert.ok(mails.isDelivering())
      await new Promise((done) => setTimeout(done, 2))
    }
    assert.is(hasAsked(domain), 10)
    assert.ok(mails.isDelivering())
    assert.is(mails.failedInARow(), 5)
  })

stall.run()
