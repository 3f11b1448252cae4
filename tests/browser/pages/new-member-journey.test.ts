import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright'
import { axeFaultsInBothThemes } from '#tests/support/browser/axe.ts'
import { openContext, watchErrors } from '#tests/support/browser/chromium.ts'
import {
  cameraPhoto,
  dogForm,
  attachPhotos,
  openAddForm,
  smallPhotos,
  submitForm,
} from '#tests/support/dogs/dog-form.ts'
import { lastMailTo } from '#tests/support/outbox.ts'
import type { TestServer } from '#tests/support/server.ts'
import { assert, browserSuite } from '#tests/support/suites.ts'

/** A real photo where the machine has one beside the project, else one as a phone makes it. */
async function realPhoto() {
  const path = resolve(import.meta.dirname, '../../../../shared/photos/samoyedo.jpg')
  if (!existsSync(path)) return cameraPhoto()
  return { name: 'samoyedo.jpg', mimeType: 'image/jpeg', buffer: readFileSync(path) }
}

// One story told in order: each part starts where the one before it ended.
const journey = browserSuite('from sign-in to a dog on the wall')
let server: TestServer
let origin: string
let browser: Browser
let context: BrowserContext
let page: Page
let errors: string[]

journey.before(async (t) => {
  ;({ server, browser } = t)
  origin = server.url.replace('127.0.0.1', 'localhost')
  context = await openContext(browser)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin })
  page = await context.newPage()
  errors = watchErrors(page)
})

journey('a newcomer signs in by the mailed link', async () => {
  await page.goto(origin)
  await page.getByText('No hay perros registrados aún.').waitFor()
  await page.getByRole('link', { name: /Únete gratis/ }).click()
  await page.getByLabel('Tu email').fill('lola@ejemplo.es')
  await page.getByRole('button', { name: 'Recibir enlace mágico' }).click()
  await page.getByRole('heading', { name: 'Revisa tu email' }).waitFor()
  await page.goto(lastMailTo(server.dataDir, 'lola@ejemplo.es').link)
  await page.getByRole('button', { name: 'Entrar en Perrario' }).click()
  await page.waitForURL(`${origin}/perfil`)
})

journey('adds a dog with real photos', async () => {
  await page.goto(`${origin}/perros`)
  const dialog = await openAddForm(page)
  await attachPhotos(dialog, [await realPhoto(), ...(await smallPhotos(2))])
  await dialog.getByLabel('Nombre').fill('Nieve')
  await dialog.getByRole('combobox', { name: 'Raza' }).click()
  await page.keyboard.type('samoyedo')
  await page.keyboard.press('Enter')
  await dialog.getByLabel('Edad (opcional)').fill('3')
  await dialog.getByLabel('Peso').fill('21.5')
  await dialog.getByText('Mediano', { exact: true }).click()
  await dialog.getByLabel('Zona').fill('Jaca')
  await dialog.getByLabel('Descripción').fill('Duerme en la nieve y sueña con más nieve.')
  await submitForm(dialog)
  await dialog.getByRole('button', { name: 'Perro añadido' }).waitFor()
  await dialog.waitFor({ state: 'detached' })
})

journey('finds it on the list without a reload, and so does everybody', async () => {
  const card = page.locator('.dog-card', { hasText: 'Nieve' })
  await card.waitFor()
  assert.match((await card.innerText()).replace(/\s+/g, ' '), /Primera de su raza.*Nieve 3 años Samoyedo Jaca/)
  const other = await openContext(browser)
  const theirs = await other.newPage()
  await theirs.goto(origin)
  await theirs.locator('.dog-card', { hasText: 'Nieve' }).waitFor()
  const loaded = await theirs
    .locator('.dog-card .pic')
    .first()
    .evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth))
  assert.is(loaded, 300)
  await other.close()
})

journey('opens its page: everything is there', async () => {
  await page.locator('.dog-card h3 a', { hasText: 'Nieve' }).click()
  await page.waitForURL(`${origin}/samoyedo/nieve`)
  assert.is(await page.title(), 'Nieve, Samoyedo | Perrario')
  const text = (await page.locator('main').innerText()).replace(/\s+/g, ' ')
  for (const words of [
    'Nieve',
    'Samoyedo',
    'Jaca',
    'Edad 3 años',
    'Peso 21,5 kg',
    'Tamaño Mediano',
    'Comentario de Perrit',
    'Duerme en la nieve y sueña con más nieve.',
    'Subido por',
    'Comentarios 0',
  ])
    assert.ok(text.includes(words), words)
  assert.is(await page.locator('.gallery .strip li').count(), 3)
  await page.getByRole('button', { name: 'Compartir' }).click()
  await page.getByText('¡Enlace copiado!').waitFor()
  await page.getByText('Puedes compartirlo donde quieras.').waitFor()
  assert.is(await page.evaluate(() => navigator.clipboard.readText()), `${origin}/samoyedo/nieve`)
})

