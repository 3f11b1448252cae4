import { exportMessageMails } from '#features/account/export/export-messages.server.ts'
import {
  askForMails,
  confirmAddress,
  readConfirmation,
  readMailWish,
  stopMails,
  toAbout,
} from '#features/contact/relay/mail-wishes.server.ts'
import { messageMails } from '#features/contact/relay/send-mails.server.ts'
import { readUnsubscription, unsubscribeByToken } from '#features/account/unsubscribe.server.ts'
import { deleteExpiredRows } from '#features/account/personal-data/expired-rows.server.ts'
import { finderSecret } from '#features/contact/finder-secret.server.ts'
import { markThreadRead, openThread, type ContactReader } from '#features/contact/threads.server.ts'
import { ban } from '#features/moderation/bans.server.ts'
import { issueSecret } from '#features/secrets/secrets.server.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#lib/time.ts'
import { postMessage } from '#tests/support/contact/post-message.ts'
import { mailDue } from '#tests/support/jobs.ts'
import type { OutgoingMail } from '#features/outbox/mail-topic.server.ts'
import { addLostCase } from '#tests/support/sightings/lost-case.ts'
import { keptMails } from '#tests/support/notifications/kept-mails.ts'
import { assert, dbSuite, dog, member, pluck, refusal, type WorldOf } from '#tests/support/suites.ts'

const NOW = Date.parse('2026-11-20T11:00:00Z')
const SITE = 'https://perrario.example'
const ADDRESS = 'quien-vio@ejemplo.es'

const relay = dbSuite(
  'unit/contact/relay',
  { ana: member({ alias: 'Anabel' }), toby: dog({ name: 'Toby' }) },
  async ({ db, ana, toby }) => {
    const caseId = await addLostCase(db, { dogId: toby.id, ownerId: ana.id })
    const { secret, hash } = finderSecret()
    const thread = await openThread(db, { lostCaseId: caseId, memberId: ana.id, finder: { secretHash: hash } }, NOW)
    const device: ContactReader = { userId: null, secrets: new Map([['x', secret]]) }
    return { ...keptMails(SITE), threadId: thread.id, device }
  },
)
type World = WorldOf<typeof relay>

const owner = ({ ana }: World): ContactReader => ({ userId: ana.id, secrets: new Map() })
const ask = async (t: World, address = ADDRESS, now = NOW) =>
  (await askForMails(t.db, t.device, t.threadId, address, now))?.token
const stateOf = async (t: World, now = NOW) => (await readMailWish(t.db, t.device, t.threadId, now)).state
const write = (t: World, now: number) => postMessage(t.db, 'member', t.threadId, 'Ven a la plaza del olmo', now)
const send = (t: World, now: number) => mailDue(t.db, messageMails(t.mailer), t.sent, now)
const tokenIn = (mail?: OutgoingMail): string => /\/baja\?token=([\w-]{43})\n/.exec(mail!.text)![1]!

relay('an address is mailed nothing before its link was confirmed, which opening it does not', async (t) => {
  const token = (await ask(t))!
  assert.is(await stateOf(t), 'pending')
  await write(t, NOW)
  assert.is(await send(t, NOW + DAY_MS), 0)
  assert.is(await readConfirmation(t.db, token, NOW), 'open')
  assert.is(await stateOf(t), 'pending')
  assert.not.ok(await confirmAddress(t.db, `${token}x`, NOW))
  assert.ok(await confirmAddress(t.db, token, NOW + 1000))
  assert.equal([await stateOf(t), await readConfirmation(t.db, token, NOW)], ['on', 'done'])
  assert.ok(await confirmAddress(t.db, token, NOW + 2000))
  // What was written before is mailed.
  assert.is(await send(t, NOW + 2000), 1)
})

relay('a mail has no word of the message, and no name but the dog’s', async (t) => {
  await confirmAddress(t.db, (await ask(t))!, NOW)
  await write(t, NOW)
  assert.is(await send(t, NOW + MINUTE_MS), 1)
  const [mail] = t.sent
  assert.equal([mail!.to, mail!.subject], [ADDRESS, 'Tienes un mensaje sobre Toby'])
  for (const secret of ['olmo', 'Anabel', t.ana.email!, t.ana.id]) {
    assert.not.ok(mail!.text.includes(secret), secret)
    assert.not.ok(mail!.html.includes(secret), secret)
  }
  assert.ok(mail!.text.includes(`${SITE}/mensajes/${t.threadId}`))
  assert.is(mail!.headers!['List-Unsubscribe-Post'], 'List-Unsubscribe=One-Click')
})

