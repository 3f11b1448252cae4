import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { call } from '#tests/support/api.ts'
import { DESKTOP, launchBrowser, PHONE, watchErrors } from '#tests/support/browser.ts'
import { form, givePhotos, openAdd, smallPhotos, submit } from '#tests/support/dog-form.ts'
import { type Front, startFront } from '#tests/support/front.ts'
import { signedIn, type TestMember, useSession } from '#tests/support/members.ts'
import { until, visitWithWorker, workerReady } from '#tests/support/pwa.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

interface Test {
  server: TestServer
  browser: Browser
  front: Front
}
const queue = suite<Test>('dogs without signal')

queue.before(async (t) => {
  t.server = await startServer()
  t.browser = await launchBrowser()
})
queue.before.each(async (t) => {
  t.front = await startFront(t.server.url)
})
queue.after.each(({ front }) => front.dispose())
queue.after(async ({ browser, server }) => {
  await browser.close()
  await server.dispose()
})

const withoutNetwork = (errors: string[]) =>
  errors.filter((text) => !/net::ERR_|Failed to fetch|Error al cargar las razas|status of 50[03]/.test(text))

interface Opened {
  context: BrowserContext
  page: Page
  errors: string[]
}
async function open(
  { browser, front, server }: Test,
  who?: TestMember,
  options: BrowserContextOptions = DESKTOP,
): Promise<Opened> {
  const context = await visitWithWorker(browser, options)
  if (who) await useSession(context, { ...server, url: front.url }, who)
  const page = await context.newPage()
  const errors = watchErrors(page)
  await page.goto(`${front.url}/perros`)
  await workerReady(page)
  return { context, page, errors }
}

/** Fills the whole form in and sends it; waits for what a person without network is told. */
async function addOffline(page: Page, name: string, photos = 1): Promise<void> {
  const dialog = await fill(page, name, photos)
  await submit(dialog)
  await dialog.getByText('Guardado en este dispositivo. Se enviará cuando vuelva la conexión.').waitFor()
  await dialog.waitFor({ state: 'detached' })
}
async function fill(page: Page, name: string, photos = 1): Promise<Locator> {
  const dialog = await openAdd(page)
  await givePhotos(dialog, await smallPhotos(photos))
  await dialog.getByLabel('Nombre').fill(name)
  await dialog.getByRole('combobox', { name: 'Raza' }).fill('Beagle')
  await dialog.getByRole('option', { name: 'Beagle', exact: true }).click()
  await dialog.getByLabel('Zona').fill('Jaca')
  return dialog
}

const panel = (page: Page) => page.getByRole('complementary', { name: 'Perros por enviar' })
const row = (page: Page, name: string) => panel(page).getByRole('listitem').filter({ hasText: name })
const dogsNamed = async (server: TestServer, name: string) =>
  (await call(server, '/api/dogs?limit=50')).body.dogs.filter((dog: any) => dog.name === name)
const added = (page: Page, name: string) => page.getByText(`${name} ya está en el álbum.`).first().waitFor()
/** The adds that reached the server. */
const posts = (front: Front) => front.asked.filter((line) => line === 'POST /api/dogs').length
/** As a phone that finds its network again: the server is there, and the browser says so. */
async function backOnline(front: Front, ...pages: Page[]): Promise<void> {
  front.up()
  for (const page of pages) await page.evaluate(() => window.dispatchEvent(new Event('online')))
}

