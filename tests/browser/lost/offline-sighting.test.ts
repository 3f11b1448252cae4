import type { Page } from 'playwright'
import { axeFaults } from '#tests/support/browser/axe.ts'
import { PHONE } from '#tests/support/browser/chromium.ts'
import { type FaultProxy, startFaultProxy } from '#tests/support/browser/fault-proxy.ts'
import { openBehindProxy, type OpenedPage, waitUntilCached } from '#tests/support/browser/service-worker.ts'
import { smallPhotos } from '#tests/support/dogs/dog-form.ts'
import { type TestMember, signInMember, useSession } from '#tests/support/members.ts'
import { dog, seed } from '#tests/support/seed.ts'
import { addLostCase } from '#tests/support/sightings/lost-case.ts'
import { assert, browserSuite, type BrowserWorld } from '#tests/support/suites.ts'

interface World extends BrowserWorld {
  front: FaultProxy
  owner: TestMember
  /** A phone whose worker is ready. */
  phone: OpenedPage
}
const HERE = { latitude: 40.41678, longitude: -3.70379 }

const offline = browserSuite<World>('a sighting without signal')
offline.before(async (t) => {
  t.front = await startFaultProxy(t.server.url)
  t.owner = await signInMember(t.server, 'duena@ejemplo.es')
  t.phone = await openBehindProxy(t, '/perros', { ...PHONE, geolocation: HERE, permissions: ['geolocation'] })
})
offline.before.each(async ({ phone }) => {
  await phone.context.setOffline(false)
  phone.errors.length = 0
})
offline.after(({ front }) => front.dispose())

/** A dog of the suite's owner that is looked for. */
async function addLostDog({ server, owner }: World, name: string) {
  const [lost] = await seed(server.db, dog({ name, owner_id: owner.id }))
  await addLostCase(server.db, { dogId: lost.id, ownerId: owner.id })
  return lost
}
const readSightings = ({ server }: World, dogId: string) =>
  server.db
    .selectFrom('sightings_all as s')
    .innerJoin('lost_cases as c', 'c.id', 's.case_id')
    .leftJoin('sighting_photos as f', 'f.sighting_id', 's.id')
    .select(['s.at', 's.created_at', 's.lat', 's.zone', 's.member_id', 'f.width'])
    .where('c.dog_id', '=', dogId)
    .execute()
/** Seeded dogs have no photo files. */
const withoutNetworkErrors = (errors: string[]) =>
  errors.filter((text) => !/net::ERR_|Failed to fetch|status of 404/.test(text))
const queueOf = (page: Page) => page.getByRole('complementary', { name: 'Avistamientos por enviar' })
const waitingTitle = (page: Page) => page.getByRole('heading', { name: 'Lo enviaremos cuando vuelva la conexión' })

/** Reads the dog's page, loses the network and opens the form from it. */
async function openFormOffline({ phone: { context, page }, front }: World, lost: { path: string; name: string }) {
  await page.goto(front.url + lost.path)
  await waitUntilCached(page, lost.path)
  await context.setOffline(true)
  await page.getByRole('link', { name: '¿Lo has visto?' }).click()
  await page.getByRole('heading', { name: `¿Has visto a ${lost.name}?` }).waitFor()
}

offline(
  'photo, «Estoy aquí ahora» and «Enviar» wait for the network, and arrive once with the time of the press',
  async (t) => {
    const { context, page, errors } = t.phone
    const toby = await addLostDog(t, 'Toby')
    await openFormOffline(t, toby)
    await page.getByLabel('Hacer foto').setInputFiles(await smallPhotos(1))
    await page.getByRole('button', { name: 'Estoy aquí ahora' }).click()
    await page.getByText('Tenemos el sitio.').waitFor()
    const pressedAt = Date.now()
    await page.getByRole('button', { name: 'Enviar', exact: true }).dblclick()
    await waitingTitle(page).waitFor()
    await queueOf(page).getByText('Has visto a Toby').waitFor()
    await queueOf(page).getByText('Lo enviaremos cuando vuelva la conexión.').waitFor()
    assert.equal(await axeFaults(page, { within: 'main' }), [])
    for (const button of await queueOf(page).getByRole('button').all())
      assert.ok((await button.boundingBox())!.height >= 44)
    // It waits on the dog's page, too, and in a tab opened later.
    await page.goto(t.front.url + toby.path)
    await queueOf(page).getByText('Has visto a Toby').waitFor()
    await page.waitForTimeout(1500)
    assert.is((await readSightings(t, toby.id)).length, 0)

    await context.setOffline(false)
    await page.getByText('Su familia ya sabe que has visto a Toby.').first().waitFor()
    await queueOf(page).waitFor({ state: 'detached' })
    const [sighting, ...others] = await readSightings(t, toby.id)
    assert.is(others.length, 0)
    assert.is(sighting!.lat, HERE.latitude)
    assert.ok(sighting!.width! > 0, 'with its photo')
    assert.ok(Math.abs(sighting!.at - pressedAt) < 1000, `${sighting!.at - pressedAt} ms after the press`)
    assert.ok(sighting!.created_at - sighting!.at > 1400, 'it was sent later')
    await page.reload()
    assert.is(await queueOf(page).count(), 0)
    assert.equal(withoutNetworkErrors(errors), [])
  },
)

