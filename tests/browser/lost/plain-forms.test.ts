import type { Page } from 'playwright'
import { seedLostStates } from '#tests/support/browser/lost-states.ts'
import { axeFaultsInBothThemes } from '#tests/support/browser/axe.ts'
import { openContext, PHONE } from '#tests/support/browser/chromium.ts'
import { fitsWidth } from '#tests/support/browser/reflow.ts'
import { findSmallTargets } from '#tests/support/browser/touch-targets.ts'
import { createMatrixWorld, type MatrixWorld } from '#tests/support/matrix/world.ts'
import type { Role } from '#tests/support/matrix/roles.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { assert, browserSuite, type BrowserWorld } from '#tests/support/suites.ts'

// The forms of lost, found and identified dogs where no script runs, and what they look like when they are refused.

interface Shared extends BrowserWorld {
  world: MatrixWorld
  lost: Awaited<ReturnType<typeof seedLostStates>>
  picture: { name: string; mimeType: string; buffer: Buffer }
}
const forms = browserSuite<Shared>('plain forms of lost dogs', { ADMIN_EMAIL: 'admin@ejemplo.es' })
forms.before(async (t) => {
  t.picture = { name: 'foto.jpg', mimeType: 'image/jpeg', buffer: await photo(160, 640, 480) }
  t.world = await createMatrixWorld(t.server.db, t.server.dataDir, 'admin@ejemplo.es')
  t.lost = await seedLostStates(t.server.db, t.world)
  for (const role of ['owner', 'member', 'admin'] as const) await t.world.cookieOf(role)
})

async function open({ server, browser, world }: Shared, role: Role, path: string, javaScriptEnabled = false) {
  const context = await openContext(browser, { ...PHONE, javaScriptEnabled })
  const [name, value] = (await world.cookieOf(role)).split('=') as [string, string?]
  if (value) await context.addCookies([{ name, value, url: server.url }])
  const page = await context.newPage()
  await page.goto(server.url + path)
  return page
}

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).first().click()
const end = (page: Page) => page.context().close()

forms('a stranger sends a found dog, reads answers, and closes the notice', async (t) => {
  const page = await open(t, 'visitor', '/encontrados')
  await page.getByLabel('Foto').setInputFiles(t.picture)
  await page.getByLabel('Pueblo o barrio donde estaba').fill('Nadaquever')
  await page.getByLabel('Tamaño').selectOption('mediano')
  const typed = { 'Pelo y color': 'Canela', 'Collar o arnés': 'Rojo', 'Algo más, si quieres': 'Cojea.' }
  for (const [label, text] of Object.entries(typed)) await page.getByLabel(label).fill(text)
  await page.getByLabel('Una pregunta').fill('¿Qué tiene en la pata?')
  await press(page, 'Enviar')
  await page.getByRole('alert').getByText('No conocemos ese lugar.').waitFor()
  for (const [label, text] of Object.entries(typed)) assert.is(await page.getByLabel(label).inputValue(), text)
  assert.is(await page.getByLabel('Tamaño').inputValue(), 'mediano')
  await page.getByLabel('Foto').setInputFiles(t.picture)
  await page.getByLabel('Pueblo o barrio donde estaba').fill('San Sebastián de los Reyes')
  await press(page, 'Enviar')
  await page.getByText(t.lost.asked.name).waitFor()

  const owner = await open(t, 'owner', new URL(page.url()).pathname)
  await owner.getByLabel('Tu respuesta').fill('Una luna.')
  await press(owner, 'Es mi perro')
  await owner.getByText('Espera a que lo lea.').waitFor()
  await page.reload()
  await press(page, /^No acierta ?, respuesta \d+$/)
  await page.getByText('Le has dicho que no.').waitFor()
  await owner.reload()
  await owner.getByLabel('Tu respuesta').fill('Una estrella.')
  await press(owner, 'Es mi perro')
  await page.reload()
  await press(page, /^Puede ser suyo ?, respuesta \d+$/)
  await page.getByText('Le has dicho que sí.').waitFor()
  await press(page, 'Cerrar el aviso')
  await page.getByText('El aviso está cerrado y borrado.').waitFor()
  await owner.reload()
  await owner.getByRole('heading', { name: 'Aquí no hay nada' }).waitFor()
  await end(page)
  await end(owner)
})

