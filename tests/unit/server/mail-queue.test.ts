import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readCounter } from '#server/counters.ts'
import { setLog } from '#server/log/log.ts'
import type { Mail } from '#server/mail.ts'
import { openMailQueue } from '#server/mail-queue.ts'

// The queue against a mail server that a test writes. Retries wait a millisecond, or never come.

const NEVER = 2 ** 30
const mailTo = (to: string): Mail => ({ to, subject: 'Hola', text: 'enlace-secreto', html: '<p>enlace-secreto</p>' })
const smtpError = (fields: object) => Object.assign(new Error('dice <ana@ejemplo.es> enlace-secreto'), fields)
const OUTAGE = () => smtpError({ code: 'ECONNECTION', command: 'CONN', responseCode: 421 })
const REFUSED = () => smtpError({ code: 'EENVELOPE', command: 'RCPT TO', responseCode: 550 })

let lines: string[] = []
const queue = suite('mail queue')
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
  return { ...opened, sent, checks: () => checks }
}
const outage = () => Promise.reject(OUTAGE())
const count = (outcome: string) => readCounter('mails').get(outcome) ?? 0

queue('a mail goes out after the request, and is counted', async () => {
  const before = count('sent')
  const mails = open({})
  assert.ok(mails.enqueue(mailTo('ana@ejemplo.es')))
  assert.equal(mails.sent, [])
  await until(() => mails.size() === 0)
  assert.equal(mails.sent, ['ana@ejemplo.es'])
  assert.is(count('sent'), before + 1)
  assert.ok(mails.isDelivering())
})

queue('a failed mail is tried again, and one failure stops nobody', async () => {
  let tries = 0
  const mails = open({ send: async () => (tries++ === 0 ? outage() : undefined) })
  mails.enqueue(mailTo('ana@ejemplo.es'))
  await until(() => tries === 1)
  assert.ok(mails.isDelivering())
  await until(() => mails.size() === 0)
  assert.equal(mails.sent, ['ana@ejemplo.es'])
})

queue('a mail is given up after its tries, counted and logged without address and text', async () => {
  const before = count('failed')
  let tries = 0
  const mails = open({
    send: () => {
      tries++
      return outage()
    },
  })
  mails.enqueue(mailTo('ana@ejemplo.es'))
  await until(() => mails.size() === 0)
  assert.is(tries, 4)
  assert.is(count('failed'), before + 1)
  assert.equal(lines, ['el correo no sale: ECONNECTION CONN 421', 'un mensaje no se pudo enviar: ECONNECTION CONN 421'])
})

queue('while the last attempts fail nothing is delivering, until a check passes', async () => {
  let isDown = true
  const attempt = () => (isDown ? outage() : Promise.resolve())
  const mails = open({ send: attempt, check: attempt }, { retryDelaysMs: [], checkIntervalMs: 1 })
  mails.enqueue(mailTo('ana@ejemplo.es'))
  mails.enqueue(mailTo('bea@ejemplo.es'))
  await until(() => mails.size() === 0)
  assert.not(mails.isDelivering())
  await until(() => mails.checks() > 1)
  assert.not(mails.isDelivering())
  isDown = false
  await until(mails.isDelivering)
  assert.is(lines.at(-1), 'el correo vuelve a salir')
})

queue('a mail that is not sent to a mailbox changes the state as a sent one does', async () => {
  const mails = open({ check: outage }, { retryDelaysMs: [1] })
  mails.enqueue(null)
  assert.is(mails.size(), 1)
  await until(() => mails.size() === 0)
  assert.is(mails.checks(), 2)
  assert.not(mails.isDelivering())
})

queue('mails that fail by their own address or text stop nobody, however many', async () => {
  let checks = 0
  for (const error of [
    { code: 'EMESSAGE', command: 'DATA', responseCode: 554 },
    { code: 'EMESSAGE', command: 'DATA', responseCode: 451 },
    { code: 'EENVELOPE', command: 'MAIL FROM', responseCode: 550 },
    { code: 'EENVELOPE', command: 'RCPT TO', responseCode: 450 },
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

queue('an address that the mail server refuses stops nobody else and is not tried again', async () => {
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

queue('nor does an address outside ASCII, which servers without SMTPUTF8 refuse with the sender', async () => {
  const refusal = () => Promise.reject(smtpError({ code: 'EENVELOPE', command: 'MAIL FROM', responseCode: 550 }))
  const mails = open({ send: refusal }, { retryDelaysMs: [] })
  for (let i = 0; i < 5; i++) mails.enqueue(mailTo(`ñandú${i}@ejemplo.es`))
  await until(() => mails.size() === 0)
  assert.ok(mails.isDelivering())
})

queue('a server that hangs gets few connections, and a full queue takes no more', async () => {
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

queue('closing makes a last try without the wait', async () => {
  let tries = 0
  const mails = open({ send: async () => (tries++ === 0 ? outage() : undefined) }, { retryDelaysMs: [NEVER] })
  mails.enqueue(mailTo('ana@ejemplo.es'))
  await until(() => tries === 1)
  await mails.close()
  assert.equal(mails.sent, ['ana@ejemplo.es'])
  assert.equal(lines, [])
})

queue.run()