queue('the whole form works with the server gone, survives a closed tab, and is sent once', async (t) => {
  const ana = await signedIn(t.server)
  const { context, page, errors } = await open(t, ana)
  t.front.down()
  // A page never seen before, so the offline page: the form opens there too, with the breeds and photos it needs.
  await page.goto(`${t.front.url}/comunidad`)
  await page.getByRole('heading', { name: 'Sin conexión', exact: true }).waitFor()
  const dialog = await openAdd(page)
  await dialog.getByLabel('Zona').fill('sala')
  await dialog.getByRole('option', { name: 'Salamanca, Salamanca' }).waitFor()
  await dialog.getByLabel('Zona').fill('')
  await dialog.getByRole('button', { name: 'Cancelar' }).click()
  await dialog.waitFor({ state: 'detached' })
  await addOffline(page, 'Sinseñal', 2)
  await row(page, 'Sinseñal').getByText('Se enviará cuando vuelva la conexión.').waitFor()
  const { violations } = await new AxeBuilder({ page }).include('.queue').analyze()
  assert.equal(
    violations.map(({ id }) => id),
    [],
  )
  await page.close()

  const again = await context.newPage()
  const later = watchErrors(again)
  await again.goto(`${t.front.url}/perros`)
  await row(again, 'Sinseñal').waitFor()
  assert.is((await dogsNamed(t.server, 'Sinseñal')).length, 0)
  await backOnline(t.front, again)
  await added(again, 'Sinseñal')
  await panel(again).waitFor({ state: 'detached' })
  const [dog, ...others] = await dogsNamed(t.server, 'Sinseñal')
  assert.is(others.length, 0)
  assert.is(dog.owner_id, ana.id)
  assert.is(dog.breed, 'Beagle')
  assert.is((await call(t.server, `/api/dogs/${dog.id}`)).body.dog.images.length, 2)
  // Nothing is left, here or after a reload, and no draft either.
  await again.reload()
  assert.is(await panel(again).count(), 0)
  await openAdd(again)
  assert.is(await form(again).getByText('Borrador recuperado').count(), 0)
  assert.equal(withoutNetwork([...errors, ...later]), [])
  await context.close()
})

queue('the browser offline: the same on a phone, and its return sends by itself', async (t) => {
  const ana = await signedIn(t.server)
  const { context, page, errors } = await open(t, ana, PHONE)
  await context.setOffline(true)
  await addOffline(page, 'Enelmonte')
  await row(page, 'Enelmonte').waitFor()
  for (const button of await row(page, 'Enelmonte').getByRole('button').all())
    assert.ok((await button.boundingBox())!.height >= 44)
  assert.is(await page.evaluate(() => document.documentElement.scrollWidth), 390)
  await context.setOffline(false)
  await added(page, 'Enelmonte')
  assert.is((await dogsNamed(t.server, 'Enelmonte')).length, 1)
  assert.equal(withoutNetwork(errors), [])
  await context.close()
})

queue('a visitor’s dog is sent without a session, and is theirs to claim', async (t) => {
  const { context, page, errors } = await open(t)
  t.front.down()
  await addOffline(page, 'Sindueño')
  // Somebody signs in on the device meanwhile: it is not theirs unasked.
  const luis = await signedIn(t.server, 'luis@ejemplo.es')
  await useSession(context, { ...t.server, url: t.front.url }, luis)
  await backOnline(t.front, page)
  await added(page, 'Sindueño')
  const [dog] = await dogsNamed(t.server, 'Sindueño')
  assert.is(dog.owner_id, null)
  const pending = await page.evaluate(() => JSON.parse(localStorage.getItem('pending-dog-association')!))
  assert.is(pending.dogId, dog.id)
  assert.is(pending.ownershipType, 'owner')
  assert.equal(withoutNetwork(errors), [])
  await context.close()
})

queue('two tabs that come back at the same moment send it once', async (t) => {
  const ana = await signedIn(t.server)
  const { context, page } = await open(t, ana)
  const other = await context.newPage()
  await other.goto(`${t.front.url}/razas`)
  t.front.down()
  await addOffline(page, 'Dospestañas')
  await row(other, 'Dospestañas').waitFor()
  const before = posts(t.front)
  t.front.up()
  await Promise.all([page, other].map((tab) => tab.evaluate(() => window.dispatchEvent(new Event('online')))))
  await until(
    'both tabs have nothing left',
    async () => (await panel(page).count()) + (await panel(other).count()) === 0,
  )
  assert.is(posts(t.front) - before, 1)
  assert.is((await dogsNamed(t.server, 'Dospestañas')).length, 1)
  await context.close()
})

