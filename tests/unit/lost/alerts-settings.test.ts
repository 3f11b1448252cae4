import { deleteLostAlerts, readLostAlerts, saveLostAlerts } from '#features/lost/alerts/alert-settings.server.ts'
import { distanceBand, lostAlertsInput } from '#features/lost/alerts/lost-alerts.ts'
import { assert, dbSuite, member, refusal } from '#tests/support/suites.ts'

const settings = dbSuite('unit/lost/alerts-settings', { ana: member() })

const CHOICES = { radius_km: 5, breaks_quiet: false, by_mail: true, by_push: true } as const

settings('a member’s alerts are set, changed and forgotten', async ({ db, ana }) => {
  assert.is(await readLostAlerts(db, ana.id), null)
  await saveLostAlerts(db, ana, { zone: 'getafe', ...CHOICES })
  assert.equal(await readLostAlerts(db, ana.id), { zone: 'Getafe, Madrid', ...CHOICES })
  await saveLostAlerts(db, ana, { zone: 'Leganés', ...CHOICES, radius_km: 50, breaks_quiet: true })
  const row = await db.selectFrom('lost_alert_settings').selectAll().executeTakeFirstOrThrow()
  assert.equal([row.zone, row.radius_km, row.breaks_quiet], ['Leganés, Madrid', 50, 1])
  assert.match(row.cell, /^50:\d+:\d+$/)
  await deleteLostAlerts(db, ana)
  await deleteLostAlerts(db, ana)
  assert.is(await readLostAlerts(db, ana.id), null)
})

settings('a place that is nowhere or too wide, and an account that is gone, are refused', async ({ db, ana }) => {
  const save = (zone: string, user = ana) => refusal(saveLostAlerts(db, user, { zone, ...CHOICES }))
  assert.is((await save('Nadaquever'))[0], 422)
  assert.is((await save('Andalucía'))[0], 422)
  assert.is((await save('Getafe', { ...ana, id: 'nobody' }))[0], 401)
  assert.is((await refusal(saveLostAlerts(db, null, { zone: 'Getafe', ...CHOICES })))[0], 401)
  assert.is((await refusal(deleteLostAlerts(db, null)))[0], 401)
  assert.is(await readLostAlerts(db, ana.id), null)
})

settings('the input is checked field by field', () => {
  const faultOf = (value: unknown) => lostAlertsInput.safeParse(value).error?.issues[0]?.message
  assert.is(faultOf({}), 'Escribe tu pueblo o tu barrio.')
  assert.is(faultOf({ zone: ' ' }), 'Escribe tu pueblo o tu barrio.')
  assert.is(faultOf({ zone: 'a'.repeat(3000) }), 'El lugar no puede tener más de 100 caracteres.')
  assert.is(faultOf({ zone: 'Getafe', radius_km: 3 }), 'Elige una distancia de la lista.')
  assert.is(faultOf({ zone: 'Getafe', by_mail: 'si' }), 'Elige sí o no para cada aviso.')
  assert.equal(lostAlertsInput.parse({ zone: ' San  Sebastián ' }), {
    zone: 'San Sebastián',
    radius_km: 10,
    breaks_quiet: false,
    by_mail: false,
    by_push: true,
  })
})

settings('distances are told as bands', () => {
  assert.equal(
    [0, 2, 2.1, 9.9, 49, 80].map(distanceBand),
    [2, 2, 5, 10, 50, 50].map((km) => `a menos de ${km} km`),
  )
})
