import { statSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { call, formOf } from '#tests/support/api.ts'
import { axeFaultsInBothThemes } from '#tests/support/browser/axe.ts'
import { DESKTOP, PHONE, watchErrors } from '#tests/support/browser/chromium.ts'
import { fitsWidth } from '#tests/support/browser/reflow.ts'
import { waitUntilTrue } from '#tests/support/browser/service-worker.ts'
import { cameraPhoto } from '#tests/support/dogs/dog-form.ts'
import { signInMember, type TestMember, useSession } from '#tests/support/members.ts'
import { dog, seed } from '#tests/support/seed.ts'
import { addLostCase } from '#tests/support/sightings/lost-case.ts'
import { takePage, visit } from '#tests/support/browser/page-pool.ts'
import { assert, browserSuite, type BrowserWorld } from '#tests/support/suites.ts'

interface World extends BrowserWorld {
  owner: TestMember
}
const HERE = { latitude: 40.31236, longitude: -3.71894 }

const sightings = browserSuite<World>('sightings', { TRUST_PROXY: '1' })
sightings.before(async (t) => {
  t.owner = await signInMember(t.server, 'duena@ejemplo.es')
})

const addLostDog = async ({ server, owner }: World, name: string) => {
  const [lost] = await seed(server.db, dog({ name, owner_id: owner.id }))
  await addLostCase(server.db, { dogId: lost.id, ownerId: owner.id, since: Date.now() - 20 * 3_600_000 })
  return lost
}

let senders = 0
async function send({ server }: World, dogId: string, minutesAgo: number, fields: Record<string, string>) {
  const at = new Date(Date.now() - minutesAgo * 60_000).toISOString()
  const headers = { 'X-Forwarded-For': `198.51.100.${++senders}` }
  const { status } = await call(server, `/api/dogs/${dogId}/sightings`, {
    method: 'POST',
    form: formOf({ ...fields, at }),
    headers,
  })
  assert.is(status, 201)
}

async function openAsOwner({ server, browser, owner }: World, options: object = DESKTOP) {
  const { context, page } = await takePage(browser, { ...options, reducedMotion: 'reduce' })
  await useSession(context, server, owner)
  return { context, page, errors: watchErrors(page) }
}
/** Seeded dogs have no photo files. */
const withoutMissing = (errors: string[]) => errors.filter((text) => !text.includes('status of 404'))

sightings('from the dog’s page it is three taps and a photo, which is shrunk on the phone', async (t) => {
  const toby = await addLostDog(t, 'Toby')
  const folder = await mkdtemp(join(tmpdir(), 'perrario-'))
  const photo = join(folder, 'IMG_0001.jpg')
  await writeFile(photo, (await cameraPhoto()).buffer)
  const { page, errors } = await takePage(t.browser, { ...PHONE, geolocation: HERE, permissions: ['geolocation'] })
  let taps = 0
  const tap = async (target: ReturnType<Page['getByRole']>) => {
    taps++
    assert.ok((await target.boundingBox())!.height >= 44)
    await target.tap()
  }
  await page.goto(t.server.url + toby.path)
  const startedAt = Date.now()
  await tap(page.getByRole('link', { name: '¿Lo has visto?' }))
  const chooser = page.waitForEvent('filechooser')
  // The field lies over its label, without being seen.
  await page.locator('.photo-input').tap()
  await (await chooser).setFiles(photo)
  await tap(page.getByRole('button', { name: 'Estoy aquí ahora' }))
  await page.getByText('Tenemos el sitio.').waitFor()
  const request = page.waitForRequest((sent) => sent.method() === 'POST' && sent.url().endsWith('/sightings'))
  await tap(page.getByRole('button', { name: 'Enviar', exact: true }))
  const bytes = Number(await (await request).headerValue('content-length'))
  await page.getByRole('heading', { name: '¡Gracias!' }).waitFor()
  assert.is(taps, 3)
  assert.ok(Date.now() - startedAt < 30_000)
  assert.ok(statSync(photo).size > 1_000_000)
  assert.ok(bytes < 400_000, `${bytes} B`)
  const found = await t.server.db
    .selectFrom('sightings_all as s')
    .innerJoin('sighting_photos as f', 'f.sighting_id', 's.id')
    .select('s.lat')
    .execute()
  assert.equal(found, [{ lat: HERE.latitude }])
  // Back leads to an empty form, whose sighting is another one.
  await page.goBack()
  assert.is(await page.getByLabel('Pueblo o barrio').inputValue(), '')
  await page.getByLabel('Pueblo o barrio').fill('Getafe')
  await page.getByRole('button', { name: 'Enviar', exact: true }).tap()
  await page.getByRole('heading', { name: '¡Gracias!' }).waitFor()
  const rows = await t.server.db.selectFrom('sightings_all').select('id').execute()
  assert.is(rows.length, 2)
  assert.equal(withoutMissing(errors), [])
})

sightings('with a long name the three taps lie on the first screen of a phone, clear of its bar', async (t) => {
  const long = await addLostDog(t, 'Maximiliana Bartolomea de las Montañas Nevadas')
  const { page } = await visit(t, `/perdidos/${long.id}/visto`, PHONE)
  await page.getByRole('button', { name: 'Estoy aquí ahora' }).waitFor()
  await page.getByRole('button', { name: 'Elegir foto' }).waitFor()
  const send = (await page.getByRole('button', { name: 'Enviar', exact: true }).boundingBox())!
  const plus = (await page.locator('.tabbar .plus > span').first().boundingBox())!
  assert.ok(send.y + send.height <= plus.y, `${send.y + send.height} px, the bar's button begins at ${plus.y}`)
  // Without a place the zone's field says so, and has the focus.
  await page.getByRole('button', { name: 'Enviar', exact: true }).tap()
  await page.getByRole('alert').getByText('Di dónde ha sido').waitFor()
  await page.locator('#sighting-zone[aria-invalid=true]:focus').waitFor()
  await page.getByLabel('Pueblo o barrio').pressSequentially('Ge')
  await page.getByText('Di dónde ha sido').waitFor({ state: 'hidden' })
})

sightings('who found a dog sends where they are', async (t) => {
  const { page } = await visit(t, '/encontrados', { ...PHONE, geolocation: HERE, permissions: ['geolocation'] })
  await page.getByRole('button', { name: 'Estoy aquí ahora' }).tap()
  await page.getByText('Tenemos el sitio.').waitFor()
  // Refused for want of a photo alone; the position stays.
  await page.getByRole('button', { name: 'Enviar' }).tap()
  await page.locator('#found-photo[aria-invalid=true]:focus').waitFor()
  assert.is(await page.locator('.found-form [name=lat]').inputValue(), HERE.latitude.toFixed(6))
  await page.getByLabel('Foto').setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no') })
  await page.getByRole('button', { name: 'Enviar' }).tap()
  await page.getByRole('alert').getByText('no es una foto').waitFor()
  await page.locator('#found-photo[aria-invalid=true]:focus').waitFor()
  await page.getByLabel('Foto').setInputFiles({ name: 'b.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no') })
  await page.getByRole('button', { name: 'Quitar la foto' }).tap()
  assert.is(await page.getByLabel('Foto').inputValue(), '')
  assert.is(await page.locator('.found-form [name=lat]').inputValue(), HERE.latitude.toFixed(6))
  await page.getByText('Tenemos el sitio.').waitFor()
  const photo = { name: 'a.jpg', mimeType: 'image/jpeg', buffer: (await cameraPhoto()).buffer }
  await page.getByLabel('Foto').setInputFiles(photo)
  // A phone's photo is shrunk before it is sent.
  const bytes = () => page.getByLabel('Foto').evaluate((field: HTMLInputElement) => field.files![0]!.size)
  await waitUntilTrue('the photo is shrunk', async () => (await bytes()) < 400_000)
  await page.getByRole('button', { name: 'Enviar' }).tap()
  await page.getByRole('heading', { name: 'El perro que has encontrado' }).waitFor()
  const [notice] = await t.server.db.selectFrom('found_notices_all').select('zone').execute()
  assert.match(notice!.zone, 'Madrid')
})