queue('an answer that got lost makes no second dog, and what was edited since counts', async (t) => {
  const ana = await signedIn(t.server)
  const { context, page } = await open(t, ana)
  // The dog is added, the answer never comes.
  t.front.lose(({ method, url }) => method === 'POST' && url === '/api/dogs')
  await addOffline(page, 'Perdida')
  await until('the server has it', async () => (await dogsNamed(t.server, 'Perdida')).length === 1)
  await row(page, 'Perdida').getByRole('button', { name: 'Editar' }).click()
  const dialog = form(page)
  await dialog.getByLabel('Nombre').fill('Encontrada')
  await givePhotos(dialog, (await smallPhotos(2)).slice(1))
  t.front.lose(() => false)
  await submit(dialog)
  await dialog.getByRole('button', { name: 'Perro añadido' }).waitFor()
  await panel(page).waitFor({ state: 'detached' })
  assert.is((await dogsNamed(t.server, 'Perdida')).length, 0)
  const [found, ...others] = await dogsNamed(t.server, 'Encontrada')
  assert.is(others.length, 0)
  assert.is((await call(t.server, `/api/dogs/${found.id}`)).body.dog.images.length, 2)
  await context.close()
})

queue('a visitor’s lost dog stays as it was first sent, and they are told', async (t) => {
  const { context, page, errors } = await open(t)
  t.front.lose(({ method, url }) => method === 'POST' && url === '/api/dogs')
  await addOffline(page, 'Primera')
  await until('the server has it', async () => (await dogsNamed(t.server, 'Primera')).length === 1)
  await row(page, 'Primera').getByRole('button', { name: 'Editar' }).click()
  await form(page).getByLabel('Nombre').fill('Segunda')
  t.front.lose(() => false)
  await submit(form(page))
  await page.getByText('Llegó como lo enviaste la primera vez, sin tus últimos cambios.').waitFor()
  await page.waitForURL('**/perfil')
  assert.is((await dogsNamed(t.server, 'Primera')).length, 1)
  assert.is((await dogsNamed(t.server, 'Segunda')).length, 0)
  const pending = await page.evaluate(() => JSON.parse(localStorage.getItem('pending-dog-association')!))
  assert.is(pending.dogId, (await dogsNamed(t.server, 'Primera'))[0].id)
  assert.equal(withoutNetwork(errors), [])
  await context.close()
})

queue('edited and discarded while it waits', async (t) => {
  const ana = await signedIn(t.server)
  const { context, page, errors } = await open(t, ana)
  t.front.down()
  await addOffline(page, 'Uno', 2)
  await addOffline(page, 'Dos')
  await row(page, 'Uno').getByRole('button', { name: 'Editar' }).click()
  const dialog = form(page)
  await dialog.locator('form').waitFor()
  assert.is(await dialog.getByLabel('Nombre').inputValue(), 'Uno')
  assert.is(await dialog.getByRole('combobox', { name: 'Raza' }).inputValue(), 'Beagle')
  assert.is(await dialog.locator('.df-gallery li').count(), 2)
  await dialog.getByRole('button', { name: 'Quitar foto 1' }).click()
  await dialog.getByLabel('Nombre').fill('Uno bis')
  // Closing asks, because what waits stays as it was.
  await dialog.getByRole('button', { name: 'Cancelar' }).click()
  await dialog.getByText('No se ha podido guardar el borrador: si cierras ahora, pierdes lo que has escrito.').waitFor()
  await dialog.getByRole('button', { name: 'Seguir editando' }).click()
  await submit(dialog)
  await dialog.getByText('Guardado en este dispositivo.').waitFor()
  await dialog.waitFor({ state: 'detached' })
  await row(page, 'Uno bis').waitFor()
  assert.is(await panel(page).getByRole('listitem').count(), 2)

  await row(page, 'Dos').getByRole('button', { name: 'Descartar' }).click()
  await row(page, 'Dos').getByRole('button', { name: 'Conservar' }).click()
  await row(page, 'Dos').getByRole('button', { name: 'Descartar' }).click()
  await row(page, 'Dos').getByRole('button', { name: 'Sí, descartar' }).click()
  await row(page, 'Dos').waitFor({ state: 'detached' })
  await backOnline(t.front, page)
  await added(page, 'Uno bis')
  const [dog] = await dogsNamed(t.server, 'Uno bis')
  assert.is((await call(t.server, `/api/dogs/${dog.id}`)).body.dog.images.length, 1)
  assert.is((await dogsNamed(t.server, 'Dos')).length, 0)
  assert.is((await dogsNamed(t.server, 'Uno')).length, 0)
  assert.equal(withoutNetwork(errors), [])
  await context.close()
})

