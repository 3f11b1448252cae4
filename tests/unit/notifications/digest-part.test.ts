import type { OutgoingMail } from '#features/outbox/mail-topic.server.ts'
import { runDueJobs } from '#features/outbox/outbox.server.ts'
import { digests as topic } from '#features/notifications/digest/digest.server.ts'
import { storeNotification } from '#features/notifications/notifications.server.ts'
import { assert, captureConsole, dbSuite, member, seed } from '#tests/support/suites.ts'

const digests = dbSuite('unit/notifications/digest-part')

/** Ten o'clock on a Monday in Madrid. */
const MONDAY = Date.parse('2026-11-23T09:00:00Z')
const SITE = 'https://perrario.example'

digests('the mail has the part of another feature, and goes without it where that fails', async ({ db }) => {
  const [ana, luis] = await seed(db, member({ email: 'ana@ejemplo.es' }), member({ email: 'luis@ejemplo.es' }))
  for (const { id } of [ana, luis])
    await storeNotification(db, { userId: id, title: 'Aviso', content: 'Hola' }, MONDAY - 1000)
  const sent: Record<string, OutgoingMail> = {}
  const readPart = async (_db: unknown, userId: string) => {
    if (userId === luis.id) throw new Error('broken')
    return {
      title: 'Te faltan cerca',
      lines: [{ text: 'Akita Inu: 2 perros', path: '/razas/akita-inu' }],
      settings: { label: 'Cambiar', path: '/perfil/avisos#avisame' },
    }
  }
  using _ = captureConsole()
  const send = async (mail: OutgoingMail) => void (sent[mail.to] = mail)
  await runDueJobs(db, [topic({ siteUrl: SITE, send, readPart })], { now: MONDAY })
  assert.is(Object.keys(sent).length, 2)
  const { text, html } = sent['ana@ejemplo.es']!
  const part = `Te faltan cerca:\n\n- Akita Inu: 2 perros\n  ${SITE}/razas/akita-inu\n\nCambiar:\n${SITE}/perfil/avisos#avisame\n`
  assert.match(text, `${part}\nTe escribimos`)
  assert.match(html, `<a href="${SITE}/razas/akita-inu"`)
  assert.not.match(sent['luis@ejemplo.es']!.text, 'Te faltan')
})

digests('the mail goes without the line of what its member follows where that fails', async ({ db }) => {
  const [ana, luis] = await seed(db, member({ email: 'ana@ejemplo.es' }), member({ email: 'luis@ejemplo.es' }))
  for (const { id } of [ana, luis])
    await storeNotification(db, { userId: id, title: 'Aviso', content: 'Hola' }, MONDAY - 1000)
  const sent: Record<string, OutgoingMail> = {}
  const findNews = async (_db: unknown, userId: string) => {
    if (userId === luis.id) throw new Error('broken')
    return { title: 'Lo que sigues', content: '2 perros nuevos', path: '/?tab=following' }
  }
  using logged = captureConsole()
  const send = async (mail: OutgoingMail) => void (sent[mail.to] = mail)
  await runDueJobs(db, [topic({ siteUrl: SITE, send, findNews })], { now: MONDAY })
  assert.is(Object.keys(sent).length, 2)
  assert.equal(logged, ['perrario · un resumen semanal salió sin la línea de lo que se sigue: Error: broken'])
  assert.match(sent['ana@ejemplo.es']!.text, '2 perros nuevos')
  assert.match(sent['luis@ejemplo.es']!.text, 'Aviso: Hola')
  assert.not.match(sent['luis@ejemplo.es']!.text, 'Lo que sigues')
})
