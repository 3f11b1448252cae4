import * as assert from 'uvu/assert'
import { call } from '#tests/support/api.ts'
import { dogForm, attachPhotos, smallPhotos, submitForm } from '#tests/support/dogs/dog-form.ts'
import {
  waitUntilAdded,
  addOffline,
  goOnline,
  dogsNamed,
  fillForm,
  openDogsPage,
  queuePanel,
  queueSuite,
  queueRow,
  withoutNetworkErrors,
} from '#tests/support/dogs/offline-queue.ts'
import { signInMember, useSession } from '#tests/support/members.ts'
import { waitUntilTrue } from '#tests/support/browser/service-worker.ts'
import { waitUntilQuiet, watchRequests } from '#tests/support/browser/requests.ts'

const queue = queueSuite('dogs without signal, and more that goes wrong')

queue(
  'an answer that got lost makes no second dog, and what was edited and said of a photo since counts',
  async (t) => {
    const ana = await signInMember(t.server)
    const { page } = await openDogsPage(t, ana)
    // The dog is added, the answer never comes.
    t.front.loseAnswers(({ method, url }) => method === 'POST' && url === '/api/dogs')
    await addOffline(page, 'Perdida')
    await waitUntilTrue('the server has it', async () => (await dogsNamed(t.server, 'Perdida')).length === 1)
    await queueRow(page, 'Perdida').getByRole('button', { name: 'Editar' }).click()
    const dialog = dogForm(page)
    await dialog.getByLabel('Nombre').fill('Encontrada')
    await attachPhotos(dialog, (await smallPhotos(2)).slice(1))
    await dialog.getByRole('button', { name: 'Describir foto 1' }).click()
    await page.keyboard.type('Ladra a la luna')
    t.front.loseAnswers(() => false)
    await submitForm(dialog)
    await dialog.getByRole('button', { name: 'Perro añadido' }).waitFor()
    await queuePanel(page).waitFor({ state: 'detached' })
    assert.is((await dogsNamed(t.server, 'Perdida')).length, 0)
    const [found, ...others] = await dogsNamed(t.server, 'Encontrada')
    assert.is(others.length, 0)
    const { images } = (await call(t.server, `/api/dogs/${found.id}`)).body.dog
    assert.equal(
      images.map(({ alt }: { alt: string | null }) => alt),
      ['Ladra a la luna', null],
    )
  },
)

queue('a visitor’s lost dog stays as it was first sent, and they are told', async (t) => {
  const { page, errors } = await openDogsPage(t)
  t.front.loseAnswers(({ method, url }) => method === 'POST' && url === '/api/dogs')
  await addOffline(page, 'Primera')
  await waitUntilTrue('the server has it', async () => (await dogsNamed(t.server, 'Primera')).length === 1)
  await queueRow(page, 'Primera').getByRole('button', { name: 'Editar' }).click()
  await dogForm(page).getByLabel('Nombre').fill('Segunda')
  t.front.loseAnswers(() => false)
  await submitForm(dogForm(page))
  await page.getByText('Llegó como lo enviaste la primera vez, sin tus últimos cambios.').waitFor()
  await page.waitForURL('**/perfil')
  assert.is((await dogsNamed(t.server, 'Primera')).length, 1)
  assert.is((await dogsNamed(t.server, 'Segunda')).length, 0)
  const pending = await page.evaluate(() => JSON.parse(localStorage.getItem('pending-dog-association')!))
  assert.is(pending.dogId, (await dogsNamed(t.server, 'Primera'))[0].id)
  assert.equal(withoutNetworkErrors(errors), [])
})

queue('the server failing three times: it stays, the person is told, «Enviar ahora» tries again', async (t) => {
  const ana = await signInMember(t.server)
  const { page, errors } = await openDogsPage(t, ana)
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
  await goOnline(t.front, page)
  await queueRow(page, 'Terca')
    .getByText('El servidor no ha podido guardarlo. Sigue aquí: inténtalo más tarde.')
    .waitFor()
  assert.is(failures, 3)
  await page.reload()
  await queueRow(page, 'Terca').getByRole('button', { name: 'Enviar ahora' }).click()
  await waitUntilAdded(page, 'Terca')
  assert.is((await dogsNamed(t.server, 'Terca')).length, 1)
  assert.equal(withoutNetworkErrors(errors), [])
})

queue('a session that ended: kept, the person asked to sign in, then sent as them', async (t) => {
  const ana = await signInMember(t.server, 'caduca@ejemplo.es')
  const { context, page } = await openDogsPage(t, ana)
  t.front.down()
  await addOffline(page, 'Paciente')
  await context.clearCookies()
  await goOnline(t.front, page)
  await queueRow(page, 'Paciente').getByText('Tu sesión ha terminado: inicia sesión y se enviará.').waitFor()
  assert.is(
    await queueRow(page, 'Paciente').getByRole('link', { name: 'Iniciar sesión' }).getAttribute('href'),
    '/login',
  )
  assert.is((await dogsNamed(t.server, 'Paciente')).length, 0)
  // Whoever comes to the device meanwhile learns no more than that one waits.
  await page.goto(`${t.front.url}/razas`)
  await queueRow(page, 'Un perro de quien usó este dispositivo').getByRole('link', { name: 'Iniciar sesión' }).waitFor()
  assert.is(await page.locator('.queue').getByText('Paciente').count(), 0)
  assert.is(await page.locator('.queue button').count(), 0)
  // Another member of the same device neither sees nor sends it.
  const luis = await signInMember(t.server, 'luis@ejemplo.es')
  await useSession(context, t.front, luis)
  const requests = watchRequests(page)
  await page.goto(`${t.front.url}/razas`)
  await page.locator('[data-me-block=member]').getByText('luis@ejemplo.es').waitFor()
  await waitUntilQuiet(page, requests)
  assert.is(await queuePanel(page).count(), 0)
  assert.is((await dogsNamed(t.server, 'Paciente')).length, 0)

  const back = await signInMember(t.server, 'caduca@ejemplo.es')
  await useSession(context, t.front, back)
  await page.goto(`${t.front.url}/razas`)
  await waitUntilAdded(page, 'Paciente')
  const [dog, ...others] = await dogsNamed(t.server, 'Paciente')
  assert.is(others.length, 0)
  assert.is(dog.owner_id, ana.id)
})