queue('while its form is open nobody sends it', async (t) => {
  const ana = await signedIn(t.server)
  const { context, page } = await open(t, ana)
  t.front.down()
  await addOffline(page, 'Abierta')
  await row(page, 'Abierta').getByRole('button', { name: 'Editar' }).click()
  await form(page).locator('form').waitFor()
  const before = posts(t.front)
  await backOnline(t.front, page)
  const other = await context.newPage()
  await other.goto(`${t.front.url}/razas`)
  await row(other, 'Abierta').getByRole('button', { name: 'Editar' }).click()
  await form(other).getByText('Este perro se está enviando ahora mismo.').waitFor()
  assert.is(posts(t.front), before)
  await form(page).getByRole('button', { name: 'Cancelar' }).click()
  await until('it is sent', async () => (await dogsNamed(t.server, 'Abierta')).length > 0)
  await panel(page).waitFor({ state: 'detached' })
  assert.is((await dogsNamed(t.server, 'Abierta')).length, 1)
  assert.is(posts(t.front) - before, 1)
  await context.close()
})

queue('the server failing three times: it stays, the person is told, «Enviar ahora» tries again', async (t) => {
  const ana = await signedIn(t.server)
  const { context, page, errors } = await open(t, ana)
  t.front.down()
  await addOffline(page, 'Terca')
  let failures = 0
  t.front.intercept((req, res) => {
    if (req.method !== 'POST' || req.url !== '/api/dogs' || failures === 3) return false
    failures++
    req.resume().on('end', () => {
      res.writeHead(500, { 'Content-Type': 'application/problem+json' })
      res.end(JSON.stringify({ detail: 'Error inesperado. Intenta de nuevo.' }))
    })
    return true
  })
  await backOnline(t.front, page)
  await row(page, 'Terca').getByText('El servidor no ha podido guardarlo. Sigue aquí: inténtalo más tarde.').waitFor()
  assert.is(failures, 3)
  await page.reload()
  await row(page, 'Terca').getByRole('button', { name: 'Enviar ahora' }).click()
  await added(page, 'Terca')
  assert.is((await dogsNamed(t.server, 'Terca')).length, 1)
  assert.equal(withoutNetwork(errors), [])
  await context.close()
})

queue('a session that ended: kept, the person asked to sign in, then sent as them', async (t) => {
  const ana = await signedIn(t.server, 'caduca@ejemplo.es')
  const { context, page } = await open(t, ana)
  t.front.down()
  await addOffline(page, 'Paciente')
  await context.clearCookies()
  await backOnline(t.front, page)
  await row(page, 'Paciente').getByText('Tu sesión ha terminado: inicia sesión y se enviará.').waitFor()
  assert.is(await row(page, 'Paciente').getByRole('link', { name: 'Iniciar sesión' }).getAttribute('href'), '/login')
  assert.is((await dogsNamed(t.server, 'Paciente')).length, 0)
  // Whoever comes to the device meanwhile learns no more than that one waits.
  await page.goto(`${t.front.url}/razas`)
  await row(page, 'Un perro de quien usó este dispositivo').getByRole('link', { name: 'Iniciar sesión' }).waitFor()
  assert.is(await page.locator('.queue').getByText('Paciente').count(), 0)
  assert.is(await page.locator('.queue button').count(), 0)
  // Another member of the same device neither sees nor sends it.
  const luis = await signedIn(t.server, 'luis@ejemplo.es')
  await useSession(context, { ...t.server, url: t.front.url }, luis)
  await page.goto(`${t.front.url}/razas`)
  await page.locator('[data-me-block=member]').getByText('luis@ejemplo.es').waitFor()
  await page.waitForTimeout(500)
  assert.is(await panel(page).count(), 0)
  assert.is((await dogsNamed(t.server, 'Paciente')).length, 0)

  const back = await signedIn(t.server, 'caduca@ejemplo.es')
  await useSession(context, { ...t.server, url: t.front.url }, back)
  await page.goto(`${t.front.url}/razas`)
  await added(page, 'Paciente')
  const [dog, ...others] = await dogsNamed(t.server, 'Paciente')
  assert.is(others.length, 0)
  assert.is(dog.owner_id, ana.id)
  await context.close()
})

