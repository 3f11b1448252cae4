import * as assert from 'uvu/assert'
import { axeFaults } from '#tests/support/browser/axe.ts'
import { call } from '#tests/support/api.ts'
import { DESKTOP, PHONE, watchErrors } from '#tests/support/browser/chromium.ts'
import { dogForm, openAddForm, submitForm } from '#tests/support/dogs/dog-form.ts'
import {
  waitUntilAdded,
  addOffline,
  goOnline,
  dogsNamed,
  fillForm,
  openDogsPage,
  queuePanel,
  countPosts,
  queueSuite,
  queueRow,
  withoutNetworkErrors,
} from '#tests/support/dogs/offline-queue.ts'
import { signInMember, useSession } from '#tests/support/members.ts'
import { waitUntilTrue } from '#tests/support/browser/service-worker.ts'
import { waitUntilQuiet, watchRequests } from '#tests/support/browser/requests.ts'

const queue = queueSuite('dogs without signal')

queue('the whole form works with the server gone, survives a closed tab, and is sent once', async (t) => {
  const ana = await signInMember(t.server)
  const { context, page, errors } = await openDogsPage(t, ana)
  t.front.down()
  // A page never seen before, so the offline page: the form opens there too, with the breeds and photos it needs.
  await page.goto(`${t.front.url}/comunidad`)
  await page.getByRole('heading', { name: 'Sin conexión', exact: true }).waitFor()
  const dialog = await openAddForm(page)
  await dialog.getByLabel('Zona').fill('sala')
  await dialog.getByRole('option', { name: 'Salamanca, Salamanca' }).waitFor()
  await dialog.getByLabel('Zona').fill('')
  await dialog.getByRole('button', { name: 'Cancelar' }).click()
  await dialog.waitFor({ state: 'detached' })
  await addOffline(page, 'Sinseñal', 2)
  await queueRow(page, 'Sinseñal').getByText('Se enviará cuando vuelva la conexión.').waitFor()
  assert.equal(await axeFaults(page, { within: '.queue' }), [])
  await page.close()

  const again = await context.newPage()
  const later = watchErrors(again)
  await again.goto(`${t.front.url}/perros`)
  await queueRow(again, 'Sinseñal').waitFor()
  assert.is((await dogsNamed(t.server, 'Sinseñal')).length, 0)
  await goOnline(t.front, again)
  await waitUntilAdded(again, 'Sinseñal')
  await queuePanel(again).waitFor({ state: 'detached' })
  const [dog, ...others] = await dogsNamed(t.server, 'Sinseñal')
  assert.is(others.length, 0)
  assert.is(dog.owner_id, ana.id)
  assert.is(dog.breed, 'Beagle')
  assert.is((await call(t.server, `/api/dogs/${dog.id}`)).body.dog.images.length, 2)
  // Nothing is left, here or after a reload, and no draft either.
  await again.reload()
  assert.is(await queuePanel(again).count(), 0)
  await openAddForm(again)
  assert.is(await dogForm(again).getByText('Borrador recuperado').count(), 0)
  assert.equal(withoutNetworkErrors([...errors, ...later]), [])
})

queue('the browser offline: the same on a phone, and its return sends by itself', async (t) => {
  const ana = await signInMember(t.server)
  const { context, page, errors } = await openDogsPage(t, ana)
  await page.setViewportSize(PHONE.viewport)
  await context.setOffline(true)
  await addOffline(page, 'Enelmonte')
  await queueRow(page, 'Enelmonte').waitFor()
  for (const button of await queueRow(page, 'Enelmonte').getByRole('button').all())
    assert.ok((await button.boundingBox())!.height >= 44)
  assert.is(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.offsetWidth), 0)
  await context.setOffline(false)
  await waitUntilAdded(page, 'Enelmonte')
  assert.is((await dogsNamed(t.server, 'Enelmonte')).length, 1)
  await page.setViewportSize(DESKTOP.viewport)
  assert.equal(withoutNetworkErrors(errors), [])
})

