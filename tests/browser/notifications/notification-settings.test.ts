import * as assert from 'uvu/assert'
import { setDigestEnabled, wantsDigest } from '#features/notifications/digest/digest.server.ts'
import { issueSecret } from '#features/secrets/secrets.server.ts'
import { axeFaultsInBothThemes } from '#tests/support/browser/axe.ts'
import { call } from '#tests/support/api.ts'
import { PHONE, openContext } from '#tests/support/browser/chromium.ts'
import { bellButton, openDevice, pushSuite, deviceSwitch } from '#tests/support/notifications/push-suite.ts'
import { waitUntilTrue } from '#tests/support/browser/service-worker.ts'

const notices = pushSuite('settings of notices and mails')

notices('the settings are a plain form, and work without script', async (t) => {
  const { page } = await openDevice(t, { javaScriptEnabled: false, ...PHONE })
  await page.goto(`${t.server.url}/perfil/avisos`)
  const panel = page.getByRole('region', { name: 'Dónde te avisamos' })
  assert.is(await panel.getByRole('switch', { name: 'Horas de silencio' }).isChecked(), false)
  assert.is(await panel.getByLabel('De', { exact: true }).isVisible(), false)
  await panel.getByRole('switch', { name: 'Comentarios' }).click()
  await panel.getByRole('switch', { name: 'Horas de silencio' }).click()
  await panel.getByLabel('De', { exact: true }).fill('22:15')
  await panel.getByLabel('A', { exact: true }).fill('07:30')
  await panel.getByLabel('Hora de').selectOption('Canarias')
  await panel.getByRole('button', { name: 'Guardar avisos' }).click()
  await panel.getByText('Avisos guardados.').waitFor()
  const { body } = await call(t.server, '/api/account/notices', { cookie: t.ana.cookie })
  assert.equal([body.likes, body.comments, body.others], [true, false, true])
  assert.is(body.digest, true)
  assert.equal([body.quiet, body.time_zone], [{ from: '22:15', to: '07:30' }, 'Atlantic/Canary'])
})

notices('the last link of a weekly mail asks, and its button unsubscribes, without script', async (t) => {
  await setDigestEnabled(t.server.db, t.ana.id, true)
  const token = await issueSecret(t.server.db, 'digest-mails', { user_id: t.ana.id }, Date.now())
  const wants = () => wantsDigest(t.server.db, t.ana.id)
  const context = await openContext(t.browser, { ...PHONE, javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`${t.server.url}/baja?token=${token}`)
  await page.getByRole('heading', { level: 1, name: '¿Sin resumen semanal?' }).waitFor()
  assert.is(await wants(), true)
  await page.getByRole('button', { name: 'No recibir más resúmenes' }).click()
  await page.getByRole('heading', { level: 1, name: 'Hecho: no recibirás más resúmenes' }).waitFor()
  assert.is(await wants(), false)
  const response = await page.goto(`${t.server.url}/baja?token=otro`)
  assert.is(response?.status(), 404)
  await page.getByRole('heading', { level: 1, name: 'Este enlace no vale' }).waitFor()
})

notices('axe finds nothing in the panel and the settings', async (t) => {
  const { page } = await openDevice(t)
  await page.goto(`${t.server.url}/perfil/avisos`)
  await page.getByRole('switch', { name: 'Horas de silencio' }).click()
  assert.equal(await axeFaultsInBothThemes(page), [])
  await bellButton(page).click()
  await waitUntilTrue('the row knows', () => deviceSwitch(page).isEnabled())
  assert.equal(await axeFaultsInBothThemes(page), [])
})
