import { readUnsubscription, unsubscribeByToken } from '#features/account/unsubscribe.server.ts'
import { like } from '#features/likes/likes.server.ts'
import { isSendingTime, weekOf } from '#features/notifications/digest/digest.ts'
import { digestMail } from '#features/notifications/digest/digest-mail.ts'
import { digests as topic, setDigestEnabled, wantsDigest } from '#features/notifications/digest/digest.server.ts'
import { markAllRead, storeNotification } from '#features/notifications/notifications.server.ts'
import { runDueJobs, startOutbox } from '#features/outbox/outbox.server.ts'
import type { OutgoingMail } from '#features/outbox/mail-topic.server.ts'
import { mailDue } from '#tests/support/jobs.ts'
import { explainQueries, findSlowSteps } from '#tests/support/query-plans.ts'
import { lastMailTo } from '#tests/support/outbox.ts'
import { type CurrentUser, dog, member, seed } from '#tests/support/seed.ts'
import { assert, captureConsole, dataSuite, onlyOnSqlite, type WorldOf } from '#tests/support/suites.ts'

const at = (text: string) => Date.parse(text)
/** Ten o'clock on a Monday in Madrid. */
const MONDAY = at('2026-11-23T09:00:00Z')
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const SITE = 'https://perrario.example'

const digests = dataSuite(
  'unit/notifications/digest',
  {
    ana: member({ id: '11111111-1111-4111-8111-111111111111', alias: 'Ana', email: 'ana@ejemplo.es' }),
    luis: member({ id: '22222222-2222-4222-8222-222222222222', alias: 'Luis', email: 'luis@ejemplo.es' }),
  },
  async () => ({ sent: [] as OutgoingMail[] }),
)
type Context = WorldOf<typeof digests>

const addNotification = ({ db }: Context, user: CurrentUser, content: string, when: number) =>
  storeNotification(db, { userId: user.id, title: 'Aviso', content }, when)
const runDigest = (
  t: Context,
  now: number,
  options: { batch?: number; send?: (mail: OutgoingMail) => Promise<void> } = {},
) => mailDue(t.db, topic({ siteUrl: SITE, send: async (mail) => void t.sent.push(mail), ...options }), t.sent, now)
/** The token of a mail's last link. */
const tokenIn = ({ text }: { text: string }): string => /\/baja\?token=([\w-]{43})\n/.exec(text)![1]!
const recipientsOf = ({ sent }: Context) => sent.map(({ to }) => to)

digests('a week begins on Monday in Madrid', () => {
  assert.is(weekOf(MONDAY), 20261123)
  assert.is(weekOf(at('2026-11-22T22:59:00Z')), 20261116)
  assert.is(weekOf(at('2026-11-22T23:00:00Z')), 20261123)
  assert.is(weekOf(at('2026-11-29T22:59:00Z')), 20261123)
  // Weeks in which the clocks change, and the end of a year.
  assert.is(weekOf(at('2026-10-25T22:30:00Z')), 20261019)
  assert.is(weekOf(at('2026-10-25T23:30:00Z')), 20261026)
  assert.is(weekOf(at('2027-03-28T21:30:00Z')), 20270322)
  assert.is(weekOf(at('2027-01-02T12:00:00Z')), 20261228)
})

digests('is sent in the morning', () => {
  assert.equal(
    ['07:59', '08:00', '11:59', '12:00'].map((time) => isSendingTime(at(`2026-11-23T${time}:00Z`))),
    [false, true, true, false],
  )
  assert.is(isSendingTime(at('2026-07-20T07:00:00Z')), true)
})

digests('mails members with unread notifications, once a week, and only new ones', async (t) => {
  await addNotification(t, t.ana, 'Uno', MONDAY - 3 * DAY_MS)
  assert.is(await runDigest(t, MONDAY - 2 * HOUR_MS), 0)
  assert.is(await runDigest(t, MONDAY), 1)
  assert.equal(recipientsOf(t), ['ana@ejemplo.es'])
  assert.is(t.sent[0]!.subject, 'Tienes un aviso sin ver en Perrario')
  // More lines arrive in the same week, and for a member already mailed.
  await addNotification(t, t.ana, 'Dos', MONDAY + HOUR_MS)
  await addNotification(t, t.luis, 'Tarde', MONDAY + HOUR_MS)
  assert.is(await runDigest(t, MONDAY + 2 * HOUR_MS), 0)
  assert.is(await runDigest(t, MONDAY + DAY_MS), 0)
  assert.is(await runDigest(t, MONDAY + 7 * DAY_MS), 2)
  assert.equal(recipientsOf(t), ['ana@ejemplo.es', 'ana@ejemplo.es', 'luis@ejemplo.es'])
  assert.match(t.sent[1]!.text, '- Aviso: Dos\n')
  assert.not.match(t.sent[1]!.text, 'Uno')
  // Nothing new: no mail about the same lines again.
  assert.is(await runDigest(t, MONDAY + 14 * DAY_MS), 0)
})