queue('a visitor’s dog is sent without a session, and is theirs to claim', async (t) => {
  const { context, page, errors } = await openDogsPage(t)
  t.front.down()
  await addOffline(page, 'Sindueño')
  // Somebody signs in on the device meanwhile: it is not theirs unasked.
  const luis = await signInMember(t.server, 'luis@ejemplo.es')
  await useSession(context, t.front, luis)
  await goOnline(t.front, page)
  await waitUntilAdded(page, 'Sindueño')
  const [dog] = await dogsNamed(t.server, 'Sindueño')
  assert.is(dog.owner_id, null)
  const pending = await page.evaluate(() => JSON.parse(localStorage.getItem('pending-dog-association')!))
  assert.is(pending.dogId, dog.id)
  assert.is(pending.ownershipType, 'owner')
  assert.equal(withoutNetworkErrors(errors), [])
})

queue('two tabs that come back at the same moment send it once', async (t) => {
  const ana = await signInMember(t.server)
  const { context, page } = await openDogsPage(t, ana)
  const other = await context.newPage()
  await other.goto(`${t.front.url}/razas`)
  t.front.down()
  await addOffline(page, 'Dospestañas')
  await queueRow(other, 'Dospestañas').waitFor()
  const before = countPosts(t.front)
  t.front.up()
  await Promise.all([page, other].map((tab) => tab.evaluate(() => window.dispatchEvent(new Event('online')))))
  await waitUntilTrue(
    'both tabs have nothing left',
    async () => (await queuePanel(page).count()) + (await queuePanel(other).count()) === 0,
  )
  assert.is(countPosts(t.front) - before, 1)
  assert.is((await dogsNamed(t.server, 'Dospestañas')).length, 1)
})

queue('edited, described and discarded while it waits', async (t) => {
  const ana = await signInMember(t.server)
  const { page, errors } = await openDogsPage(t, ana)
  t.front.down()
  const first = await fillForm(page, 'Uno', 3)
  await first.getByRole('button', { name: 'Describir foto 2' }).click()
  await page.keyboard.type('Corre')
  await page.keyboard.press('Enter')
  await submitForm(first)
  await first.getByText('Guardado en este dispositivo.').waitFor()
  await first.waitFor({ state: 'detached' })
  await addOffline(page, 'Dos')
  await queueRow(page, 'Uno').getByRole('button', { name: 'Editar' }).click()
  const dialog = dogForm(page)
  await dialog.locator('form').waitFor()
  assert.is(await dialog.getByLabel('Nombre').inputValue(), 'Uno')
  assert.is(await dialog.getByRole('combobox', { name: 'Raza' }).inputValue(), 'Beagle')
  assert.is(await dialog.locator('.df-gallery li').count(), 3)
  await dialog.getByRole('button', { name: 'Ver foto 2: Corre' }).waitFor()
  await dialog.getByRole('button', { name: 'Describir foto 1' }).click()
  await page.keyboard.type('Duerme')
  // Closing asks, because what waits stays as it was; other words of a photo alone are a change, too.
  await dialog.getByRole('button', { name: 'Cancelar' }).click()
  await dialog.getByText('No se ha podido guardar el borrador: si cierras ahora, pierdes lo que has escrito.').waitFor()
  await dialog.getByRole('button', { name: 'Seguir editando' }).click()
  await dialog.getByRole('button', { name: 'Quitar foto 3' }).click()
  await dialog.getByLabel('Nombre').fill('Uno bis')
  await submitForm(dialog)
  await dialog.getByText('Guardado en este dispositivo.').waitFor()
  await dialog.waitFor({ state: 'detached' })
  await queueRow(page, 'Uno bis').waitFor()
  assert.is(await queuePanel(page).getByRole('listitem').count(), 2)

  await queueRow(page, 'Dos').getByRole('button', { name: 'Descartar' }).click()
  await queueRow(page, 'Dos').getByRole('button', { name: 'Conservar' }).click()
  await queueRow(page, 'Dos').getByRole('button', { name: 'Descartar' }).click()
  await queueRow(page, 'Dos').getByRole('button', { name: 'Sí, descartar' }).click()
  await queueRow(page, 'Dos').waitFor({ state: 'detached' })
  await goOnline(t.front, page)
  await waitUntilAdded(page, 'Uno bis')
  const [dog] = await dogsNamed(t.server, 'Uno bis')
  const { images } = (await call(t.server, `/api/dogs/${dog.id}`)).body.dog
  assert.equal(
    images.map(({ alt }: { alt: string }) => alt),
    ['Duerme', 'Corre'],
  )
  assert.is((await dogsNamed(t.server, 'Dos')).length, 0)
  assert.is((await dogsNamed(t.server, 'Uno')).length, 0)
  assert.equal(withoutNetworkErrors(errors), [])
})