queue('somebody else who signs in while the queue is being sent gets none of it', async (t) => {
  const [ana, luis] = [await signedIn(t.server), await signedIn(t.server, 'luis@ejemplo.es')]
  const { context, page } = await open(t, ana)
  t.front.down()
  for (const name of ['Primera', 'Segunda']) await addOffline(page, name)
  t.front.intercept(({ method, url }, res) => {
    if (method !== 'POST' || url !== '/api/dogs') return false
    t.front.intercept(() => false)
    // The first one fails, slowly, and meanwhile…
    const late = async () => {
      await useSession(context, { ...t.server, url: t.front.url }, luis)
      res.writeHead(422, { 'Content-Type': 'application/problem+json' }).end('{"detail":"No."}')
    }
    void late()
    return true
  })
  await backOnline(t.front, page)
  await row(page, 'Primera').getByText('No.').waitFor()
  await page.reload()
  assert.is(await panel(page).count(), 0, 'they are not his')
  assert.is((await dogsNamed(t.server, 'Segunda')).length, 0)
  await useSession(context, { ...t.server, url: t.front.url }, ana)
  await page.reload()
  await added(page, 'Segunda')
  assert.is((await dogsNamed(t.server, 'Segunda'))[0].owner_id, ana.id)
  await context.close()
})

queue('a breed that is gone and photos that are gone: told, edited, sent', async (t) => {
  const ana = await signedIn(t.server)
  const { context, page } = await open(t, ana)
  t.front.down()
  await addOffline(page, 'Sinraza')
  await addOffline(page, 'Sinfotos')
  await page.evaluate(
    () =>
      new Promise<void>((done, fail) => {
        const request = indexedDB.open('perrario-cola')
        request.onsuccess = () => {
          const store = request.result.transaction('perros', 'readwrite').objectStore('perros')
          const keys = store.getAllKeys()
          keys.onsuccess = () => {
            const dogs = store.getAll()
            dogs.onsuccess = () => {
              const { id } = dogs.result.find((dog) => dog.values?.name === 'Sinfotos')
              store.delete(`foto/${id}/0`).onsuccess = () => done()
            }
          }
        }
        request.addEventListener('error', () => fail(request.error))
      }),
  )
  let isGone = true
  t.front.intercept((req, res) => {
    if (req.url !== '/api/breeds' || !isGone) return false
    res.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
    res.end(JSON.stringify({ breeds: [{ name: 'Galgo Español' }, { name: 'Mestizo' }] }))
    return true
  })
  await backOnline(t.front, page)
  await row(page, 'Sinraza').getByText('La raza «Beagle» ya no está en la lista: edítalo y elige otra.').waitFor()
  await row(page, 'Sinfotos').getByText('Faltan fotos en este dispositivo: edítalo y vuelve a elegirlas.').waitFor()
  assert.is((await dogsNamed(t.server, 'Sinraza')).length, 0)

  await row(page, 'Sinraza').getByRole('button', { name: 'Editar' }).click()
  await form(page).getByText('La raza «Beagle» ya no está en la lista: edítalo y elige otra.').waitFor()
  await form(page).getByRole('combobox', { name: 'Raza' }).fill('Mestizo')
  await form(page).getByRole('option', { name: 'Mestizo' }).first().click()
  await submit(form(page))
  await form(page).getByRole('button', { name: 'Perro añadido' }).waitFor()
  await row(page, 'Sinraza').waitFor({ state: 'detached' })
  isGone = false
  await form(page).waitFor({ state: 'detached' })
  await row(page, 'Sinfotos').getByRole('button', { name: 'Editar' }).click()
  await submit(form(page))
  await form(page).getByText('Por favor, sube al menos una imagen del perro.').waitFor()
  await givePhotos(form(page), await smallPhotos(1))
  await submit(form(page))
  await form(page).getByRole('button', { name: 'Perro añadido' }).waitFor()
  assert.is((await dogsNamed(t.server, 'Sinfotos')).length, 1)
  assert.is((await dogsNamed(t.server, 'Sinraza')).length, 1)
  await context.close()
})