// After found dogs: what the admin refuses here holds this network's notices back for a day.
forms('a stranger reports a sighting', async (t) => {
  const page = await open(t, 'visitor', `/perdidos/${t.lost.unseen.id}/visto`)
  await page.getByLabel('Algo más, si quieres').fill('Iba hacia el río.')
  await page.getByLabel('¿Cuándo?').selectOption('Hace una hora')
  await press(page, 'Enviar')
  await page.getByRole('alert').first().waitFor()
  assert.is(await page.getByLabel('Algo más, si quieres').inputValue(), 'Iba hacia el río.')
  assert.is(await page.getByLabel('¿Cuándo?').inputValue(), '60')
  await page.locator('input[type=file]').setInputFiles(t.picture)
  await page.getByLabel('Pueblo o barrio').fill('Jaca')
  await press(page, 'Enviar')
  await page.getByRole('status').getByText('Ya se lo hemos contado a su familia.').waitFor()
  await end(page)

  const owner = await open(t, 'owner', `/perdidos/${t.lost.unseen.id}/avistamientos`)
  await owner.getByText('Iba hacia el río.').waitFor()
  await press(owner, /^No es útil o es falso ?, avistamiento \d+$/)
  await owner.getByText('Lo has descartado').waitFor()
  await press(owner, /^Recuperar ?, avistamiento \d+$/)
  await owner.getByText('Lo has descartado').waitFor({ state: 'detached' })
  await press(owner, /^Denunciar ?, avistamiento \d+$/)
  await end(owner)
  const admin = await open(t, 'admin', '/admin?tab=denuncias&clase=avistamiento')
  const reported = admin.getByRole('listitem').filter({ hasText: 'Iba hacia el río.' })
  await reported.getByText('Denunciado').waitFor()
  await reported.getByRole('button', { name: 'Rechazar y eliminar' }).click()
  await reported.waitFor({ state: 'detached' })
  await end(admin)
})

forms('a member chooses alerts, and ends them', async (t) => {
  const page = await open(t, 'member', '/perdidos/avisos')
  const zone = page.getByLabel('Pueblo, barrio o provincia')
  const radius = page.getByLabel('Avísame de perros perdidos cerca')
  await zone.fill('Nadaquever')
  await press(page, 'Guardar')
  await page.getByRole('alert').getByText('No conocemos ese lugar.').waitFor()
  assert.is(await zone.inputValue(), 'Nadaquever')
  await zone.fill('Getafe')
  await radius.selectOption('20')
  await press(page, 'Guardar')
  await page.getByRole('status').getByText('Guardado').waitFor()
  assert.is(await radius.inputValue(), '20')
  await press(page, 'Quitar mi zona')
  await page.getByRole('status').getByText('no te avisaremos').waitFor()
  await end(page)
})

forms('an owner asks about the breed, members answer, and the owner ends it', async (t) => {
  const { lost } = t
  const owner = await open(t, 'owner', lost.home.path)
  await press(owner, 'Preguntar')
  await owner.getByRole('heading', { name: `¿Qué raza creéis que es ${lost.home.name}?` }).waitFor()
  const member = await open(t, 'member', lost.home.path)
  await member.getByRole('link', { name: 'Da tu opinión' }).click()
  await member.getByLabel('¿Qué raza es?').fill('Perro verde')
  await member.getByLabel('¿En qué se le nota?').fill('Por las orejas.')
  await press(member, 'Dar mi opinión')
  await member.getByRole('alert').getByText('No conocemos esa raza.').waitFor()
  assert.is(await member.getByLabel('¿Qué raza es?').inputValue(), 'Perro verde')
  assert.is(await member.getByLabel('¿En qué se le nota?').inputValue(), 'Por las orejas.')
  await member.getByLabel('¿Qué raza es?').fill('Podenco andaluz')
  await press(member, 'Dar mi opinión')
  await member.getByText('Por las orejas.').first().waitFor()
  await press(member, 'Retirar')
  await member.getByRole('button', { name: 'Dar mi opinión' }).waitFor()
  await owner.reload()
  await press(owner, 'Ya lo sabemos')
  await owner.getByRole('button', { name: 'Preguntar' }).waitFor()
  await end(owner)
  await end(member)
})

