import type { Browser, BrowserContextOptions, Page } from 'playwright'
import { addComment } from '#features/comments/comments.server.ts'
import { like } from '#features/likes/likes.server.ts'
import { ban } from '#features/moderation/bans.server.ts'
import { axeFaults } from '#tests/support/browser/axe.ts'
import { call, formOf } from '#tests/support/api.ts'
import { DESKTOP, PHONE } from '#tests/support/browser/chromium.ts'
import { visit } from '#tests/support/browser/page-pool.ts'
import { signInMember, type TestMember } from '#tests/support/members.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import type { TestServer } from '#tests/support/server.ts'
import { assert, browserSuite } from '#tests/support/suites.ts'

// Luis reports Ana's dog, the admin hides it, Ana reads why and answers, the admin lets it out again.
const ADMIN = 'admin@ejemplo.es'
const moderation = browserSuite('moderation', { ADMIN_EMAIL: ADMIN })
let server: TestServer
let browser: Browser
let ana: TestMember
let luis: TestMember
let admin: TestMember

moderation.before(async (t) => {
  ;({ server, browser } = t)
  ana = await signInMember(server, 'ana@ejemplo.es')
  luis = await signInMember(server, 'luis@ejemplo.es')
  admin = await signInMember(server, ADMIN)
})

const at = (path: string, who?: TestMember, options: BrowserContextOptions = DESKTOP) =>
  visit({ server, browser }, path, { reducedMotion: 'reduce', ...options }, who)
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function accessible(page: Page) {
  assert.equal(await axeFaults(page), [])
  // The gutter of the scrollbar stands beside the page.
  const { scrollWidth, clientWidth } = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return { scrollWidth, clientWidth }
  })
  assert.ok(scrollWidth <= clientWidth, `${scrollWidth} px in ${clientWidth}`)
}

async function addToby(): Promise<{ id: string; path: string }> {
  const images = await Promise.all([photo(0), photo(20)].map(async (bytes) => new Blob([await bytes])))
  const { body } = await call(server, '/api/dogs', {
    method: 'POST',
    cookie: ana.cookie,
    form: formOf({ name: 'Toby', breed: 'Beagle', images }),
  })
  return body.dog
}

moderation('reported, hidden, answered, let out again', async () => {
  const toby = await addToby()
  await addComment(server.db, ana, toby.id, 'Es mi perro')

  const his = await at(toby.path, luis, PHONE)
  await his.page.getByRole('link', { name: 'Denunciar', exact: true }).click()
  const dialog = his.page.getByRole('dialog', { name: 'Denunciar Toby' })
  await dialog.waitFor()
  await accessible(his.page)
  await dialog.getByRole('textbox', { name: 'Explícalo, si quieres' }).waitFor()
  await dialog.getByLabel('Otra cosa').check()
  await dialog.getByRole('button', { name: 'Denunciar' }).click()
  await dialog.getByText('Cuéntanos qué ocurre.').waitFor()
  assert.match(
    his.errors.splice(0).join(),
    /^Failed to load resource: .+ 422 \(Unprocessable \w+\)$/,
    'the refusal meant',
  )
  await dialog.getByRole('textbox', { name: 'Explícalo', exact: true }).fill('No es suyo.')
  await dialog.getByRole('button', { name: 'Denunciar' }).click()
  await his.page.getByText('Gracias por avisar. Lo revisaremos.').waitFor()
  await dialog.waitFor({ state: 'detached' })

  const desk = await at('/admin?tab=denuncias', admin)
  await accessible(desk.page)
  await desk.page.getByText('No es suyo.').waitFor()
  await desk.page.getByText(/^Decidir:/).click()
  await desk.page.getByLabel('Motivo o nota').fill('Esta foto es de otra persona.')
  await accessible(desk.page)
  await desk.page.getByRole('button', { name: /^Ocultar:/ }).click()
  await desk.page.getByText('Oculto.').waitFor()

  assert.is((await call(server, toby.path)).status, 410)
  assert.is((await call(server, `/api/dogs/${toby.id}`)).status, 404)
  assert.is((await call(server, toby.path, { cookie: luis.cookie })).status, 410)

  const hers = await at('/notificaciones', ana)
  await hers.page
    .getByText('Ya no se ve la ficha de Toby, Beagle. Motivo: Esta foto es de otra persona. Puedes responder.')
    .waitFor()
  await hers.page.goto(server.url + toby.path)
  await hers.page.getByText('Motivo: Esta foto es de otra persona.').waitFor()
  await accessible(hers.page)
  await hers.page.getByRole('link', { name: 'Ver la decisión y responder' }).click()
  await hers.page.getByText('Responder', { exact: true }).click()
  await hers.page.getByLabel('Tu respuesta').fill('Es mía, la hice yo.')
  await accessible(hers.page)
  await button(hers.page, 'Enviar respuesta').click()
  await hers.page.getByText('Respuesta enviada. La leeremos.').waitFor()

  await desk.page.goto(`${server.url}/admin?tab=denuncias`)
  await desk.page.getByText('Es mía, la hice yo.').waitFor()
  await desk.page.getByText(/^Decidir:/).click()
  await desk.page.getByRole('button', { name: /^Publicar( de nuevo)?:/ }).click()
  await desk.page.getByText('Publicado de nuevo.', { exact: true }).waitFor()
  assert.is((await call(server, toby.path)).status, 200)

  await desk.page.getByRole('link', { name: 'Registro' }).click()
  await desk.page.getByText('Publicado de nuevo').waitFor()
  await accessible(desk.page)
  assert.equal([...his.errors, ...desk.errors, ...hers.errors], [])
})