digests('does not mail members who have read all, opted out, have no address or only old notifications', async (t) => {
  const [eva, iker, nora] = await seed(
    t.db,
    member({ alias: 'Eva' }),
    member({ alias: 'Iker' }),
    member({ alias: 'Nora' }),
  )
  for (const user of [t.ana, t.luis, eva, iker]) await addNotification(t, user, 'Hola', MONDAY - DAY_MS)
  await addNotification(t, nora, 'Hola', MONDAY - 31 * DAY_MS)
  await markAllRead(t.db, t.ana)
  await setDigestEnabled(t.db, t.luis.id, false)
  await t.db.updateTable('users').set({ email: null }).where('id', '=', eva.id).execute()
  assert.is(await runDigest(t, MONDAY), 1)
  assert.equal(recipientsOf(t), [iker.email])
  assert.equal([await wantsDigest(t.db, t.luis.id), await wantsDigest(t.db, iker.id)], [false, true])
  await setDigestEnabled(t.db, t.luis.id, true)
  await addNotification(t, t.luis, 'Hola otra vez', MONDAY + DAY_MS)
  assert.is(await runDigest(t, MONDAY + 7 * DAY_MS), 1)
})

digests('goes through all members in batches, and continues where it stopped', async (t) => {
  const more = await seed(t.db, ...Array.from({ length: 5 }, () => member()))
  for (const user of [t.ana, t.luis, ...more]) await addNotification(t, user, 'Hola', MONDAY - DAY_MS)
  const counts: number[] = []
  for (let minute = 0; minute < 5; minute++) counts.push(await runDigest(t, MONDAY + minute * 60_000, { batch: 3 }))
  assert.equal(counts, [3, 3, 1, 0, 0])
  assert.is(new Set(recipientsOf(t)).size, 7)
})

digests('stops after the mail that is being sent', async (t) => {
  for (const user of [t.ana, t.luis]) await addNotification(t, user, 'Hola', MONDAY - DAY_MS)
  const ending = new AbortController()
  const send = async (mail: OutgoingMail) => {
    t.sent.push(mail)
    ending.abort()
  }
  await runDueJobs(t.db, [topic({ siteUrl: SITE, send })], { now: MONDAY, signal: ending.signal })
  assert.is(t.sent.length, 1)
  assert.is(await runDigest(t, MONDAY + HOUR_MS), 1)
  assert.equal(recipientsOf(t), ['ana@ejemplo.es', 'luis@ejemplo.es'])
})

onlyOnSqlite(digests)('finds its members by the index of unread notifications', async (t) => {
  await addNotification(t, t.ana, 'Hola', MONDAY - DAY_MS)
  const plans = await explainQueries(t.db, (db) =>
    runDueJobs(db, [topic({ siteUrl: SITE, send: async () => {} })], { now: MONDAY }),
  )
  assert.ok(plans.length > 8)
  assert.equal(findSlowSteps(plans), [])
  const [members] = plans.filter(({ sql }) => /select distinct/.test(sql))
  assert.match(members!.steps[0]!, 'USING COVERING INDEX notifications_unread')
})

digests('a failing mail server is retried for the same member, and nobody receives two mails', async (t) => {
  await addNotification(t, t.ana, 'Hola', MONDAY - DAY_MS)
  await addNotification(t, t.luis, 'Hola', MONDAY - DAY_MS)
  let calls = 0
  const failing = async (mail: OutgoingMail) => {
    if (++calls === 2) throw new Error('no hay servidor')
    t.sent.push(mail)
  }
  assert.is(await runDigest(t, MONDAY, { send: failing }), 1)
  assert.is(await runDigest(t, MONDAY + HOUR_MS, { send: failing }), 1)
  assert.equal(recipientsOf(t), ['ana@ejemplo.es', 'luis@ejemplo.es'])
})

digests('an undeliverable address does not delay the others', async (t) => {
  await addNotification(t, t.ana, 'Hola', MONDAY - DAY_MS)
  await addNotification(t, t.luis, 'Hola', MONDAY - DAY_MS)
  const send = async (mail: OutgoingMail) => {
    if (mail.to === t.ana.email) throw Object.assign(new Error('550'), { code: 'EENVELOPE' })
    t.sent.push(mail)
  }
  assert.is(await runDigest(t, MONDAY, { send }), 1)
  assert.is(await runDigest(t, MONDAY + HOUR_MS, { send }), 0)
  assert.equal(recipientsOf(t), ['luis@ejemplo.es'])
})