queue('while its form is open nobody sends it', async (t) => {
  const ana = await signInMember(t.server)
  const { context, page } = await openDogsPage(t, ana)
  t.front.down()
  await addOffline(page, 'Abierta')
  await queueRow(page, 'Abierta').getByRole('button', { name: 'Editar' }).click()
  await dogForm(page).locator('form').waitFor()
  const before = countPosts(t.front)
  await goOnline(t.front, page)
  const other = await context.newPage()
  await other.goto(`${t.front.url}/razas`)
  await queueRow(other, 'Abierta').getByRole('button', { name: 'Editar' }).click()
  await dogForm(other).getByText('Este perro se está enviando ahora mismo.').waitFor()
  assert.is(countPosts(t.front), before)
  await dogForm(page).getByRole('button', { name: 'Cancelar' }).click()
  await waitUntilTrue('it is sent', async () => (await dogsNamed(t.server, 'Abierta')).length > 0)
  await queuePanel(page).waitFor({ state: 'detached' })
  assert.is((await dogsNamed(t.server, 'Abierta')).length, 1)
  assert.is(countPosts(t.front) - before, 1)
})

queue('what is being sent shows how far it is, and cannot be sent twice or discarded meanwhile', async (t) => {
  const ana = await signInMember(t.server)
  const { page, errors } = await openDogsPage(t, ana)
  t.front.down()
  await addOffline(page, 'Lenta')
  // The server takes everything and says nothing yet.
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  let isHeld = true
  t.front.intercept((req, res) => {
    if (req.method !== 'POST' || req.url !== '/api/dogs' || !isHeld) return false
    isHeld = false
    req.resume().on('end', () => void held.then(() => res.writeHead(503).end()))
    return true
  })
  await goOnline(t.front, page)
  await queueRow(page, 'Lenta').getByText('Guardando…').waitFor()
  const meter = queueRow(page, 'Lenta').getByRole('progressbar', { name: 'Enviando a Lenta' })
  assert.is(await meter.getAttribute('aria-valuenow'), '100')
  assert.is(await queueRow(page, 'Lenta').getByRole('button').count(), 0)
  letGo()
  // Tried again by itself.
  await waitUntilAdded(page, 'Lenta')
  assert.is((await dogsNamed(t.server, 'Lenta')).length, 1)
  assert.equal(withoutNetworkErrors(errors), [])
})

queue('Background Sync sends with no page open, and the next page says so once', async (t) => {
  const ana = await signInMember(t.server)
  const { context, page } = await openDogsPage(t, ana)
  t.front.down()
  await addOffline(page, 'Defondo')
  const blank = await context.newPage()
  const devtools = await context.newCDPSession(page)
  const ids: string[] = []
  devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    for (const { registrationId } of registrations) ids.push(registrationId)
  })
  await devtools.send('ServiceWorker.enable')
  await waitUntilTrue('the browser’s name of the worker', async () => ids.length > 0)
  // What stands in the cache for «kept pages may be shown at once».
  await page.evaluate(async () => (await caches.open('perrario-paginas')).put('/.visitante', new Response('')))
  await page.goto('about:blank')
  t.front.up()
  await devtools.send('ServiceWorker.dispatchSyncEvent', {
    origin: t.front.url,
    registrationId: ids[0]!,
    tag: 'perrario-cola',
    lastChance: false,
  })
  await waitUntilTrue('the dog is there', async () => (await dogsNamed(t.server, 'Defondo')).length === 1)
  await blank.goto(`${t.front.url}/healthz`)
  await waitUntilTrue('kept pages are older than the dog', () =>
    blank.evaluate(async () => (await caches.match('/.visitante')) === undefined),
  )
  await blank.goto(`${t.front.url}/razas`)
  await waitUntilAdded(blank, 'Defondo')
  assert.is(countPosts(t.front), 1)
  const requests = watchRequests(blank)
  await blank.goto(`${t.front.url}/comunidad`)
  await waitUntilQuiet(blank, requests)
  assert.is(await blank.getByText('Defondo ya está en el álbum.').count(), 0)
  assert.is((await dogsNamed(t.server, 'Defondo')).length, 1)
})
