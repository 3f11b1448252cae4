import type { Page } from 'playwright'
import { saveLostAlerts } from '#features/lost/alerts/alert-settings.server.ts'
import { call, formOf } from '#tests/support/api.ts'
import { DESKTOP, openContext, PHONE, watchErrors } from '#tests/support/browser/chromium.ts'
import { signInMember, type TestMember, useSession } from '#tests/support/members.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import type { TestServer } from '#tests/support/server.ts'
import { assert, browserSuite } from '#tests/support/suites.ts'

// A dog is lost and comes home: its owner, a neighbour with alerts, and a stranger without account, each in a browser of their own.

const journey = browserSuite('three people')

/** Where the dog was last seen: nobody but its owner may ever read these digits. */
const EXACT = { latitude: 40.305713, longitude: -3.732914 }
const EXACT_DIGITS = /40\.305713|3\.732914/
/** Where the stranger stands. */
const SEEN_AT = { latitude: 40.311257, longitude: -3.724468 }
/** An alert is sent within seconds; the machine may be busy. */
const QUEUE_TIMEOUT_MS = 40_000

/** Opens the bell and follows the line that says so. */
async function followBell(page: Page, title: string): Promise<void> {
  const line = page.getByRole('dialog', { name: 'Notificaciones' }).getByRole('link', { name: title })
  const until = Date.now() + QUEUE_TIMEOUT_MS
  for (;;) {
    await page.locator('[data-bell]').click()
    await page.locator('.np').waitFor()
    if (
      await line
        .first()
        .waitFor({ timeout: 3000 })
        .then(
          () => true,
          () => false,
        )
    )
      break
    assert.ok(Date.now() < until, `no «${title}» in the bell`)
    await page.reload()
  }
  await line.first().click()
}

/** Waits for a picture that may load when it is scrolled to. */
async function isLoaded(page: Page, name: string): Promise<void> {
  await page.getByAltText(name).first().scrollIntoViewIfNeeded()
  await page.waitForFunction(
    (alt) => [...document.querySelectorAll('img')].some((one) => one.alt === alt && one.naturalWidth > 0),
    name,
  )
}

/** Ana with her dog, and Luis, who is alerted of lost dogs near Getafe. */
async function createMembers(server: TestServer, jpeg: Buffer) {
  const [ana, luis] = [await signInMember(server), await signInMember(server, 'luis@ejemplo.es')]
  const fields = { name: 'Toby', breed: 'Beagle', size: 'mediano', relationship: 'owner' }
  const form = formOf({ ...fields, images: new Blob([jpeg as BlobPart], { type: 'image/jpeg' }) })
  const { body } = await call(server, '/api/dogs', { method: 'POST', cookie: ana.cookie, form })
  const toby: { id: string; path: string } = body.dog
  const alerts = { zone: 'Getafe', radius_km: 5, breaks_quiet: false, by_mail: false, by_push: false } as const
  await saveLostAlerts(server.db, luis, alerts)
  return { ana, luis, toby }
}

/** The case with all that belongs to it is deleted, the exact point everywhere, and the alert out of the member's bell. */
const assertNothingIsLeft = async (server: TestServer, alerted: TestMember) => {
  const until = Date.now() + QUEUE_TIMEOUT_MS
  const alerts = () =>
    server.db
      .selectFrom('notifications')
      .select('id')
      .where('user_id', '=', alerted.id)
      .where('title', 'like', 'Perro perdido%')
      .execute()
  while ((await alerts()).length > 0) {
    assert.ok(Date.now() < until, 'the alert is still in the bell')
    await new Promise((done) => setTimeout(done, 500))
  }
  for (const table of [
    'lost_cases',
    'sightings_all',
    'sighting_photos',
    'found_notices_all',
    'found_photos',
    'found_claims',
    'contact_threads',
  ] as const)
    assert.equal(await server.db.selectFrom(table).selectAll().execute(), [], table)
  const rows = await server.db.selectFrom('notifications').selectAll().execute()
  assert.not.match(
    JSON.stringify([rows, await server.db.selectFrom('lost_history').selectAll().execute()]),
    EXACT_DIGITS,
  )
}

