import { eraseRows } from '#features/account/personal-data/erase-rows.server.ts'
import { deleteHomeZone, readHomeZone, saveHomeZone } from '#features/nearby/home-zone/home-zone.server.ts'
import { homeZoneInput } from '#features/nearby/home-zone/home-zone.ts'
import { assert, dbSuite, member, refusalOf } from '#tests/support/suites.ts'

const homes = dbSuite('unit/nearby/home-zone', { ana: member() })

const input = (zone: string, alert: 10 | 25 | 50 | 100 | 'province' | null = null, digest = true) => ({
  zone,
  alert,
  digest,
})

homes('a zone is stored as the gazetteer names it, with its province', async ({ db, ana }) => {
  assert.is(await readHomeZone(db, ana.id), null)
  const saved = await saveHomeZone(db, ana, input('  alacant ', 25))
  assert.equal(saved, { zone: 'Alacant, Alicante', province: '03', alert: 25, digest: true })
  assert.equal(await readHomeZone(db, ana.id), saved)
  await saveHomeZone(db, ana, input('Chamberí, Madrid', 'province', false))
  assert.equal(await readHomeZone(db, ana.id), {
    zone: 'Chamberí, Madrid',
    province: '28',
    alert: 'province',
    digest: false,
  })
})

homes('a place abroad has a distance and no province', async ({ db, ana }) => {
  assert.is((await saveHomeZone(db, ana, input('Bogotá', 50))).province, '')
  assert.is(
    await refusalOf(saveHomeZone(db, ana, input('Bogotá', 'province'))),
    '422 Ese lugar no está en ninguna provincia de España. Elige una distancia.',
  )
  assert.is((await readHomeZone(db, ana.id))?.alert, 50, 'nothing is half-written')
})

homes('a zone that is nowhere, or several provinces, is refused and changes nothing', async ({ db, ana }) => {
  await saveHomeZone(db, ana, input('Getafe', 10))
  for (const [zone, sentence] of [
    ['Nadaquever', '422 No conocemos ese lugar. Prueba con el nombre del pueblo o de la provincia.'],
    ['España', '422 No conocemos ese lugar. Prueba con el nombre del pueblo o de la provincia.'],
    ['Andalucía', '422 Ese lugar es demasiado grande. Elige un pueblo, un barrio o una provincia.'],
  ] as const)
    assert.is(await refusalOf(saveHomeZone(db, ana, input(zone))), sentence)
  assert.is((await readHomeZone(db, ana.id))?.zone, 'Getafe, Madrid')
  assert.is(await refusalOf(saveHomeZone(db, null, input('Getafe'))), '401 Inicia sesión para continuar.')
})

homes('the input has a sentence for each fault', () => {
  const faultOf = (value: unknown) => homeZoneInput.safeParse(value).error?.issues[0]?.message
  assert.is(faultOf({ zone: '   ' }), 'Escribe tu pueblo, tu barrio o tu provincia.')
  assert.is(faultOf({ zone: 5 }), 'Escribe tu pueblo, tu barrio o tu provincia.')
  assert.is(faultOf({ zone: 'a'.repeat(101) }), 'El lugar no puede tener más de 100 caracteres.')
  assert.is(faultOf({ zone: 'a'.repeat(5000) }), 'El lugar no puede tener más de 100 caracteres.')
  assert.is(faultOf({ zone: 'Getafe', alert: 7 }), 'Elige una distancia de la lista.')
  assert.is(faultOf({ zone: 'Getafe', alert: '25' }), 'Elige una distancia de la lista.')
  assert.is(faultOf({ zone: 'Getafe', digest: 'on' }), 'Elige sí o no para el resumen semanal.')
  assert.equal(homeZoneInput.parse({ zone: ' San  Sebastián ' }), { zone: 'San Sebastián', alert: null, digest: true })
})

homes('it goes when its member says so, and with the account', async ({ db, ana }) => {
  await saveHomeZone(db, ana, input('Getafe', 10))
  await deleteHomeZone(db, ana)
  await deleteHomeZone(db, ana)
  assert.is(await readHomeZone(db, ana.id), null)
  await saveHomeZone(db, ana, input('Getafe', 10))
  await eraseRows(db, ana.id)
  assert.is(await readHomeZone(db, ana.id), null)
})