for (const [device, options] of Object.entries({ phone: PHONE, desktop: DESKTOP }))
  sightings(`the owner’s map has the numbers of the list, by keyboard and by axe (${device})`, async (t) => {
    const luna = await addLostDog(t, device)
    await send(t, luna.id, 10, { lat: '40.3190', lon: '-3.7221' })
    await send(t, luna.id, 300, { lat: '40.3081', lon: '-3.7271' })
    await send(t, luna.id, 100, { zone: 'Leganés' })
    const { context, page, errors } = await openAsOwner(t, options)
    await page.goto(`${t.server.url}/perdidos/${luna.id}/avistamientos`)
    const map = page.getByRole('region', { name: 'Dónde lo han visto' })
    const names = ['Avistamiento 1: ', 'Avistamiento 2: ', 'Avistamiento 3: ']
    for (const name of names) await map.getByRole('button', { name }).waitFor()
    await map.getByRole('button', { name: 'Donde se perdió' }).waitFor()
    assert.is(await map.locator('.sighting-mark.approximate').count(), 1)
    const numbers = await page.locator('.sighting-number').allInnerTexts()
    assert.equal(
      numbers.map((text) => text.replace(/\D/g, '')),
      ['3', '2', '1'],
    )
    assert.equal(await axeFaultsInBothThemes(page), [])
    assert.ok(await fitsWidth(page))
    // Tab goes through the marks in the order of time.
    await map.getByRole('button', { name: 'Donde se perdió' }).focus()
    for (const name of names) {
      await page.keyboard.press('Tab')
      assert.ok(await map.getByRole('button', { name }).evaluate((mark) => mark === document.activeElement), name)
    }
    await page.keyboard.press('Enter')
    const entry = page.getByRole('listitem').filter({ hasText: 'hace 10 minutos' })
    assert.ok(await entry.getByRole('heading').evaluate((heading) => heading === document.activeElement))
    assert.equal(withoutMissing(errors), [])
    await context.close()
  })