offline('the form’s own page that loses its network says when it was sent', async (t) => {
  const { context, page, errors } = t.phone
  const luna = await addLostDog(t, 'Luna')
  await page.goto(`${t.front.url}/perdidos/${luna.id}/visto`)
  await page.getByLabel('Pueblo o barrio').fill('Getafe')
  await page.getByLabel('¿Cuándo?').selectOption('Hace una hora')
  await context.setOffline(true)
  const pressedAt = Date.now()
  await page.getByRole('button', { name: 'Enviar', exact: true }).click()
  await waitingTitle(page).waitFor()
  await context.setOffline(false)
  await page.getByRole('heading', { name: 'Enviado: ya lo sabe su familia' }).waitFor()
  const [sighting] = await readSightings(t, luna.id)
  assert.ok(Math.abs(sighting!.at - (pressedAt - 3_600_000)) < 1000)
  // The next one is another one.
  await page.getByRole('button', { name: 'Contar otro avistamiento' }).click()
  await page.getByLabel('Pueblo o barrio').fill('Leganés')
  await page.getByRole('button', { name: 'Enviar', exact: true }).click()
  await page.getByRole('heading', { name: '¡Gracias!' }).waitFor()
  assert.is((await readSightings(t, luna.id)).length, 2)
  assert.equal(withoutNetworkErrors(errors), [])
})

offline('what the server refuses is said, and can be corrected or thrown away', async (t) => {
  const { context, page } = t.phone
  const [nube, other] = [await addLostDog(t, 'Nube'), await addLostDog(t, 'Otra')]
  await openFormOffline(t, nube)
  for (const lost of [nube, other]) {
    await page.goto(`${t.front.url}/perdidos/${lost.id}/visto`)
    await page.getByLabel('Pueblo o barrio').fill('Xyzzyplugh')
    await page.getByRole('button', { name: 'Enviar', exact: true }).click()
    await waitingTitle(page).waitFor()
  }
  await context.setOffline(false)
  const rowOf = (name: string) => queueOf(page).getByRole('listitem').filter({ hasText: name })
  await rowOf('Nube').getByText('No conocemos ese sitio.').waitFor()
  await rowOf('Nube').getByRole('link', { name: 'Corregir' }).click()
  await page.waitForURL(`**/perdidos/${nube.id}/visto`)
  await page.getByRole('alert').getByText('No conocemos ese sitio.').waitFor()
  assert.is(await page.getByLabel('Pueblo o barrio').inputValue(), 'Xyzzyplugh')
  const [firstPress] = await page.getByLabel('¿Cuándo?').locator('option').allInnerTexts()
  assert.match(firstPress!, /\d+:\d\d/)
  await page.getByLabel('Pueblo o barrio').fill('Getafe')
  await page.getByRole('button', { name: 'Enviar', exact: true }).click()
  await page.getByRole('heading', { name: '¡Gracias!' }).waitFor()
  assert.is((await readSightings(t, nube.id)).length, 1)
  assert.is(await rowOf('Nube').count(), 0)

  // A dog whose page was never read has no name here.
  await rowOf('este perro').getByRole('button', { name: 'Descartar' }).click()
  await rowOf('este perro').getByRole('button', { name: 'Conservar' }).click()
  await rowOf('este perro').getByRole('button', { name: 'Descartar' }).click()
  await rowOf('este perro').getByRole('button', { name: 'Sí, descartar' }).click()
  await queueOf(page).waitFor({ state: 'detached' })
})