relay('one mail an hour stands for all messages, and none for what was read', async (t) => {
  await confirmAddress(t.db, (await ask(t))!, NOW)
  assert.is(await send(t, NOW), 0)
  for (const at of [1, 2, 3]) await write(t, NOW + at * 1000)
  assert.equal([await send(t, NOW + 30_000), await send(t, NOW + 2 * MINUTE_MS)], [0, 1])
  await write(t, NOW + 3 * MINUTE_MS)
  assert.equal([await send(t, NOW + 50 * MINUTE_MS), await send(t, NOW + 63 * MINUTE_MS)], [0, 1])
  await write(t, NOW + 3 * HOUR_MS)
  await markThreadRead(t.db, t.device, t.threadId, NOW + 3 * HOUR_MS)
  assert.is(await send(t, NOW + 4 * HOUR_MS), 0)
  // One's own message is none to be mailed of.
  await postMessage(t.db, 'finder', t.threadId, 'Voy', NOW + 5 * HOUR_MS)
  assert.is(await send(t, NOW + 6 * HOUR_MS), 0)
})

relay('a member is mailed at their account’s address, where they asked for it and nobody bars them', async (t) => {
  assert.equal(await readMailWish(t.db, owner(t), t.threadId), { state: 'off', hasAccount: true })
  // Nothing that is typed takes the place of the account's address.
  assert.is(await askForMails(t.db, owner(t), t.threadId, 'otra@ejemplo.es', NOW), null)
  await postMessage(t.db, 'finder', t.threadId, 'Lo he visto', NOW)
  assert.equal([await send(t, NOW + MINUTE_MS), t.sent[0]!.to], [1, t.ana.email])
  const exported = await Array.fromAsync(exportMessageMails(t.db, t.ana.id))
  assert.equal(exported, [{ conversacion: t.threadId, created_at: new Date(NOW).toISOString() }])
  await ban(t.db, t.ana.id, { until: null, reason: 'No' })
  await postMessage(t.db, 'finder', t.threadId, 'Otra vez', NOW + 2 * HOUR_MS)
  assert.is(await send(t, NOW + 4 * HOUR_MS), 0)
})

relay('a link is good for a day, for the last address, and as long as the conversation', async (t) => {
  const old = (await ask(t))!
  assert.is(await readConfirmation(t.db, old, NOW + DAY_MS), 'unknown')
  assert.not.ok(await confirmAddress(t.db, old, NOW + DAY_MS))
  assert.is(await stateOf(t, NOW + DAY_MS), 'off')
  const next = (await ask(t, 'otra@ejemplo.es'))!
  assert.not.ok(await confirmAddress(t.db, old, NOW))
  assert.is(await deleteExpiredRows(t.db, NOW + DAY_MS - 1, ['contact_mails']), 0)
  assert.is(await deleteExpiredRows(t.db, NOW + DAY_MS, ['contact_mails']), 1)
  assert.not.ok(await confirmAddress(t.db, next, NOW))
  await ask(t)
  await t.db.deleteFrom('lost_cases').execute()
  assert.equal(await t.db.selectFrom('contact_mails').selectAll().execute(), [])
})

relay('«No me avises más» forgets the address, on the page and by the mail’s token', async (t) => {
  await confirmAddress(t.db, (await ask(t))!, NOW)
  await write(t, NOW)
  await send(t, NOW + MINUTE_MS)
  const token = tokenIn(t.sent[0])
  assert.is((await readUnsubscription(t.db, token)).state, 'on')
  for (let times = 0; times < 2; times++) assert.ok(await unsubscribeByToken(t.db, token))
  assert.is(await stateOf(t), 'off')
  await ask(t)
  await stopMails(t.db, t.device, t.threadId)
  assert.equal(await t.db.selectFrom('contact_mails').selectAll().execute(), [])
  const stranger = { userId: null, secrets: new Map([['x', finderSecret().secret]]) }
  assert.is((await refusal(askForMails(t.db, stranger, t.threadId, ADDRESS)))[0], 404)
  assert.is((await refusal(stopMails(t.db, stranger, t.threadId)))[0], 404)
})

relay('a mail that fails is sent later, and an address that does not exist is forgotten', async (t) => {
  await confirmAddress(t.db, (await ask(t))!, NOW)
  await write(t, NOW)
  const { send: deliver } = t.mailer
  t.mailer.send = () => Promise.reject(new Error('down'))
  assert.is(await send(t, NOW + MINUTE_MS), 0)
  t.mailer.send = deliver
  assert.is(await send(t, NOW + 2 * MINUTE_MS), 1)
  await write(t, NOW + 3 * HOUR_MS)
  t.mailer.send = () => Promise.reject(new Error('no such user'))
  t.mailer.isRefused = () => true
  assert.equal([await send(t, NOW + 5 * HOUR_MS), await stateOf(t)], [0, 'off'])
})

