import { deleteExpiredRows } from '#features/account/personal-data/expired-rows.server.ts'
import { disownSession, disputeByLink, inspectDisputeLink } from '#features/auth/dispute/dispute.server.ts'
import { type AlertMailer, sendAlertsOf, sendDueAlerts } from '#features/auth/new-device/sign-in-alerts.server.ts'
import { beginSession } from '#features/auth/sessions/begin-session.server.ts'
import { listOpenSessions } from '#features/auth/sessions/member-sessions.server.ts'
import { hashDevice, recordDevice } from '#features/auth/new-device/devices.server.ts'
import { member, seed, withRecentSignIn } from '#tests/support/seed.ts'
import { assert, countRows, dbSuite, pluck, refusalOf, type WorldOf } from '#tests/support/suites.ts'

// What makes a device new, who is told of it, and «No he sido yo».

const DAY = 86_400_000
const HOUR = 3_600_000
const LAPTOP = { secret: 'portátil', name: 'Firefox en Linux' }
const PHONE = { secret: 'móvil', name: 'Chrome en Android' }
const STRANGER = { secret: 'ajeno', name: 'Chrome en Windows' }

type SentMail = Parameters<AlertMailer['send']>[0]
const devices = dbSuite('unit/auth/new-device', { ana: member({ alias: 'Ana', email: 'ana@ejemplo.es' }) }, () => {
  const mails: SentMail[] = []
  const send = async (mail: SentMail) => void mails.push(mail)
  const mailer: AlertMailer = { siteBase: 'https://perros.example', send, isRefused: () => false }
  return Promise.resolve({ mails, mailer })
})
type World = WorldOf<typeof devices>

const enter = ({ db, ana }: World, device: { secret: string; name: string | null }, account = ana) =>
  beginSession(db, account, device, { method: 'link' })

/** Signs in on the laptop: the account's first sign-in. */
const open = (t: World) => enter(t, LAPTOP)

const tokenOf = ({ text }: SentMail) => new URL(/^https:\S+$/m.exec(text)![0]).searchParams.get('token')!
const bellOf = async ({ db, ana }: World) =>
  await db.selectFrom('notifications').select(['title', 'content', 'link']).where('user_id', '=', ana.id).execute()

devices('the sign-in that opens an account is told to nobody, one on another device by mail and bell', async (t) => {
  assert.is((await open(t)).isAlertDue, false)
  assert.is((await enter(t, LAPTOP)).isAlertDue, false, 'the same device again')
  assert.is(await countRows(t.db, 'sign_in_alerts'), 0)
  assert.is((await enter(t, PHONE)).isAlertDue, true)
  assert.is((await enter(t, PHONE)).isAlertDue, false, 'it is known now')
  assert.ok(await sendAlertsOf(t.db, t.ana.id, t.mailer))
  assert.is(t.mails.length, 1)
  const [mail] = t.mails
  assert.is(mail!.to, 'ana@ejemplo.es')
  assert.match(mail!.text, /desde un dispositivo nuevo:\n\n· Chrome en Android, /)
  assert.match(mail!.text, /^https:\/\/perros\.example\/no-he-sido-yo\?token=[\w-]{43}$/m)
  assert.match(mail!.html, 'No he sido yo')
  const content = 'Has entrado desde Chrome en Android. Si no has sido tú, cierra esa sesión.'
  assert.equal(await bellOf(t), [{ title: 'Dispositivo nuevo', content, link: '/perfil/cuenta#sesiones' }])
  assert.is(await sendAlertsOf(t.db, t.ana.id, t.mailer), false, 'once')
})

devices('the cookie in another browser is a new device, and so is another cookie in the same browser', async (t) => {
  await open(t)
  assert.ok((await enter(t, { ...LAPTOP, name: 'Chrome en Windows' })).isAlertDue)
  assert.ok((await enter(t, { ...LAPTOP, secret: 'otro' })).isAlertDue)
  assert.ok((await enter(t, { secret: 'otro más', name: null })).isAlertDue)
  assert.is((await enter(t, { secret: 'otro más', name: null })).isAlertDue, false)
})