offline('a dog that came home meanwhile: there is nothing to correct', async (t) => {
  const { context, page } = t.phone
  const toto = await addLostDog(t, 'Totó')
  await openFormOffline(t, toto)
  await page.getByLabel('Pueblo o barrio').fill('Getafe')
  await page.getByRole('button', { name: 'Enviar', exact: true }).click()
  await waitingTitle(page).waitFor()
  await t.server.db.deleteFrom('lost_cases').where('dog_id', '=', toto.id).execute()
  await context.setOffline(false)
  await queueOf(page).getByText('Este perro ya no está marcado como perdido.').waitFor()
  assert.is(await queueOf(page).getByRole('link', { name: 'Corregir' }).count(), 0)
  await queueOf(page).getByRole('button', { name: 'Descartar' }).click()
  await queueOf(page).getByRole('button', { name: 'Sí, descartar' }).click()
  await queueOf(page).waitFor({ state: 'detached' })
})

offline('once a server that was gone answers, the form sends before the next try of the queue', async (t) => {
  const { page } = t.phone
  const rex = await addLostDog(t, 'Rex')
  await page.goto(t.front.url + rex.path)
  await waitUntilCached(page, rex.path)
  t.front.down()
  await page.getByRole('link', { name: '¿Lo has visto?' }).click()
  await page.getByLabel('Pueblo o barrio').fill('Getafe')
  await page.getByRole('button', { name: 'Enviar', exact: true }).click()
  await waitingTitle(page).waitFor()
  t.front.up()
  // The queue's own next try is 30 s away, and the browser, which had a network all along, fires no `online`.
  await page.getByRole('heading', { name: 'Enviado: ya lo sabe su familia' }).waitFor({ timeout: 20_000 })
  assert.is((await readSightings(t, rex.id)).length, 1)
})

offline('one that is being corrected is not sent as it was', async (t) => {
  const { page } = t.phone
  const bim = await addLostDog(t, 'Bim')
  await page.goto(`${t.front.url}/perdidos/${bim.id}/visto`)
  await page.getByLabel('Pueblo o barrio').fill('Getafe')
  t.front.down()
  await page.getByRole('button', { name: 'Enviar', exact: true }).click()
  await waitingTitle(page).waitFor()
  await queueOf(page).getByRole('link', { name: 'Corregir' }).click()
  await page.getByRole('button', { name: 'Enviar', exact: true }).waitFor()
  t.front.up()
  const asked = t.front.requests.length
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await page.waitForTimeout(1500)
  assert.equal(
    t.front.requests.slice(asked).filter((line) => line.startsWith('POST')),
    [],
  )
  await page.getByLabel('Pueblo o barrio').fill('Leganés')
  await page.getByRole('button', { name: 'Enviar', exact: true }).click()
  await page.getByRole('heading', { name: '¡Gracias!' }).waitFor()
  const [sighting, ...others] = await readSightings(t, bim.id)
  assert.is(others.length, 0)
  assert.match(sighting!.zone, 'Leganés')
})

offline('on a device of two members it is sent in the session of who wrote it alone', async (t) => {
  const { context, page } = t.phone
  const kira = await addLostDog(t, 'Kira')
  const [ana, luis] = [await signInMember(t.server, 'ana@ejemplo.es'), await signInMember(t.server, 'luis@ejemplo.es')]
  await useSession(context, t.front, ana)
  await page.goto(`${t.front.url}/perdidos/${kira.id}/visto`)
  await page.getByLabel('Pueblo o barrio').fill('Getafe')
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Enviar', exact: true }).click()
  await waitingTitle(page).waitFor()
  await page.goto('about:blank')
  await context.setOffline(false)

  await useSession(context, t.front, luis)
  const asked = t.front.requests.length
  await page.goto(t.front.url + kira.path)
  await page.locator('[data-bell][role=button]').waitFor()
  await page.waitForTimeout(1000)
  assert.is(await queueOf(page).count(), 0)
  const posts = t.front.requests.slice(asked).filter((line) => line.startsWith('POST /api/dogs'))
  assert.equal(posts, [])
  await context.clearCookies()
  await page.goto(t.front.url + kira.path)
  await queueOf(page).getByText('Un avistamiento de quien usó este dispositivo').waitFor()
  assert.is(await queueOf(page).getByText('Kira').count(), 0)

  await useSession(context, t.front, ana)
  await page.goto(t.front.url + kira.path)
  await page.getByText('Su familia ya sabe que has visto a Kira.').first().waitFor()
  assert.is((await readSightings(t, kira.id))[0]!.member_id, ana.id)
})