/** Collects the addresses of what these pages are sent with the exact place in it. */
function watchLeaks(...pages: Page[]): string[] {
  const leaks: string[] = []
  for (const page of pages)
    page.on('response', async (response) => {
      if (!/text|json|xml/.test(response.headers()['content-type'] ?? '')) return
      const text = await response.text().catch(() => '')
      if (EXACT_DIGITS.test(text)) leaks.push(response.url())
    })
  return leaks
}

journey('a lost dog is announced, seen, found, claimed and home, and all of it is gone', async (t) => {
  const { server, browser } = t
  const jpeg = await photo(160, 640, 480)
  const picture = { name: 'foto.jpg', mimeType: 'image/jpeg', buffer: jpeg }
  const { ana, luis, toby } = await createMembers(server, jpeg)
  const atPlace = { ...PHONE, geolocation: EXACT, permissions: ['geolocation'] }
  const contexts = await Promise.all([
    openContext(browser, atPlace),
    openContext(browser, DESKTOP),
    openContext(browser, { ...atPlace, geolocation: SEEN_AT }),
  ])
  const [owner, neighbour, stranger] = (await Promise.all(contexts.map((context) => context.newPage()))) as [
    Page,
    Page,
    Page,
  ]
  const errors = [owner, neighbour, stranger].map((page) => watchErrors(page))
  await useSession(contexts[0]!, server, ana)
  await useSession(contexts[1]!, server, luis)
  const leaks = watchLeaks(neighbour, stranger)

  // The owner marks it.
  await owner.goto(server.url + toby.path)
  await owner.getByRole('link', { name: 'Marcar como perdido' }).click()
  await owner.getByRole('button', { name: 'Usar mi posición' }).click()
  await owner.getByRole('button', { name: 'Quitar el punto' }).waitFor()
  await owner.locator('[data-point-status]:focus').waitFor()
  await owner.getByLabel('¿Qué ayuda a encontrarlo?').fill('Tiene miedo, no lo persigas.')
  await owner.getByRole('button', { name: 'Avisar a todos' }).click()
  await owner.getByRole('status').getByText('Ya buscamos a Toby').waitFor()
  const { code, lat } = await server.db.selectFrom('lost_cases').select(['code', 'lat']).executeTakeFirstOrThrow()
  assert.is(lat?.toFixed(6), String(EXACT.latitude))

  // The neighbour is alerted, and finds it wherever lost dogs are shown.
  await neighbour.goto(`${server.url}/perros`)
  await neighbour.locator(`[data-dog="${toby.id}"] .lost-mark`).waitFor()
  await neighbour.getByRole('link', { name: '1 perro perdido' }).waitFor()
  await followBell(neighbour, 'Perro perdido cerca')
  const band = neighbour.getByRole('region', { name: 'Se busca a Toby' })
  await band.getByText('Tiene miedo, no lo persigas.').waitFor()
  await neighbour.goto(`${server.url}/perdidos`)
  await neighbour.getByRole('link', { name: 'Toby' }).waitFor()

  // The stranger reports a sighting in three presses and a photo.
  await stranger.goto(`${server.url}/p/${code}`)
  await stranger.getByRole('link', { name: '¿Lo has visto?' }).click()
  await stranger.getByLabel('Hacer foto').setInputFiles(picture)
  await stranger.getByRole('button', { name: 'Estoy aquí ahora' }).click()
  await stranger.getByText('Tenemos el sitio.').waitFor()
  await stranger.getByRole('button', { name: 'Enviar' }).click()
  await stranger.getByRole('heading', { name: '¡Gracias!' }).waitFor()
  await followBell(owner, 'Un avistamiento')
  await owner.getByRole('heading', { name: 'Quién ha visto a Toby' }).waitFor()
  await owner.locator('a[href^="geo:40.311257"]', { hasText: 'Abrir en mi app de mapas' }).first().waitFor()
  await isLoaded(owner, 'Foto del avistamiento')
  await neighbour.goto(server.url + toby.path)
  await band.getByText('1 avistamiento', { exact: true }).waitFor()
  assert.not.match(await neighbour.content(), '40.311257')

  // Later they have the dog.
  await stranger.goto(`${server.url}/perdidos`)
  await stranger.getByRole('link', { name: 'He encontrado un perro' }).click()
  await stranger.getByLabel('Foto').setInputFiles(picture)
  await stranger.getByLabel('Pueblo o barrio donde estaba').fill('Getafe')
  await stranger.getByLabel('Tamaño').selectOption('mediano')
  await stranger.getByLabel('Una pregunta para quien diga que es suyo').fill('¿Qué tiene en la pata?')
  await stranger.getByRole('button', { name: 'Enviar' }).click()
  await stranger.getByRole('heading', { name: 'El perro que has encontrado' }).waitFor()
  await stranger.getByRole('listitem').filter({ hasText: 'Toby; se perdió a menos de 5 km' }).waitFor()
  const notice = stranger.url()

  // The owner says that it is theirs, and the finder believes it.
  await followBell(owner, '¿Será el tuyo?')
  await isLoaded(owner, 'Foto del perro encontrado')
  await owner.getByText('¿Qué tiene en la pata?').waitFor()
  await owner.getByLabel('Tu respuesta').fill('Una cicatriz en forma de luna.')
  await owner.getByRole('button', { name: 'Es mi perro' }).click()
  await owner.getByText('Espera a que lo lea.').waitFor()
  await neighbour.goto(notice)
  await neighbour.getByRole('heading', { name: 'Aquí no hay nada' }).waitFor()
  await stranger.reload()
  await stranger.getByText('Una cicatriz en forma de luna.').waitFor()
  await stranger.getByRole('button', { name: 'Puede ser suyo' }).click()
  await stranger.getByText('Le has dicho que sí.').waitFor()
  await followBell(owner, 'Quien encontró al perro cree que es tuyo')
  await owner.getByText('Cree que es tuyo.').waitFor()

  // Home, with thanks: everything of the case is gone.
  await owner.goto(`${server.url}/perdidos/${toby.id}`)
  await owner.locator('summary', { hasText: '¡En casa!' }).click()
  await owner.getByRole('button', { name: 'Sí, está en casa' }).click()
  await owner.getByText('¡Qué alegría!').waitFor()
  await stranger.goto(server.url + toby.path)
  await stranger.getByText('Gracias a quienes ayudaron.').waitFor()
  assert.is((await stranger.goto(`${server.url}/p/${code}`))!.status(), 404)
  await stranger.goto(notice)
  await stranger.getByText('Cerca no hay ninguno ahora.').waitFor()
  await stranger.getByRole('button', { name: 'Cerrar el aviso' }).click()
  await stranger.getByText('El aviso está cerrado y borrado.').waitFor()
  assert.is((await stranger.goto(notice))!.status(), 404)
  await neighbour.goto(`${server.url}/perdidos`)
  await neighbour.getByText('Todos están en casa').waitFor()
  await assertNothingIsLeft(server, luis)
  await neighbour.goto(`${server.url}/notificaciones`)
  assert.is(await neighbour.getByText('Perro perdido cerca').count(), 0)
  assert.equal(leaks, [])
  // Pages that are not there are answered with 404, which Chromium logs.
  const isStatus = (text: string) => text.startsWith('Failed to load resource')
  assert.equal(
    errors.flat().filter((text) => !isStatus(text)),
    [],
  )
  for (const context of contexts) await context.close()
})
