import { hideDog } from '#features/dogs/hidden-dogs.server.ts'
import { lostAlertMail } from '#features/lost/alerts/alert-mail.ts'
import { readUnsubscription, unsubscribeByToken } from '#features/account/unsubscribe.server.ts'
import { readLostAlerts, saveLostAlerts } from '#features/lost/alerts/alert-settings.server.ts'
import { lostAlerts } from '#features/lost/alerts/send-alerts.server.ts'
import { LOST_MAILS, lostMails } from '#features/lost/alerts/send-mails.server.ts'
import { addBlock } from '#features/moderation/blocks.server.ts'
import { enqueue } from '#features/outbox/jobs.server.ts'
import type { OutgoingMail } from '#features/outbox/mail-topic.server.ts'
import { listWaitingTopics } from '#features/outbox/waiting.server.ts'
import { runDueJobs } from '#features/outbox/outbox.server.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#lib/time.ts'
import { addLostCase } from '#tests/support/lost/lost-case.ts'
import { countJobs, mailDue } from '#tests/support/jobs.ts'
import { keptMails } from '#tests/support/notifications/kept-mails.ts'
import { assert, dbSuite, type DbWorld, type WorldOf } from '#tests/support/suites.ts'
import { type CurrentUser, dog, member, seed } from '#tests/support/seed.ts'

const SITE = 'https://perrario.example'
const NOON = Date.parse('2026-11-20T11:00:00Z')

const mails = dbSuite(
  'unit/lost/alerts-mail',
  { ana: member({ alias: 'Ana' }), bea: member(), toby: dog({ name: 'Toby <b>' }) },
  async (t) => {
    await waitByMail(t, t.ana)
    return keptMails(SITE)
  },
)
type World = WorldOf<typeof mails>

const waitByMail = ({ db }: DbWorld, user: CurrentUser, by_mail = true) =>
  saveLostAlerts(db, user, { zone: 'Getafe', radius_km: 5, breaks_quiet: false, by_mail, by_push: true })
const loseToby = async ({ db, toby, bea }: World) => {
  const id = await addLostCase(db, { dog_id: toby.id, owner_id: bea.id, opened_at: NOON })
  await runDueJobs(db, [lostAlerts], { now: NOON })
  return id
}
const send = ({ db, mailer, sent }: World, now = NOON + 1000) => mailDue(db, lostMails(mailer), sent, now)
const queued = ({ db }: World) => countJobs(db, LOST_MAILS)
const queueAgain = ({ db, ana }: World, caseId: string) =>
  enqueue(db, LOST_MAILS, [{ key: `${caseId} ${ana.id}` }], NOON)
const tokenIn = (mail: OutgoingMail): string => /\/baja\?token=([\w-]{43})\n/.exec(mail.text)![1]!

