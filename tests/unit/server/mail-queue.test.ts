import { readCounter } from '#server/counters.ts'
import { setLog } from '#server/log/log.ts'
import type { Mail } from '#server/mail.ts'
import { type MailSender, openMailQueue } from '#server/mail-queue.ts'
import { assert, suite } from '#tests/support/suites.ts'

// The queue against a mail server that a test writes. Retries wait a millisecond, or never come.

const NEVER = 2 ** 30
const mailTo = (to: string): Mail => ({ to, subject: 'Hola', text: 'enlace-secreto', html: '<p>enlace-secreto</p>' })
const smtpError = (fields: object) => Object.assign(new Error('dice <ana@ejemplo.es> enlace-secreto'), fields)
const OUTAGE = () => smtpError({ code: 'ECONNECTION', command: 'CONN', responseCode: 421 })
const REFUSED = () => smtpError({ code: 'EENVELOPE', command: 'RCPT TO', responseCode: 550 })

let senders = 0
/** Somebody of a network of their own. */
const anyone = (): MailSender => ({ network: `10.0.${++senders >> 8}.${senders & 255}`, knownMailbox: null })

let lines: string[] = []
const queue = suite('unit/server/mail-queue')
queue.before.each(() => {
  lines = []
  setLog({ write: (_level, msg) => lines.push(msg), isSilent: false, isTerminal: false })
})
queue.after.each(() => setLog(undefined))

/** Resolves when the condition holds; a queue that never gets there fails by the runner's timeout. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((done) => setTimeout(done, 1))
}

interface Server {
  send?: (mail: Mail) => Promise<void>
  check?: () => Promise<void>
}
/** Opens a queue over a server that accepts everything, or what a test says. */
function open(server: Server, options: Partial<Parameters<typeof openMailQueue>[0]> = {}) {
  const sent: string[] = []
  let checks = 0
  const opened = openMailQueue({
    send: async (mail) => {
      await server.send?.(mail)
      sent.push(mail.to)
    },
    check: async () => {
      checks++
      await server.check?.()
    },
    retryDelaysMs: [1, 1, 1],
    checkIntervalMs: NEVER,
    closeTimeoutMs: 20,
    ...options,
  })
  const enqueue = (mail: Mail, sender = anyone()) => opened.enqueue(mail, sender)
  return { ...opened, enqueue, sent, checks: () => checks }
}
const outage = () => Promise.reject(OUTAGE())
const count = (outcome: string) => readCounter('mails').get(outcome) ?? 0

queue('a mail is sent after the request, and is counted', async () => {
  const before = count('sent')
  const mails = open({})
  assert.ok(mails.enqueue(mailTo('ana@ejemplo.es')))
  assert.equal(mails.sent, [])
  await until(() => mails.size() === 0)
  assert.equal(mails.sent, ['ana@ejemplo.es'])
  assert.is(count('sent'), before + 1)
  assert.ok(mails.isDelivering())
})

queue('a failed mail is retried and delays no other', async () => {
  let tries = 0
  const mails = open({ send: async () => (tries++ === 0 ? outage() : undefined) })
  mails.enqueue(mailTo('ana@ejemplo.es'))
  await until(() => tries === 1)
  assert.ok(mails.isDelivering())
  await until(() => mails.size() === 0)
  assert.equal(mails.sent, ['ana@ejemplo.es'])
})

queue('a mail is given up after its attempts, counted and logged without address and text', async () => {
  const before = count('failed')
  let tries = 0
  const mails = open({
    send: () => {
      tries++
      return outage()
    },
    check: outage,
  })
  mails.enqueue(mailTo('ana@ejemplo.es'))
  await until(() => mails.size() === 0)
  assert.is(tries, 4)
  assert.is(count('failed'), before + 1)
  assert.equal(lines, ['el correo no sale: ECONNECTION CONN 421', 'un mensaje no se pudo enviar: ECONNECTION CONN 421'])
})

queue('while the last attempts fail the queue is unavailable, until a check passes', async () => {
  let isDown = true
  const attempt = () => (isDown ? outage() : Promise.resolve())
  const mails = open({ send: attempt, check: attempt }, { retryDelaysMs: [], checkIntervalMs: 1 })
  mails.enqueue(mailTo('ana@ejemplo.es'))
  mails.enqueue(mailTo('bea@ejemplo.es'))
  await until(() => mails.size() === 0)
  assert.not(mails.isDelivering())
  const checksOfMails = mails.checks()
  await until(() => mails.checks() > checksOfMails + 1)
  assert.not(mails.isDelivering())
  isDown = false
  await until(mails.isDelivering)
  assert.is(lines.at(-1), 'el correo vuelve a salir')
})

queue('mails that fail by their own address or text delay no other, however many', async () => {
  let checks = 0
  for (const error of [
    { code: 'EMESSAGE', command: 'DATA', responseCode: 554 },
    { code: 'EMESSAGE', command: 'DATA', responseCode: 451 },
    { code: 'EENVELOPE', command: 'MAIL FROM', responseCode: 550 },
    { code: 'EENVELOPE', command: 'RCPT TO', responseCode: 450 },
    // The mail server stalls at the recipient, or hangs up, and works for all others.
    { code: 'ETIMEDOUT', command: 'CONN' },
    { code: 'ECONNECTION', command: 'CONN', responseCode: 421 },
    { code: 'ESOCKET', command: 'CONN' },
  ]) {
    const mails = open({ send: () => Promise.reject(smtpError(error)) }, { checkIntervalMs: 1 })
    for (let n = 0; n < 20; n++) {
      mails.enqueue(mailTo(`x${n}@-b.es`))
      assert.ok(mails.isDelivering(), JSON.stringify(error))
    }
    await until(() => mails.size() === 0)
    assert.ok(mails.isDelivering(), JSON.stringify(error))
    if (error.command === 'DATA') await until(() => mails.checks() > 0)
    checks += mails.checks()
  }
  assert.ok(checks > 0, 'the mail server itself was asked')
})

