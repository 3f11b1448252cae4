import type { Page } from 'playwright'
import { endAllSessions } from '#features/auth/sessions/member-sessions.server.ts'
import { DESKTOP } from '#tests/support/browser/chromium.ts'
import { waitUntilTrue } from '#tests/support/browser/service-worker.ts'
import { attachPhotos, openAddForm, smallPhotos, submitForm } from '#tests/support/dogs/dog-form.ts'
import { signInMember, useSession } from '#tests/support/members.ts'
import { withRecentSignIn } from '#tests/support/seed.ts'
import type { TestServer } from '#tests/support/server.ts'
import { visit } from '#tests/support/browser/page-pool.ts'
import { assert, browserSuite } from '#tests/support/suites.ts'

// A session that ends while the form is open (docs/product.md §11.5): the dog never becomes a visitor's.
const ended = browserSuite('a session that ends under the form')

const dogsNamed = (server: TestServer, name: string) =>
  server.db.selectFrom('dogs').select(['owner_id']).where('name', '=', name).execute()

ended(
  'the form keeps everything, says so at every press, and sends it once they are back',
  async ({ server, browser }) => {
    const ana = await signInMember(server, 'ana@ejemplo.es')
    const { context, page } = await visit({ server, browser }, '/perros', DESKTOP, ana)
    const dialog = await openAddForm(page)
    await attachPhotos(dialog, await smallPhotos(1))
    await dialog.getByLabel('Nombre').fill('Trueno')
    await dialog.getByRole('combobox', { name: 'Raza' }).fill('Beagle')
    await dialog.getByRole('option', { name: 'Beagle', exact: true }).click()
    await endAllSessions(server.db, withRecentSignIn(ana))
    // The first answer takes the dead cookie away; the second press is sent without any.
    for (const _ of ['with the dead cookie', 'without a cookie']) {
      await submitForm(dialog)
      await dialog.getByText('Error: Usuario no autenticado').waitFor()
      await dialog.getByText('Tu sesión ha terminado.').waitFor()
      assert.equal(await dogsNamed(server, 'Trueno'), [])
      assert.is(await dialog.getByLabel('Nombre').inputValue(), 'Trueno')
      assert.is(await dialog.locator('.df-gallery .df-tile img').count(), 1)
    }
    // In another tab.
    await useSession(context, server, await signInMember(server, 'ana@ejemplo.es'))
    await submitForm(dialog)
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await dogsNamed(server, 'Trueno'), [{ owner_id: ana.id }])
  },
)

const storedDrafts = (page: Page) =>
  page.evaluate(async () => {
    const texts = Object.keys(localStorage).filter((key) => key.startsWith('perrario-borrador'))
    const databases = await indexedDB.databases()
    if (!databases.some(({ name }) => name === 'perrario-borradores')) return { texts: texts.length, photos: 0 }
    const photos = await new Promise<string[]>((resolve) => {
      const opening = indexedDB.open('perrario-borradores')
      opening.addEventListener('success', () => {
        const all = opening.result.transaction('fotos').objectStore('fotos').getAllKeys()
        all.addEventListener('success', () => resolve(all.result.map(String)))
      })
    })
    return { texts: texts.length, photos: photos.length }
  })
const waitForDrafts = (page: Page, count: number) =>
  waitUntilTrue(`${count} drafts`, async () => {
    const { texts, photos } = await storedDrafts(page)
    return texts === count && photos === count
  })

async function beginDog(page: Page, name: string) {
  const dialog = await openAddForm(page)
  await attachPhotos(dialog, await smallPhotos(1))
  await dialog.getByLabel('Nombre').fill(name)
  await waitForDrafts(page, 1)
  return dialog
}

/** What the form holds when it opens: a recovered name, or null. */
async function recoveredName(page: Page): Promise<string | null> {
  const dialog = await openAddForm(page)
  const isRecovered = (await dialog.getByText('Borrador recuperado').count()) > 0
  const name = await dialog.getByLabel('Nombre').inputValue()
  const photoCount = await dialog.locator('.df-gallery .df-tile').count()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  assert.equal([name !== '', photoCount], [isRecovered, isRecovered ? 1 : 0])
  return isRecovered ? name : null
}

const signOut = async (page: Page) => {
  await page.getByRole('button', { name: 'Cerrar sesión' }).click()
  await page.waitForURL(/\/$/)
}

ended('a member’s draft goes with their sign-out', async ({ server, browser }) => {
  const { page } = await visit({ server, browser }, '/comunidad', DESKTOP, await signInMember(server, 'ana@ejemplo.es'))
  await beginDog(page, 'Secreto')
  await page.keyboard.press('Escape')
  await signOut(page)
  assert.equal(await storedDrafts(page), { texts: 0, photos: 0 })
  assert.is(await recoveredName(page), null)
})

ended(
  'what a form held open across a sign-out in another tab is offered to its member alone',
  async ({ server, browser }) => {
    const ana = await signInMember(server, 'ana@ejemplo.es')
    const { context, page } = await visit({ server, browser }, '/comunidad', DESKTOP, ana)
    const dialog = await beginDog(page, 'Nube')
    await dialog.getByRole('combobox', { name: 'Raza' }).fill('Beagle')
    await dialog.getByRole('option', { name: 'Beagle', exact: true }).click()
    const other = await context.newPage()
    await other.goto(`${server.url}/comunidad`)
    await signOut(other)
    await submitForm(dialog)
    await dialog.getByText('Lo que has escrito se queda guardado en este dispositivo').waitFor()
    await waitForDrafts(page, 1)

    await page.goto(`${server.url}/comunidad`)
    assert.is(await recoveredName(page), null, 'a visitor')
    await useSession(context, server, await signInMember(server, 'luis@ejemplo.es'))
    await page.reload()
    assert.is(await recoveredName(page), null, 'another member')
    await useSession(context, server, await signInMember(server, 'ana@ejemplo.es'))
    await page.reload()
    assert.is(await recoveredName(page), 'Nube')
  },
)

ended('a dog begun before the sign-in goes on after it, and is then its member’s', async ({ server, browser }) => {
  const { context, page } = await visit({ server, browser }, '/comunidad', DESKTOP)
  await beginDog(page, 'Sombra')
  await useSession(context, server, await signInMember(server, 'ana@ejemplo.es'))
  await page.goto(`${server.url}/comunidad`)
  assert.is(await recoveredName(page), 'Sombra')
  await waitForDrafts(page, 1)
  await signOut(page)
  assert.equal(await storedDrafts(page), { texts: 0, photos: 0 })
})