devices('a device that only the table of before knows is known; an old account’s first entry is told', async (t) => {
  await t.db.updateTable('users').set({ created_at: 1 }).execute()
  await recordDevice(t.db, t.ana, { ...LAPTOP, name: null }, 1)
  const unnamed = { secret_hash: hashDevice(LAPTOP.secret, t.ana.email!) }
  await t.db.updateTable('account_devices').set(unnamed).execute()
  assert.is((await open(t)).isAlertDue, false)
  assert.ok((await enter(t, { ...LAPTOP, name: 'Chrome en Windows' })).isAlertDue, 'its cookie in another browser')
  const [eva] = await seed(t.db, member())
  await t.db.updateTable('users').set({ created_at: 1 }).where('id', '=', eva.id).execute()
  assert.ok((await enter(t, LAPTOP, eva)).isAlertDue)
})

devices('another member on the same computer is on a device of their own', async (t) => {
  await open(t)
  const [eva] = await seed(t.db, member())
  await enter(t, PHONE, eva)
  assert.ok((await enter(t, LAPTOP, eva)).isAlertDue)
  const hashes = pluck(await t.db.selectFrom('account_devices').select('secret_hash').execute(), 'secret_hash')
  assert.is(new Set(hashes).size, hashes.length, 'the rows of two accounts cannot be linked')
})

devices('an account without address is told by the bell', async (t) => {
  await t.db.updateTable('users').set({ email: null }).where('id', '=', t.ana.id).execute()
  const ana = { ...t.ana, email: null }
  await enter(t, LAPTOP, ana)
  await enter(t, PHONE, ana)
  assert.is((await bellOf(t)).length, 1)
  assert.is(await sendAlertsOf(t.db, t.ana.id, t.mailer), false)
})

devices('an account has the twenty devices that it used last', async (t) => {
  await open(t)
  for (let i = 0; i < 25; i++) await enter(t, { secret: `secreto ${i}`, name: 'curl' })
  assert.is(await countRows(t.db, 'account_devices'), 20)
})

devices('a flood of sign-ins is three mails an hour and ten entries in the bell, and hides none', async (t) => {
  await open(t)
  for (let i = 0; i < 15; i++) {
    await enter(t, { secret: `ajeno ${i}`, name: `Navegador${i}` })
    await sendAlertsOf(t.db, t.ana.id, t.mailer)
  }
  const now = Date.now()
  assert.is(t.mails.length, 3)
  assert.is((await bellOf(t)).length, 10)
  await sendDueAlerts(t.db, t.mailer, now + HOUR / 2)
  assert.is(t.mails.length, 3)
  await sendDueAlerts(t.db, t.mailer, now + HOUR + 60_000)
  assert.is(t.mails.length, 4)
  const last = t.mails.at(-1)!
  assert.match(last.text, 'Se ha entrado 12 veces')
  assert.match(last.text, 'Navegador3,')
  assert.match(last.text, '· y 2 más')
  await disputeByLink(t.db, 'disown', tokenOf(last))
  assert.equal(await listOpenSessions(t.db, t.ana.id, undefined), [])
})

devices('a mail that fails is sent later, and one that is refused for good is given up', async (t) => {
  await open(t)
  await enter(t, PHONE)
  const now = Date.now()
  let fails = true
  const flaky: AlertMailer = {
    ...t.mailer,
    send: (mail) => (fails ? Promise.reject(new Error('caído')) : t.mailer.send(mail)),
  }
  const failed = await sendAlertsOf(t.db, t.ana.id, flaky, now).catch((error: Error) => error.message)
  assert.is(failed, 'caído')
  assert.is(await sendAlertsOf(t.db, t.ana.id, flaky, now + 1), false, 'not at once')
  fails = false
  await sendDueAlerts(t.db, flaky, now + 3 * 60_000)
  assert.is(t.mails.length, 1)
  assert.equal((await inspectDisputeLink(t.db, tokenOf(t.mails[0]!))).state, 'open')

  await enter(t, STRANGER)
  const refusing: AlertMailer = { ...flaky, send: () => Promise.reject(new Error('550')), isRefused: () => true }
  await sendAlertsOf(t.db, t.ana.id, refusing, now + 4 * 60_000)
  await sendDueAlerts(t.db, t.mailer, now + DAY)
  assert.is(t.mails.length, 1)
})