queue('mails that fail are counted until one goes out', async () => {
  const mails = open({ send: ({ to }) => (to === 'x@-b.es' ? Promise.reject(REFUSED()) : Promise.resolve()) })
  const send = async (to: string) => {
    mails.enqueue(mailTo(to))
    await until(() => mails.size() === 0)
    return mails.failedInARow()
  }
  assert.is(await send('x@-b.es'), 1)
  assert.is(await send('x@-b.es'), 2)
  assert.is(await send('ana@ejemplo.es'), 0)
  assert.is(await send('x@-b.es'), 1)
})

queue('an address that the mail server refuses delays no other and is not retried', async () => {
  let tries = 0
  const mails = open({
    send: () => {
      tries++
      return Promise.reject(REFUSED())
    },
  })
  for (let i = 0; i < 5; i++) mails.enqueue(mailTo(`nadie${i}@ejemplo.es`))
  await until(() => mails.size() === 0)
  assert.is(tries, 5)
  assert.ok(mails.isDelivering())
})

queue(
  'an address outside ASCII, which servers without SMTPUTF8 refuse with the sender, leaves the queue available',
  async () => {
    const refusal = () => Promise.reject(smtpError({ code: 'EENVELOPE', command: 'MAIL FROM', responseCode: 550 }))
    const mails = open({ send: refusal }, { retryDelaysMs: [] })
    for (let i = 0; i < 5; i++) mails.enqueue(mailTo(`ñandú${i}@ejemplo.es`))
    await until(() => mails.size() === 0)
    assert.ok(mails.isDelivering())
  },
)

queue('a server that hangs receives few connections, and a full queue accepts no more', async () => {
  let connections = 0
  const mails = open({
    send: () => {
      connections++
      return new Promise(() => {})
    },
  })
  let queued = 0
  while (mails.isDelivering() && queued < 10_000) {
    assert.ok(mails.enqueue(mailTo(`a${queued++}@ejemplo.es`)))
  }
  assert.is(queued, 500)
  assert.not(mails.enqueue(mailTo('uno-mas@ejemplo.es')))
  assert.is(mails.size(), 500)
  await until(() => connections > 0)
  assert.is(connections, 5)
  await mails.close()
  assert.equal(lines, ['quedan mensajes sin enviar'])
})

/** Mails until no more are taken. @returns how many were */
function fillShare({ enqueue }: ReturnType<typeof open>, senderOf: (n: number) => MailSender): number {
  let n = 0
  while (n < 500 && enqueue(mailTo(`a${n}@ejemplo.es`), senderOf(n))) n++
  return n
}

queue('a network has a quarter of the places, the last ones one for each mailbox of known devices', async () => {
  const hang = () => new Promise<never>(() => {})
  const mails = open({ send: hang, check: hang })
  const networks = [
    (n: number) => `2001:db8:7:${n.toString(16)}::/64`,
    (n: number) => `2001:db8:8:${n.toString(16)}::/64`,
    () => '192.0.2.1',
    () => '192.0.2.2',
  ]
  for (const [i, network] of networks.entries()) {
    const stranger = (n: number) => ({ network: network(n), knownMailbox: null })
    const member = (name: string) => (n: number) => ({ network: network(n), knownMailbox: `${name}@ejemplo.es` })
    assert.ok(mails.isDelivering(), `${i} others leave room`)
    assert.is(fillShare(mails, i % 2 ? member('ana') : stranger), 100)
    assert.not(mails.hasRoomFor(stranger(999)))
    assert.is(fillShare(mails, member('ana')), i % 2 ? 0 : 1)
    assert.is(fillShare(mails, member('bea')), 1, 'a mailbox does not take what is left to the others')
    assert.ok(mails.hasRoomFor(member('carla')(999)))
    const left = i % 2 ? 24 : 23
    assert.is(
      fillShare(mails, (n) => member(`vecina${n}`)(n)),
      left,
    )
    assert.not(mails.hasRoomFor(member('carla')(999)))
    assert.is(mails.size(), (i + 1) * 125)
  }
  assert.not(mails.isDelivering())
  await mails.close()
})

queue('a place of the share is free again after a time that does not depend on the mail', async () => {
  const sender = (n: number) => ({ network: '192.0.2.1', knownMailbox: `vecina${n}@ejemplo.es` })
  const sentAtOnce = open({}, { placeHoldMs: NEVER })
  assert.is(fillShare(sentAtOnce, sender), 125)
  await until(() => sentAtOnce.size() === 0)
  assert.not(sentAtOnce.hasRoomFor(sender(999)))

  let release = () => {}
  const hung = new Promise<void>((done) => (release = done))
  const slow = open({ send: () => hung, check: () => hung }, { placeHoldMs: 1 })
  assert.is(fillShare(slow, sender), 125)
  // Timers of one length end in the order in which they begin: those of the places have ended.
  await new Promise((done) => setTimeout(done, 1))
  assert.not(slow.hasRoomFor(sender(999)), 'while the mails are there')
  release()
  await until(() => slow.size() === 0)
  assert.is(fillShare(slow, sender), 125, 'all of it is free again')
})

queue('closing makes a last attempt without the pause', async () => {
  let tries = 0
  const mails = open({ send: async () => (tries++ === 0 ? outage() : undefined) }, { retryDelaysMs: [NEVER] })
  mails.enqueue(mailTo('ana@ejemplo.es'))
  await until(() => tries === 1)
  await mails.close()
  assert.equal(mails.sent, ['ana@ejemplo.es'])
  assert.equal(lines, [])
})