queue('what is being sent shows how far it is, and cannot be sent twice or discarded meanwhile', async (t) => {
  const ana = await signedIn(t.server)
  const { context, page, errors } = await open(t, ana)
  t.front.down()
  await addOffline(page, 'Lenta')
  // The server takes everything and says nothing yet.
  let letGo = () => {}
  const held = new Promise<void>((done) => (letGo = done))
  let isHeld = true
  t.front.intercept((req, res) => {
    if (req.method !== 'POST' || req.url !== '/api/dogs' || !isHeld) return false
    isHeld = false
    req.resume().on('end', () => void held.then(() => res.writeHead(503).end()))
    return true
  })
  await backOnline(t.front, page)
  await row(page, 'Lenta').getByText('Guardando…').waitFor()
  const meter = row(page, 'Lenta').getByRole('progressbar', { name: 'Enviando a Lenta' })
  assert.is(await meter.getAttribute('aria-valuenow'), '100')
  assert.is(await row(page, 'Lenta').getByRole('button').count(), 0)
  letGo()
  // Tried again by itself.
  await added(page, 'Lenta')
  assert.is((await dogsNamed(t.server, 'Lenta')).length, 1)
  assert.equal(withoutNetwork(errors), [])
  await context.close()
})

queue('a full device says so, and the form stays with all that was typed', async (t) => {
  const ana = await signedIn(t.server)
  const { context, page } = await open(t, ana)
  const dialog = await fill(page, 'Sinsitio')
  await page.evaluate(() => {
    const put = IDBObjectStore.prototype.put
    IDBObjectStore.prototype.put = function (...args) {
      if (this.name === 'perros') throw new DOMException('No room', 'QuotaExceededError')
      return put.apply(this, args)
    }
  })
  t.front.down()
  await submit(dialog)
  await dialog
    .getByText('No queda sitio en el dispositivo: libera espacio o vuelve a intentarlo cuando tengas conexión.')
    .waitFor()
  // A browser that keeps nothing at all is told apart.
  await page.evaluate(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('Private mode', 'InvalidStateError')
    }
  })
  await submit(dialog)
  await dialog.getByText('No hay conexión y este navegador no deja guardar nada: no cierres el formulario.').waitFor()
  assert.is(await dialog.getByLabel('Nombre').inputValue(), 'Sinsitio')
  assert.is(await dialog.locator('.df-gallery li').count(), 1)
  t.front.up()
  await submit(dialog)
  await dialog.getByRole('button', { name: 'Perro añadido' }).waitFor()
  assert.is((await dogsNamed(t.server, 'Sinsitio')).length, 1)
  await context.close()
})

queue('Background Sync sends with no page open, and the next page says so once', async (t) => {
  const ana = await signedIn(t.server)
  const { context, page } = await open(t, ana)
  t.front.down()
  await addOffline(page, 'Defondo')
  const blank = await context.newPage()
  const devtools = await context.newCDPSession(page)
  const ids: string[] = []
  devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    for (const { registrationId } of registrations) ids.push(registrationId)
  })
  await devtools.send('ServiceWorker.enable')
  await until('the browser’s name of the worker', async () => ids.length > 0)
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
  await until('the dog is there', async () => (await dogsNamed(t.server, 'Defondo')).length === 1)
  await blank.goto(`${t.front.url}/healthz`)
  await until('kept pages are older than the dog', () =>
    blank.evaluate(async () => (await caches.match('/.visitante')) === undefined),
  )
  await blank.goto(`${t.front.url}/razas`)
  await added(blank, 'Defondo')
  assert.is(posts(t.front), 1)
  await blank.goto(`${t.front.url}/comunidad`)
  await blank.waitForTimeout(500)
  assert.is(await blank.getByText('Defondo ya está en el álbum.').count(), 0)
  assert.is((await dogsNamed(t.server, 'Defondo')).length, 1)
  await context.close()
})

queue.run()