devices('two senders at the same moment send one mail', async (t) => {
  await open(t)
  await enter(t, PHONE)
  await Promise.all([1, 2].map(() => sendAlertsOf(t.db, t.ana.id, t.mailer)))
  assert.is(t.mails.length, 1)
})

devices('the link ends every session and forgets every device, once and for seven days', async (t) => {
  await open(t)
  await enter(t, STRANGER)
  const now = Date.now()
  await sendAlertsOf(t.db, t.ana.id, t.mailer, now)
  const token = tokenOf(t.mails[0]!)
  assert.is((await inspectDisputeLink(t.db, token, now)).state, 'open', 'looking uses nothing')
  assert.is((await inspectDisputeLink(t.db, token, now + 7 * DAY)).state, 'late')
  const late = '410 El enlace valía 7 días. Mira tus sesiones en «Cuenta y datos».'
  assert.is(await refusalOf(disputeByLink(t.db, 'disown', token, now + 7 * DAY)), late)
  const tooLate = '410 El plazo de 7 días para deshacer este cambio ha terminado.'
  assert.is(await refusalOf(disputeByLink(t.db, 'undo', token, now + 7 * DAY)), tooLate)
  assert.is(await refusalOf(disputeByLink(t.db, 'disown', 'x'.repeat(43), now)), '404 Este enlace no es válido.')
  await disputeByLink(t.db, 'disown', token, now)
  for (const table of ['sessions', 'account_devices'] as const) assert.is(await countRows(t.db, table), 0, table)
  assert.is((await inspectDisputeLink(t.db, token, now)).state, 'used')
  const used = '409 Este enlace ya se ha usado: la sesión está cerrada.'
  assert.is(await refusalOf(disputeByLink(t.db, 'disown', token, now)), used)
  const dead = '404 Este enlace no es válido o ya se ha usado.'
  assert.is(await refusalOf(disputeByLink(t.db, 'undo', token, now)), dead)
  assert.ok((await enter(t, STRANGER)).isAlertDue, 'it is new again')
})

devices('from the list of sessions the same asks for recent authentication', async (t) => {
  const laptop = await open(t)
  await enter(t, STRANGER)
  const [eva] = await seed(t.db, member())
  const [other] = (await listOpenSessions(t.db, t.ana.id, laptop.token)).filter(({ current }) => !current)
  assert.is(other!.new_device, true)
  const current = (await listOpenSessions(t.db, t.ana.id, laptop.token)).find(({ current: isOwn }) => isOwn)!
  assert.is(current.new_device, false)
  const stale = { id: t.ana.id, authenticatedAt: 0 }
  assert.match(await refusalOf(disownSession(t.db, stale, other!.id)), '403 Para tu seguridad')
  const byEva = disownSession(t.db, withRecentSignIn(eva), other!.id)
  assert.is(await refusalOf(byEva), '403 Solo puedes cerrar tus propias sesiones.')
  const ofHerOwn = disownSession(t.db, withRecentSignIn(t.ana), current.id)
  assert.is(await refusalOf(ofHerOwn), '404 Esa sesión ya está cerrada.')
  await disownSession(t.db, withRecentSignIn(t.ana), other!.id)
  assert.equal(await listOpenSessions(t.db, t.ana.id, laptop.token), [])
})

devices('alerts go a week after their mail', async (t) => {
  await open(t)
  await enter(t, PHONE)
  const now = Date.now()
  await sendAlertsOf(t.db, t.ana.id, t.mailer, now)
  assert.is(await deleteExpiredRows(t.db, now + 7 * DAY - HOUR, ['sign_in_alerts']), 0)
  assert.is(await deleteExpiredRows(t.db, now + 7 * DAY + HOUR, ['sign_in_alerts']), 1)
})