mails('the mail has photo, name, zone and time, and how to end it', async (t) => {
  await loseToby(t)
  assert.is(await send(t), 1)
  const [mail] = t.sent as [OutgoingMail]
  const token = tokenIn(mail)
  assert.equal([mail.to, mail.subject], [t.ana.email, 'Se ha perdido Toby <b>, a menos de 2 km de tu zona'])
  assert.match(
    mail.text,
    'Se ha perdido Toby <b> cerca de Getafe, Madrid, a menos de 2 km de tu zona. Falta desde el 20 nov 2026, 11:00.',
  )
  assert.match(mail.text, `${SITE}${t.toby.path}\n`)
  assert.match(mail.text, `${SITE}/baja?token=${token}`)
  assert.match(mail.html, 'Toby &lt;b&gt;')
  assert.not.match(mail.html, 'Toby <b>')
  assert.match(mail.html, new RegExp(`<img src="${SITE}/_ipx/[^"]+/photos/`))
  assert.equal(mail.headers, {
    'List-Unsubscribe': `<${SITE}/api/unsubscribe?token=${token}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  })
  assert.equal([await send(t), await queued(t)], [0, 0])
})

mails('over plain http no mail program unsubscribes by itself, and a dog without a name or photo has its words', () => {
  const fields = {
    alias: 'Ana',
    name: '???',
    path: '/beagle/x',
    photo: null,
    zone: '',
    since: NOON,
    km: 30,
    token: 't',
  }
  const { subject, headers, html } = lostAlertMail('http://localhost:1', fields)
  assert.is(subject, 'Se ha perdido el perro sin nombre, a menos de 50 km de tu zona')
  assert.equal(Object.keys(headers), ['List-Unsubscribe'])
  assert.not.match(html, '<img')
})

mails('who did not ask for mails gets none, nor who asked for none meanwhile', async (t) => {
  await waitByMail(t, t.ana, false)
  const [eva] = await seed(t.db, member())
  await waitByMail(t, eva)
  await loseToby(t)
  assert.is(await queued(t), 1)
  await waitByMail(t, eva, false)
  assert.equal([await send(t), t.sent], [0, []])
})

mails('what has changed since it was queued counts: an end, a block, a hidden dog', async (t) => {
  const id = await loseToby(t)
  await addBlock(t.db, t.ana, t.bea.id)
  assert.equal([await send(t), await queued(t)], [0, 0])
  await queueAgain(t, id)
  await t.db.deleteFrom('blocks').execute()
  await t.db.transaction().execute((trx) => hideDog(trx, t.toby.id, 'admin'))
  assert.equal([await send(t), await queued(t)], [0, 0])
  await queueAgain(t, id)
  await t.db.deleteFrom('lost_cases').execute()
  assert.equal([await send(t), await queued(t)], [0, 0])
})

mails('a mail server that fails keeps the mail, one that refuses the address does not', async (t) => {
  await loseToby(t)
  const fail = async () => {
    throw new Error('ECONNREFUSED')
  }
  t.mailer.send = fail
  assert.equal([await send(t), await queued(t)], [0, 1])
  t.mailer.isRefused = () => true
  assert.equal([await send(t, NOON + MINUTE_MS), await queued(t)], [0, 0])
})

mails('a mailbox that is refused for now holds up nobody, is tried again later and given up after a day', async (t) => {
  const people = await seed(t.db, ...Array.from({ length: 50 }, () => member()))
  for (const someone of people) await waitByMail(t, someone)
  await loseToby(t)
  const tried: string[] = []
  const full = Object.assign(new Error('452'), { code: 'EENVELOPE', command: 'RCPT TO', responseCode: 452 })
  t.mailer.isMailRefusal = (error) => error === full
  t.mailer.send = async (mail) => {
    if (mail.to === t.ana.email) throw (tried.push(mail.to), full)
    t.sent.push(mail)
  }
  // The first round has fifty of the fifty-one.
  await send(t)
  await send(t)
  assert.equal([t.sent.length, tried.length, await queued(t)], [50, 1, 1])
  const topic = (await listWaitingTopics(t.db, NOON + 1000)).find((waiting) => waiting.topic === LOST_MAILS)
  assert.equal([topic?.topic, topic?.failed, topic?.error], [LOST_MAILS, 1, 'Error EENVELOPE'])
  await send(t, NOON + 14 * MINUTE_MS)
  assert.is(tried.length, 1)
  await send(t, NOON + 16 * MINUTE_MS)
  assert.equal([tried.length, await send(t, NOON + DAY_MS + 1), await queued(t), tried.length], [2, 0, 0, 2])
})

mails('a mail at which the mail server stalls goes behind the others', async (t) => {
  const [eva] = await seed(t.db, member())
  await waitByMail(t, eva)
  await loseToby(t)
  const stalled: string[] = []
  t.mailer.send = async (mail) => {
    if (stalled.length === 0) stalled.push(mail.to)
    if (mail.to === stalled[0]) throw new Error('ETIMEDOUT')
    t.sent.push(mail)
  }
  for (let round = 1; round <= 2; round++) await send(t, NOON + round * MINUTE_MS)
  assert.equal([t.sent.length, await queued(t)], [1, 1])
  assert.is.not(t.sent[0]?.to, stalled[0])
})

mails('a mail that fails when its case ends is not put back', async (t) => {
  const id = await loseToby(t)
  t.mailer.send = async () => {
    await t.db.deleteFrom('lost_cases').where('id', '=', id).execute()
    throw new Error('ECONNREFUSED')
  }
  await send(t)
  assert.equal([await send(t, NOON + HOUR_MS), await queued(t)], [0, 0])
})

mails('a round sends fifty, and what is a day old is no news', async (t) => {
  const people = await seed(t.db, ...Array.from({ length: 59 }, () => member()))
  for (const someone of people) await waitByMail(t, someone)
  await loseToby(t)
  assert.equal([await send(t), await queued(t)], [50, 10])
  assert.equal([await send(t, NOON + DAY_MS + 1), await queued(t)], [0, 0])
  assert.is(new Set(t.sent.map(({ to }) => to)).size, 50)
})

mails('its token ends the mails of its member alone, and nothing else', async (t) => {
  await waitByMail(t, t.bea)
  await loseToby(t)
  await send(t)
  const token = tokenIn(t.sent[0]!)
  assert.is((await readUnsubscription(t.db, token)).state, 'on')
  assert.equal([await unsubscribeByToken(t.db, token), await unsubscribeByToken(t.db, 'otro')], [true, false])
  assert.is((await readUnsubscription(t.db, token)).state, 'off')
  const ana = await readLostAlerts(t.db, t.ana.id)
  assert.equal([ana?.by_mail, ana?.by_push, ana?.zone], [false, true, 'Getafe, Madrid'])
  assert.is((await readLostAlerts(t.db, t.bea.id))?.by_mail, true)
  await waitByMail(t, t.ana)
  assert.is((await readUnsubscription(t.db, token)).state, 'on', 'links of earlier mails stay good')
})