digests('the schedule runs on its own and pauses after a failure', async (t) => {
  await addNotification(t, t.ana, 'Hola', MONDAY - DAY_MS)
  const clock = { now: MONDAY }
  let calls = 0
  const send = async (mail: OutgoingMail) => {
    if (++calls === 1) throw new Error('no hay servidor')
    t.sent.push(mail)
  }
  using said = captureConsole()
  const schedule = startOutbox(t.db, [topic({ siteUrl: SITE, send })], { intervalMs: 5, clock: () => clock.now })
  const soon = () => new Promise((done) => setTimeout(done, 60))
  const hasBegun = () => calls > 0
  while (!hasBegun()) await soon()
  await soon()
  assert.equal([calls, t.sent.length], [1, 0])
  clock.now += 10 * 60_000
  while (t.sent.length === 0) await soon()
  await soon()
  await schedule.close()
  assert.is(calls, 2)
  assert.equal(said, ['perrario · los resúmenes semanales no se pudieron enviar: Error: no hay servidor'])
})

digests('the mail contains the notifications, their links and how to unsubscribe', async (t) => {
  const [toby] = await seed(t.db, dog({ owner_id: t.ana.id, name: 'Toby' }))
  await like(t.db, t.luis, toby.id, MONDAY - DAY_MS)
  await addNotification(t, t.ana, 'Un   texto\ncon saltos', MONDAY - HOUR_MS)
  await runDigest(t, MONDAY)
  const [mail] = t.sent as [OutgoingMail]
  const token = tokenIn(mail)
  assert.is(mail.subject, 'Tienes 2 avisos sin ver en Perrario')
  assert.is(
    mail.text,
    `¡Hola, Ana!

Esto ha pasado en Perrario y aún no lo has visto:

- Aviso: Un texto con saltos
  https://perrario.example/notificaciones

- Nuevo like: A Luis le gusta Toby
  https://perrario.example${toby.path}

Tus avisos están en tu campana:

https://perrario.example/notificaciones

Te escribimos como mucho una vez a la semana, y solo si tienes algo sin ver. Para no recibir más resúmenes:

https://perrario.example/baja?token=${token}

Hasta pronto,
Perrario
`,
  )
  assert.equal(mail.headers, {
    'List-Unsubscribe': `<https://perrario.example/api/unsubscribe?token=${token}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  })
})

digests('long lists are truncated, and members’ texts are escaped', () => {
  const line = { title: 'Aviso', content: 'Hola', path: null }
  const mail = (unseen: number) => digestMail(SITE, { alias: '<b>Ana & "Co"</b>', items: [line], unseen, token: 't' })
  assert.not.match(mail(1).text, 'más.')
  const loud = { title: '¡Nueva raza en tu álbum!', content: 'Bóxer', path: null }
  assert.match(
    digestMail(SITE, { alias: 'Ana', items: [loud], unseen: 1, token: 't' }).text,
    '- ¡Nueva raza en tu álbum! Bóxer\n',
  )
  assert.match(mail(2).text, '\nY uno más.\n')
  assert.match(mail(40).text, '\nY 39 más.\n')
  assert.match(mail(40).html, '&lt;b&gt;Ana &amp; &quot;Co&quot;&lt;/b&gt;')
  assert.not.match(mail(40).html, '<b>Ana')
  // Over plain http mail programs may not unsubscribe by themselves.
  const { headers } = digestMail('http://localhost:1', { alias: 'Ana', items: [line], unseen: 1, token: 't' })
  assert.equal(headers, { 'List-Unsubscribe': '<http://localhost:1/api/unsubscribe?token=t>' })
})

digests('the mail leaves the server with its unsubscribe headers intact', async (t) => {
  process.env.DATA_DIR = t.dir
  delete process.env.SMTP_URL
  const { sendMail } = await import('#server/mail.ts')
  await addNotification(t, t.ana, 'Hola', MONDAY - DAY_MS)
  await runDigest(t, MONDAY, { send: sendMail })
  const mail = lastMailTo(t.dir, 'ana@ejemplo.es')
  const token = tokenIn(mail)
  assert.is(mail.headers['list-unsubscribe'], `<${SITE}/api/unsubscribe?token=${token}>`)
  assert.is(mail.headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click')
  assert.is(mail.headers['auto-submitted'], 'auto-generated')
  assert.match(mail.text, 'Esto ha pasado en Perrario y aún no lo has visto:')
  assert.match(mail.html, '>Ver mis avisos</a>')
})

digests('its token unsubscribes only the member it was sent to', async (t) => {
  await addNotification(t, t.ana, 'Hola', MONDAY - DAY_MS)
  await runDigest(t, MONDAY)
  const token = tokenIn(t.sent[0]!)
  assert.is((await readUnsubscription(t.db, token)).state, 'on')
  assert.is((await readUnsubscription(t.db, 'otro')).state, 'unknown')
  assert.is(await unsubscribeByToken(t.db, 'otro'), false)
  assert.is(await wantsDigest(t.db, t.ana.id), true)
  assert.equal([await unsubscribeByToken(t.db, token), await unsubscribeByToken(t.db, token)], [true, true])
  assert.equal([(await readUnsubscription(t.db, token)).state, await wantsDigest(t.db, t.ana.id)], ['off', false])
  await addNotification(t, t.ana, 'Hola', MONDAY + DAY_MS)
  assert.is(await runDigest(t, MONDAY + 7 * DAY_MS), 0)
})