forms('a refused form can be read and pressed by everybody', async (t) => {
  const refused: [role: Role, path: string, form: string][] = [
    ['owner', `/perdidos/${t.world.dog.id}`, '.lost-again > form'],
    ['visitor', '/encontrados', '.found-form'],
    ['member', `/perdidos/${t.lost.asked.id}/visto`, '.sighting-form'],
    ['member', `/perro/${t.world.dog.id}/opiniones`, '.opinion-form'],
    ['owner', `/encontrados/${t.lost.notified}`, '.found-form'],
  ]
  for (const [role, path, form] of refused) {
    const page = await open(t, role, path, true)
    await page.locator(form).evaluate((sent: HTMLFormElement) => {
      for (const field of sent.querySelectorAll<HTMLInputElement>('input:not([type=hidden]), textarea')) {
        if (field.type === 'text') field.value = ''
      }
      sent.requestSubmit(sent.querySelector<HTMLElement>('button.pri'))
    })
    const where = `${path} as ${role}`
    await page.getByRole('alert').filter({ visible: true }).filter({ hasText: /./ }).first().waitFor()
    // The sentence stands beside the first wrong field, which has the focus.
    const focused = page.locator('[aria-invalid=true]:focus')
    await focused.waitFor()
    const said = (await focused.getAttribute('aria-describedby'))!.split(' ')[0]!
    assert.ok(await page.locator(`[id="${said}"]`).isVisible(), where)
    assert.equal(await axeFaultsInBothThemes(page), [], where)
    assert.ok(await fitsWidth(page), where)
    assert.equal((await findSmallTargets(page, '.nothing')).small, [], where)
    await end(page)
  }
})

forms('what is missing is said in the site’s words, by the server and before anything is sent', async (t) => {
  for (const script of [false, true]) {
    const owner = await open(t, 'owner', `/perdidos/${t.world.dog.id}`, script)
    await owner.getByLabel('¿Desde cuándo?').fill('')
    await owner.getByLabel('¿Qué ayuda a encontrarlo?').fill('No lo persigas.')
    await owner.getByText('Lleva chip', { exact: true }).click()
    await press(owner, 'Avisar a todos')
    await owner.getByRole('alert').getByText('Escribe el día y la hora en que se perdió.').waitFor()
    await owner.getByRole('alert').getByText('Escribe dónde se le vio por última vez').waitFor()
    await owner.locator('#since:focus').waitFor()
    assert.is(await owner.getByLabel('¿Qué ayuda a encontrarlo?').inputValue(), 'No lo persigas.')
    assert.ok(await owner.getByLabel('Lleva chip', { exact: true }).isChecked())
    await end(owner)

    const visitor = await open(t, 'visitor', '/encontrados', script)
    await visitor.getByLabel('Pelo y color').fill('Canela')
    await press(visitor, 'Enviar')
    await visitor.getByRole('alert').getByText('Añade una foto del perro.').waitFor()
    await visitor.getByRole('alert').getByText('Di dónde lo has encontrado').waitFor()
    await visitor.locator('#found-photo:focus').waitFor()
    assert.is(await visitor.getByLabel('Pelo y color').inputValue(), 'Canela')
    await visitor.getByLabel('Pueblo o barrio donde estaba').pressSequentially('Ja')
    if (script) await visitor.getByText('Di dónde lo has encontrado').waitFor({ state: 'hidden' })
    await end(visitor)
  }
})

forms('an answer that is refused stays, with the sentence beside it', async (t) => {
  const owner = await open(t, 'owner', `/encontrados/${t.lost.notified}`)
  await owner.getByLabel(/Tu respuesta|Algo de tu perro/).fill('x'.repeat(201))
  await press(owner, 'Es mi perro')
  await owner.locator('#found-answer-error').getByText('La respuesta no puede').waitFor()
  assert.is((await owner.locator('#found-answer:focus').inputValue()).length, 201)
  await end(owner)
})
