import { sql } from 'kysely'
import { confirmStillLost, findPrefill, saveLostCase } from '#features/lost/cases.server.ts'
import { endedAlerts } from '#features/lost/alerts/ended-alerts.server.ts'
import { runDueJobs } from '#features/outbox/outbox.server.ts'
import { findOpenCase } from '#features/lost/open-cases.server.ts'
import { askDueQuestions } from '#features/lost/questions.server.ts'
import { listNotifications } from '#features/notifications/notifications.server.ts'
import { DAY_MS } from '#lib/time.ts'
import { addLostCase } from '#tests/support/lost/lost-case.ts'
import { assert, dbSuite, dog, member, onlyOnSqlite, seed, type WorldOf } from '#tests/support/suites.ts'
import { captureConsole } from '#tests/support/captured-console.ts'
import { buildQuestionMail } from '#features/lost/question-mail.ts'

interface Sent {
  to: string
  subject: string
  text: string
}
const questions = dbSuite(
  'unit/lost/questions',
  { ana: member({ email: 'ana@ejemplo.es' }), toby: dog({ name: 'Toby' }) },
  async ({ db, ana, toby }) => {
    const mails: Sent[] = []
    const mailer = { siteBase: 'https://perrario.es', send: async (mail: Sent) => void mails.push(mail) }
    /** Runs the job so many days after the case was opened. */
    const passDays: (days: number) => Promise<{ asked: number; ended: number }> = (days) =>
      askDueQuestions(db, mailer, NOW + days * DAY_MS)
    const input = { since: NOW, zone: 'Getafe', lat: null, lon: null, help: 'Tiene miedo.', chip: null }
    await saveLostCase(db, ana, toby.id, input, NOW)
    return { mails, passDays }
  },
)
type Context = WorldOf<typeof questions>

const NOW = Date.UTC(2026, 10, 27, 12)

const titlesOf = async ({ db, ana }: Context) =>
  (await listNotifications(db, ana.id)).notifications.map(({ title, content }) => `${title} ${content}`)

questions('the owner is asked after 3, 10 and 30 days, and the case ends 7 days later without an answer', async (t) => {
  const { db, ana, toby, passDays } = t
  assert.equal(await passDays(2.9), { asked: 0, ended: 0 })
  for (const day of [3, 10, 30]) {
    assert.equal(await passDays(day), { asked: 1, ended: 0 }, `day ${day}`)
    assert.equal(await passDays(day), { asked: 0, ended: 0 }, 'once')
    assert.equal(await titlesOf(t), ['¿Sigue perdido? Dinos si ya ha aparecido Toby o si seguimos buscando.'])
  }
  assert.equal(await passDays(36.9), { asked: 0, ended: 0 })
  assert.ok(await findOpenCase(db, toby.id))
  assert.equal(await passDays(37), { asked: 0, ended: 1 })
  assert.is(await findOpenCase(db, toby.id), null)
  assert.match((await titlesOf(t)).join(), /^Hemos retirado el aviso Como no nos has respondido, ya no buscamos a Toby/)
  assert.equal(await findPrefill(db, ana.id, toby.id), { since: NOW, zone: 'Getafe, Madrid', help: 'Tiene miedo.' })
  assert.is(await findPrefill(db, toby.id, toby.id), null, 'for its owner alone')
})

questions('each question is mailed with a link to the page of its answers', async ({ mails, toby, passDays }) => {
  await passDays(3)
  assert.equal(
    mails.map(({ to, subject }) => `${to} ${subject}`),
    ['ana@ejemplo.es ¿Ha vuelto ya Toby?'],
  )
  assert.match(mails[0]!.text, new RegExp(`https://perrario.es/perdidos/${toby.id}`))
})

questions('a mail that fails stops nothing', async (t) => {
  const send = async () => Promise.reject(new Error('no'))
  using _ = captureConsole()
  const counts = await askDueQuestions(t.db, { siteBase: '', send }, NOW + 3 * DAY_MS)
  assert.equal(counts, { asked: 1, ended: 0 })
  assert.is((await titlesOf(t)).length, 1)
})

questions('an answer takes the question out of the bell and plans the next', async (t) => {
  const { db, ana, toby, passDays } = t
  await passDays(3)
  await confirmStillLost(db, ana, toby.id, NOW + 9 * DAY_MS)
  assert.equal(await titlesOf(t), [])
  assert.equal(await passDays(11), { asked: 0, ended: 0 }, 'who has just answered is left in peace')
  assert.equal(await passDays(12), { asked: 1, ended: 0 })
  assert.equal(await passDays(30), { asked: 1, ended: 0 })
  await confirmStillLost(db, ana, toby.id, NOW + 31 * DAY_MS)
  assert.equal(await passDays(60), { asked: 0, ended: 0 })
  assert.equal(await passDays(61), { asked: 1, ended: 0 }, 'every 30 days from then on')
  assert.equal(await passDays(68), { asked: 0, ended: 1 })
})

questions('nobody is asked about a dog out of sight, and a case that is nobody’s goes', async (t) => {
  const { db, ana, toby, passDays } = t
  const setOwner = (owner_id: string | null) =>
    db.updateTable('dogs_all').set({ owner_id }).where('id', '=', toby.id).execute()
  await setOwner(null)
  assert.equal(await passDays(3), { asked: 0, ended: 0 })
  await setOwner(ana.id)
  assert.equal(await passDays(3.5), { asked: 0, ended: 0 })
  assert.equal(await passDays(4), { asked: 1, ended: 0 }, 'a day later')
  const [eva] = await seed(db, member())
  await setOwner(eva.id)
  await passDays(11)
  assert.is((await db.selectFrom('lost_cases').selectAll().execute()).length, 0)
})

onlyOnSqlite(questions)('cases that fail hold up nobody, and are tried again in the next round', async (t) => {
  const { db, ana, passDays } = t
  const dogs = await seed(db, ...Array.from({ length: 50 }, () => dog({ owner_id: ana.id })))
  for (const { id } of dogs)
    await addLostCase(db, { dog_id: id, owner_id: ana.id, opened_at: NOW - DAY_MS, help: 'no' })
  await sql
    .raw(`CREATE TRIGGER failing BEFORE UPDATE ON lost_cases WHEN old.help = 'no' BEGIN SELECT RAISE(ABORT, 'no'); END`)
    .execute(db)
  using logged = captureConsole()
  assert.equal([await passDays(3), logged.length], [{ asked: 1, ended: 0 }, 50])
  await sql.raw('DROP TRIGGER failing').execute(db)
  assert.equal(await passDays(3), { asked: 50, ended: 0 })
})

questions('a question goes with its case, however that ends', async (t) => {
  const { db, passDays } = t
  await passDays(3)
  assert.is((await titlesOf(t)).length, 1)
  await db.deleteFrom('lost_cases').execute()
  await runDueJobs(db, [endedAlerts])
  assert.equal(await titlesOf(t), [])
})

questions("a dog's name, which its discoverer may write, is no HTML of the owner's mail", () => {
  const { html, text } = buildQuestionMail({ dogName: 'Toby</title><b>', link: 'https://perrario.example/perdidos/1' })
  assert.not.match(html, 'Toby</title>')
  assert.is(html.split('Toby&lt;/title&gt;&lt;b&gt;').length, 3)
  assert.match(text, 'Toby</title><b>')
})