sightings('without script the list stands alone', async (t) => {
  const nube = await addLostDog(t, 'Nube')
  await send(t, nube.id, 30, { zone: 'Getafe' })
  const { context, page } = await openAsOwner(t, { ...PHONE, javaScriptEnabled: false })
  await page.goto(`${t.server.url}/perdidos/${nube.id}/avistamientos`)
  await page.getByRole('heading', { name: 'hace 30 minutos' }).waitFor()
  assert.ok(await page.locator('.sighting-places').isHidden())
  await context.close()
})

sightings('the owner’s map opens at the dog’s zone, and nothing is chosen before a press or a key', async (t) => {
  const kira = (await seed(t.server.db, dog({ name: 'Kira', owner_id: t.owner.id, zone: 'Getafe, Madrid' })))[0]
  const { context, page, errors } = await openAsOwner(t)
  await page.goto(`${t.server.url}/perdidos/${kira.id}`)
  const zone = page.getByLabel('¿Dónde se le vio por última vez?')
  await page.getByRole('button', { name: 'Avisar a todos' }).click()
  await page.getByRole('alert').getByText('Escribe dónde se le vio').waitFor()
  await page.getByRole('button', { name: 'Elegir en el mapa' }).click()
  const map = page.getByRole('application', { name: 'Mapa: pulsa el lugar, o muévelo con las flechas' })
  await page.getByRole('button', { name: 'Acercar' }).waitFor()
  const status = page.locator('[data-point-status]')
  const field = async (name: string) => Number((await page.locator(`.point-picker [name=${name}]`).inputValue()) || 0)
  // The keyboard goes on in the map.
  await page.locator('.point-map:focus').waitFor()
  await page.keyboard.press('ArrowRight')
  assert.match(await status.innerText(), /^Sin elegir/)
  assert.equal([await field('lat'), await page.locator('.point-pin').count()], [0, 0])
  await page.keyboard.press('Enter')
  await page.locator('.point-pin').waitFor()
  // Near the middle of the town of the dog's zone.
  assert.ok(Math.abs((await field('lat')) - 40.305) < 0.03 && Math.abs((await field('lon')) + 3.73) < 0.03)
  // The place is named, and the sentence about the missing zone is gone.
  await waitUntilTrue('the town is said', async () => {
    await page.keyboard.press('Enter')
    return (await status.innerText()) === 'Punto elegido en el mapa, en Getafe.'
  })
  assert.ok(await page.getByText('Escribe dónde se le vio').isHidden())
  const before = await field('lon')
  const box = (await map.boundingBox())!
  await map.click({ position: { x: box.width * 0.75, y: box.height * 0.5 } })
  await waitUntilTrue('a press has chosen', async () => (await field('lon')) > before)
  await page.getByRole('button', { name: 'Quitar el punto' }).click()
  await page.locator('[data-point-open]:focus').waitFor()
  assert.equal([await field('lat'), await page.locator('.point-pin').count()], [0, 0])
  assert.match(await status.innerText(), /^Sin elegir/)
  assert.ok(await zone.evaluate((input: HTMLInputElement) => input.required))
  await page.getByRole('button', { name: 'Usar mi posición' }).waitFor()
  assert.equal(withoutMissing(errors), [])
  await context.close()
})

sightings('a map opened over a typed zone shows that one', async (t) => {
  const nala = (await seed(t.server.db, dog({ name: 'Nala', owner_id: t.owner.id, zone: 'Getafe, Madrid' })))[0]
  const { context, page } = await openAsOwner(t)
  await page.goto(`${t.server.url}/perdidos/${nala.id}`)
  await page.getByLabel('¿Dónde se le vio por última vez?').fill('Jaca')
  await page.getByRole('button', { name: 'Elegir en el mapa' }).click()
  await page.getByRole('button', { name: 'Acercar' }).waitFor()
  await page.locator('.point-map').focus()
  await page.keyboard.press('Enter')
  const lat = Number(await page.locator('.point-picker [name=lat]').inputValue())
  assert.ok(Math.abs(lat - 42.57) < 0.05, `${lat}`)
  assert.is(await page.getByLabel('¿Dónde se le vio por última vez?').inputValue(), '')
  await context.close()
})