moderation('without script the form is a page; a visitor is led to sign in', async () => {
  const toby = await addToby()
  const his = await at(toby.path, luis, { ...PHONE, javaScriptEnabled: false })
  await his.page.getByRole('link', { name: 'Denunciar', exact: true }).click()
  await his.page.getByRole('heading', { level: 1, name: 'Denunciar Toby' }).waitFor()
  await his.page.getByLabel('Venta o cría con anuncio').check()
  await button(his.page, 'Denunciar').click()
  await his.page.getByText('Gracias por avisar. Lo revisaremos.').waitFor()
  const nobody = await at(toby.path, undefined)
  await nobody.page.getByRole('link', { name: 'Denunciar', exact: true }).click()
  await nobody.page.getByRole('dialog').getByRole('link', { name: 'Entrar o crear cuenta' }).waitFor()
  assert.equal(nobody.errors, [])
})

moderation('a comment that sells is public at once, and the admin is asked about it', async () => {
  const toby = await addToby()
  const his = await at(toby.path, luis, PHONE)
  await his.page.getByLabel('Tu comentario').fill('Vendo cachorros, 300 €')
  await button(his.page, 'Enviar').click()
  await his.page.reload()
  await his.page.getByText('Vendo cachorros, 300 €').waitFor()
  await accessible(his.page)
  const hers = await at(toby.path, ana)
  await hers.page.getByText('Vendo cachorros, 300 €').waitFor()
  assert.equal([...his.errors, ...hers.errors], [])
})

moderation('blocked from the profile: the talk goes on without the other, and it can be taken back', async () => {
  const toby = await addToby()
  await addComment(server.db, luis, toby.id, 'Palabras de Luis')
  await like(server.db, luis, toby.id)
  const hers = await at(`/usuario/${luis.id}`, ana, PHONE)
  await button(hers.page, `Bloquear a ${luis.alias}`).click()
  await hers.page.getByText(`Has bloqueado a ${luis.alias}`).waitFor()
  await accessible(hers.page)
  await hers.page.goto(server.url + toby.path)
  assert.is(await hers.page.getByText('Palabras de Luis').count(), 0)
  // Whose like it is she does not read; that there is one she does.
  await hers.page.getByRole('button', { name: 'Le gusta a 1 persona' }).click()
  await hers.page.getByText('No hay nadie a quien puedas ver.').waitFor()
  await accessible(hers.page)
  const his = await at(`/usuario/${ana.id}`, luis)
  await his.page.getByText('Este perfil no está disponible para ti.').waitFor()
  await accessible(his.page)
  await hers.page.goto(`${server.url}/perfil/cuenta`)
  await accessible(hers.page)
  await hers.page.getByRole('button', { name: `Desbloquear a ${luis.alias}` }).click()
  await hers.page.getByText('No has bloqueado a nadie.').waitFor()
  await hers.page.goto(server.url + toby.path)
  await hers.page.getByText('Palabras de Luis').waitFor()
  await hers.page.getByRole('button', { name: `Le gusta a ${luis.alias}` }).waitFor()
  assert.equal([...his.errors, ...hers.errors], [])
})

moderation('who is banned reads so on their own profile, and what they may answer', async () => {
  const eva = await signInMember(server, 'eva@ejemplo.es')
  await ban(server.db, eva.id, { until: Date.UTC(2199, 0, 5, 12), reason: 'Insultas a otras.' })
  const hers = await at('/perfil', eva, PHONE)
  const note = hers.page.getByRole('region', { name: 'No puedes publicar' })
  await note
    .getByText('Tu cuenta no puede publicar hasta el 5 de enero de 2199. Mientras tanto puedes seguir leyendo.')
    .waitFor()
  await note.getByText('Motivo: Insultas a otras.').waitFor()
  assert.is(
    await note.getByRole('link', { name: 'Ver la decisión y responder' }).getAttribute('href'),
    '/perfil/seguridad#decisiones',
  )
  await accessible(hers.page)
  const his = await at(`/usuario/${eva.id}`, luis)
  await his.page.getByRole('heading', { level: 1, name: eva.alias }).waitFor()
  assert.is(await his.page.getByText('Insultas a otras.').count(), 0, 'nobody else reads it')
  assert.equal([...hers.errors, ...his.errors], [])
})