queue('somebody else who signs in while the queue is being sent gets none of it', async (t) => {
  const [ana, luis] = [await signInMember(t.server), await signInMember(t.server, 'luis@ejemplo.es')]
  const { context, page } = await openDogsPage(t, ana)
  t.front.down()
  for (const name of ['Primera', 'Segunda']) await addOffline(page, name)
  t.front.intercept(({ method, url }, res) => {
    if (method !== 'POST' || url !== '/api/dogs') return false
    t.front.intercept(() => false)
    // The first one fails, slowly, and meanwhile…
    const late = async () => {
      await useSession(context, t.front, luis)
      res.writeHead(422, { 'Content-Type': 'application/problem+json' }).end('{"detail":"No."}')
    }
    void late()
    return true
  })
  await goOnline(t.front, page)
  await queueRow(page, 'Primera').getByText('No.').waitFor()
  await page.reload()
  assert.is(await queuePanel(page).count(), 0, 'they are not his')
  assert.is((await dogsNamed(t.server, 'Segunda')).length, 0)
  await useSession(context, t.front, ana)
  await page.reload()
  await waitUntilAdded(page, 'Segunda')
  assert.is((await dogsNamed(t.server, 'Segunda'))[0].owner_id, ana.id)
})

queue('a breed that is gone and photos that are gone: told, edited, sent', async (t) => {
  const ana = await signInMember(t.server)
  const { page } = await openDogsPage(t, ana)
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
  await goOnline(t.front, page)
  await queueRow(page, 'Sinraza').getByText('La raza «Beagle» ya no está en la lista: edítalo y elige otra.').waitFor()
  await queueRow(page, 'Sinfotos')
    .getByText('Faltan fotos en este dispositivo: edítalo y vuelve a elegirlas.')
    .waitFor()
  assert.is((await dogsNamed(t.server, 'Sinraza')).length, 0)

  await queueRow(page, 'Sinraza').getByRole('button', { name: 'Editar' }).click()
  await dogForm(page).getByText('La raza «Beagle» ya no está en la lista: edítalo y elige otra.').waitFor()
  await dogForm(page).getByRole('combobox', { name: 'Raza' }).fill('Mestizo')
  await dogForm(page).getByRole('option', { name: 'Mestizo' }).first().click()
  await submitForm(dogForm(page))
  await dogForm(page).getByRole('button', { name: 'Perro añadido' }).waitFor()
  await queueRow(page, 'Sinraza').waitFor({ state: 'detached' })
  isGone = false
  await dogForm(page).waitFor({ state: 'detached' })
  await queueRow(page, 'Sinfotos').getByRole('button', { name: 'Editar' }).click()
  await submitForm(dogForm(page))
  await dogForm(page).getByText('Por favor, sube al menos una imagen del perro.').waitFor()
  await attachPhotos(dogForm(page), await smallPhotos(1))
  await submitForm(dogForm(page))
  await dogForm(page).getByRole('button', { name: 'Perro añadido' }).waitFor()
  assert.is((await dogsNamed(t.server, 'Sinfotos')).length, 1)
  assert.is((await dogsNamed(t.server, 'Sinraza')).length, 1)
})

queue('a full device says so, and the form stays with all that was typed', async (t) => {
  const ana = await signInMember(t.server)
  const { page } = await openDogsPage(t, ana)
  const dialog = await fillForm(page, 'Sinsitio')
  await page.evaluate(() => {
    const put = IDBObjectStore.prototype.put
    IDBObjectStore.prototype.put = function (...args) {
      if (this.name === 'perros') throw new DOMException('No room', 'QuotaExceededError')
      return put.apply(this, args)
    }
  })
  t.front.down()
  await submitForm(dialog)
  await dialog
    .getByText('No queda sitio en el dispositivo: libera espacio o vuelve a intentarlo cuando tengas conexión.')
    .waitFor()
  // A browser that keeps nothing at all is told apart.
  await page.evaluate(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('Private mode', 'InvalidStateError')
    }
  })
  await submitForm(dialog)
  await dialog.getByText('No hay conexión y este navegador no deja guardar nada: no cierres el formulario.').waitFor()
  assert.is(await dialog.getByLabel('Nombre').inputValue(), 'Sinsitio')
  assert.is(await dialog.locator('.df-gallery li').count(), 1)
  t.front.up()
  await submitForm(dialog)
  await dialog.getByRole('button', { name: 'Perro añadido' }).waitFor()
  assert.is((await dogsNamed(t.server, 'Sinsitio')).length, 1)
})