journey('turns its photos by arrows, dots and full screen', async () => {
  const current = () => page.locator('.gallery .dots a[aria-current]').getAttribute('aria-label')
  const becomes = (label: string) =>
    page.waitForFunction(
      (wanted) => document.querySelector('.gallery .dots a[aria-current]')?.getAttribute('aria-label') === wanted,
      label,
    )
  assert.is(await current(), 'Foto 1 de 3')
  await page.getByRole('button', { name: 'Foto anterior' }).click()
  await becomes('Foto 3 de 3')
  await page.getByRole('button', { name: 'Foto siguiente' }).click()
  await becomes('Foto 1 de 3')
  await page.getByRole('link', { name: 'Foto 2 de 3' }).click()
  await becomes('Foto 2 de 3')
  await page.getByRole('button', { name: 'Ver a pantalla completa' }).click()
  await page.locator('.yarl__container').waitFor()
  await page.getByRole('button', { name: 'Acercar' }).waitFor()
  await page.keyboard.press('Escape')
  await page.locator('.yarl__container').waitFor({ state: 'detached' })
})

journey('edits it, and the address follows the name', async () => {
  await page.getByRole('button', { name: 'Editar' }).click()
  const dialog = dogForm(page)
  await dialog.getByLabel('Nombre').fill('Nevada')
  await submitForm(dialog)
  await dialog.getByRole('button', { name: 'Cambios guardados' }).waitFor()
  await page.waitForURL(`${origin}/samoyedo/nevada`)
  await page.getByRole('heading', { name: 'Nevada', exact: true }).waitFor()
  const old = await fetch(`${server.url}/samoyedo/nieve`, { redirect: 'manual' })
  assert.is(old.status, 301)
  assert.is(old.headers.get('location'), '/samoyedo/nevada')
})

journey('still stands after a restart of the server, session included', async () => {
  await server.restart()
  await page.goto(`${origin}/samoyedo/nevada`)
  await page.getByRole('heading', { name: 'Nevada', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Editar' }).waitFor()
  const width = await page
    .locator('.gallery .pic')
    .first()
    .evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth))
  assert.ok(width > 0)
  // The page before asked a server that was stopping, or not there, for its stream, and Chromium logs that.
  const isOfRestart = (text: string) => /^Failed to load resource: .*(ERR_CONNECTION_REFUSED|503)/.test(text)
  assert.equal(
    errors.filter((text) => !isOfRestart(text)),
    [],
  )
})

journey('its page passes axe', async () => {
  assert.equal(await axeFaultsInBothThemes(page), [])
})

journey('its address by id names the other as canonical and is not indexed', async () => {
  const { dogs } = (await (await fetch(`${server.url}/api/dogs`)).json()) as { dogs: { id: string }[] }
  const html = await (await fetch(`${server.url}/perro/${dogs[0]!.id}`)).text()
  assert.match(html, /<link rel="canonical" href="[^"]*\/samoyedo\/nevada"/)
  assert.match(html, /<meta name="robots" content="noindex/)
  assert.not.match(html, /Navegación/)
})

journey('once deleted its address is gone for good, an unknown one was never there', async () => {
  const { dogs } = (await (await fetch(`${server.url}/api/dogs`)).json()) as { dogs: { id: string }[] }
  const answer = await page.evaluate(
    async (id) => (await fetch(`/api/dogs/${id}`, { method: 'DELETE' })).status,
    dogs[0]!.id,
  )
  assert.is(answer, 204)
  for (const [path, status] of [
    ['/samoyedo/nevada', 410],
    ['/samoyedo/nieve', 410],
    ['/samoyedo/nadie', 404],
    [`/perro/${dogs[0]!.id}`, 404],
  ] as const) {
    const response = await fetch(server.url + path)
    assert.is(response.status, status, path)
    const text = await response.text()
    for (const words of [
      'Perro no encontrado',
      'El perro que buscas no existe o ha sido eliminado.',
      'Volver al inicio',
    ])
      assert.ok(text.includes(words), words)
  }
})