relay('a mailbox that is refused for now holds up nobody, and is tried again for a day', async (t) => {
  await confirmAddress(t.db, (await ask(t))!, NOW)
  await askForMails(t.db, owner(t), t.threadId, '', NOW)
  await write(t, NOW)
  await postMessage(t.db, 'finder', t.threadId, 'Lo he visto', NOW + 1000)
  // Who has written has read.
  await t.db.updateTable('contact_threads').set({ finder_seen_at: 0 }).execute()
  const { send: deliver } = t.mailer
  const tried: string[] = []
  t.mailer.isMailRefusal = () => true
  t.mailer.send = async (mail) => {
    tried.push(mail.to)
    if (mail.to === ADDRESS) throw new Error('450 try later')
    await deliver(mail)
  }
  assert.is(await send(t, NOW + 2 * MINUTE_MS), 1)
  assert.equal(pluck(t.sent, 'to'), [t.ana.email])
  assert.equal(tried.toSorted(), [ADDRESS, t.ana.email].toSorted())
  assert.is(await send(t, NOW + 5 * MINUTE_MS), 0)
  assert.is(tried.length, 2, 'not yet again')
  assert.equal([await send(t, NOW + 20 * MINUTE_MS), tried.length], [0, 3])
  await send(t, NOW + 25 * HOUR_MS)
  await send(t, NOW + 26 * HOUR_MS)
  assert.is(tried.length, 3, 'what is a day old is no news')
})

relay('another address is no way to more mails', async (t) => {
  await confirmAddress(t.db, (await ask(t))!, NOW)
  await write(t, NOW)
  assert.is(await send(t, NOW + MINUTE_MS), 1)
  await confirmAddress(t.db, (await ask(t, 'otra@ejemplo.es'))!, NOW + 2 * MINUTE_MS)
  await write(t, NOW + 3 * MINUTE_MS)
  assert.equal([await send(t, NOW + 10 * MINUTE_MS), await send(t, NOW + 62 * MINUTE_MS)], [0, 1])
})

relay(
  'mails that were stopped and asked for again come no sooner, and of the first wish nothing else stays',
  async (t) => {
    await askForMails(t.db, owner(t), t.threadId, null, NOW)
    const stop = {
      page: () => stopMails(t.db, owner(t), t.threadId, NOW + 2 * MINUTE_MS),
      mail: async () => {
        const about = toAbout(t.threadId, 'member')
        const token = await issueSecret(t.db, 'message-mails', { about }, NOW)
        await unsubscribeByToken(t.db, token, NOW + 2 * MINUTE_MS)
        assert.is((await readUnsubscription(t.db, token, NOW)).state, 'off')
      },
    }
    await postMessage(t.db, 'finder', t.threadId, 'Lo he visto', NOW)
    assert.is(await send(t, NOW + MINUTE_MS), 1)
    for (const [way, act] of Object.entries(stop)) {
      await act()
      assert.is((await readMailWish(t.db, owner(t), t.threadId, NOW + 2 * MINUTE_MS)).state, 'off', way)
      assert.equal(await Array.fromAsync(exportMessageMails(t.db, t.ana.id)), [], way)
      await postMessage(t.db, 'finder', t.threadId, `Sigue allí: ${way}`, NOW + 3 * MINUTE_MS)
      assert.is(await send(t, NOW + 50 * MINUTE_MS), 0, way)
      await askForMails(t.db, owner(t), t.threadId, null, NOW + 4 * MINUTE_MS)
      await postMessage(t.db, 'finder', t.threadId, `Ahora se va: ${way}`, NOW + 5 * MINUTE_MS)
      assert.is(await send(t, NOW + 50 * MINUTE_MS), 0, way)
    }
    assert.is(await send(t, NOW + 62 * MINUTE_MS), 1)
    await stopMails(t.db, owner(t), t.threadId, NOW + 63 * MINUTE_MS)
    assert.is(await deleteExpiredRows(t.db, NOW + 121 * MINUTE_MS, ['contact_mails']), 0)
    assert.is(await deleteExpiredRows(t.db, NOW + 122 * MINUTE_MS, ['contact_mails']), 1)
  },
)

relay('the address of a finder is forgotten at once, also within the hour after a mail', async (t) => {
  await confirmAddress(t.db, (await ask(t))!, NOW)
  await write(t, NOW)
  assert.is(await send(t, NOW + MINUTE_MS), 1)
  await stopMails(t.db, t.device, t.threadId, NOW + 2 * MINUTE_MS)
  const [left] = await t.db.selectFrom('contact_mails').selectAll().execute()
  assert.equal([left!.email, left!.confirmed_at, await stateOf(t, NOW + 3 * MINUTE_MS)], [null, null, 'off'])
})
