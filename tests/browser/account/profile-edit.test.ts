import type { Browser, BrowserContextOptions, Page } from 'playwright'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { axeFaultsInBothThemes } from '#tests/support/browser/axe.ts'
import { DESKTOP, launchBrowser, PHONE, openContext, watchErrors } from '#tests/support/browser/chromium.ts'
import { signInMember, type TestMember, useSession } from '#tests/support/members.ts'
import { withDatabase } from '#tests/support/seed.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { paintTwice, waitUntilQuiet, watchRequests } from '#tests/support/browser/requests.ts'

interface Shared {
  server: TestServer
  browser: Browser
  ana: TestMember
}

const edit = suite<Shared>('the edit modal')
edit.before(async (t) => {
  t.server = await startServer()
  t.browser = await launchBrowser()
  t.ana = await signInMember(t.server, 'ana@ejemplo.es')
  const luis = await signInMember(t.server, 'luis@ejemplo.es')
  await setProfile(t.server, luis.id, 'Luis', '🐱')
})
edit.after(async ({ server, browser }) => {
  await browser.close()
  await server.dispose()
})
edit.before.each(({ server, ana }) => setProfile(server, ana.id, 'Ana', '🐶'))
edit.after.each(async ({ browser }) => {
  for (const context of browser.contexts()) await context.close()
})

const setProfile = (server: TestServer, id: string, alias: string, emoji: string) =>
  withDatabase(server, (db) =>
    db
      .updateTable('profiles')
      .set({ alias, alias_key: alias.toLowerCase(), emoji })
      .where('id', '=', id)
      .execute()
      .then(() => {}),
  )

async function visitProfile(t: Shared, options: BrowserContextOptions = DESKTOP): Promise<Page> {
  const context = await openContext(t.browser, options)
  await useSession(context, t.server, t.ana)
  const page = await context.newPage()
  await page.goto(`${t.server.url}/perfil`)
  return page
}
const modal = (page: Page) => page.getByRole('dialog', { name: 'Editar perfil' })
const picker = (page: Page) => page.getByRole('dialog', { name: 'Elige un emoji' })
const alias = (page: Page) => modal(page).getByLabel('Alias')
const messageLine = (page: Page) => modal(page).locator('[data-said]')
const shownEmoji = (page: Page) => modal(page).locator('[data-emoji-shown]').innerText()

async function open(page: Page): Promise<void> {
  await page.getByLabel('Opciones').click()
  await page.getByRole('link', { name: 'Editar perfil' }).click()
  await modal(page).waitFor()
}
const waitForMessage = (page: Page, text: string) => messageLine(page).getByText(text, { exact: true }).waitFor()

edit('saves alias and emoji, closes, and the whole page shows them', async (t) => {
  const page = await visitProfile(t)
  const errors = watchErrors(page)
  const foreign: string[] = []
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(t.server.url) && !/^(data|blob):/.test(url)) foreign.push(url)
  })
  await open(page)
  await alias(page).fill('Rosa de los Vientos')
  await modal(page).getByText('19/20').waitFor()
  await waitForMessage(page, 'Disponible')
  await modal(page).getByRole('button', { name: 'Cambiar emoji' }).click()
  await picker(page).getByRole('tab', { name: 'Animales y Naturaleza' }).click()
  await picker(page).getByRole('option', { name: '🦊', exact: true }).click()
  await picker(page).waitFor({ state: 'hidden' })
  assert.is(await shownEmoji(page), '🦊')
  await modal(page).getByRole('button', { name: 'Guardar' }).click()
  await page.locator('.toast b', { hasText: 'Perfil actualizado' }).waitFor()
  assert.is(await modal(page).count(), 0)
  for (const place of ['.carnet h1', '.profile-bar', '#side [data-me=alias]'])
    assert.is((await page.locator(place).innerText()).trim(), 'Rosa de los Vientos', place)
  for (const place of await page.locator('[data-me=emoji], .stub span').allTextContents()) assert.is(place.trim(), '🦊')
  assert.is(await page.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'Opciones')
  await page.reload()
  assert.is((await page.locator('.carnet h1').innerText()).trim(), 'Rosa de los Vientos')
  // The next draft starts from what was saved.
  await open(page)
  assert.is(await alias(page).inputValue(), 'Rosa de los Vientos')
  assert.equal([foreign, errors], [[], []])
})

edit('a taken alias is told while it is typed, and on saving; one’s own is none', async (t) => {
  const page = await visitProfile(t)
  await open(page)
  await alias(page).pressSequentially(' ')
  await alias(page).fill('luís')
  await waitForMessage(page, 'Este alias ya está en uso.')
  assert.is(await alias(page).getAttribute('aria-invalid'), 'true')
  await alias(page).fill('ANA')
  await waitForMessage(page, 'Disponible')
  await alias(page).fill('Ana')
  assert.is((await messageLine(page).innerText()).trim(), '')
  await alias(page).fill('Luis')
  await modal(page).getByRole('button', { name: 'Guardar' }).click()
  await waitForMessage(page, 'Este alias ya está en uso.')
  assert.ok(await modal(page).isVisible())
  assert.is(await alias(page).inputValue(), 'Luis')
  assert.ok(await alias(page).evaluate((input) => input === document.activeElement))
})

edit('what the alias alone tells is told at once', async (t) => {
  const page = await visitProfile(t)
  await page.route('**/api/profile/alias?*', (route) => route.abort())
  await open(page)
  await alias(page).fill('')
  await waitForMessage(page, 'El alias no puede estar vacío')
  await alias(page).fill('Ñandú'.repeat(5))
  await waitForMessage(page, 'El alias no puede tener más de 20 caracteres.')
  await modal(page).getByText('25/20').waitFor()
  await alias(page).fill('An\u0430')
  await waitForMessage(page, '«\u0430» parece una letra latina, pero es de otro alfabeto.')
  await page.keyboard.press('Enter')
  await waitForMessage(page, '«\u0430» parece una letra latina, pero es de otro alfabeto.')
  assert.ok(await modal(page).isVisible())
})

edit('only the last alias typed has its say', async (t) => {
  const page = await visitProfile(t)
  const asked: string[] = []
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/api/profile/alias?*', async (route) => {
    asked.push(new URL(route.request().url()).searchParams.get('alias')!)
    // The first answer comes last.
    if (asked.length === 1) await held
    await route.continue().catch(() => {})
  })
  await open(page)
  await alias(page).fill('Luis')
  const first = await page.waitForRequest('**/api/profile/alias?*')
  await alias(page).fill('Luisa')
  await waitForMessage(page, 'Disponible')
  release()
  // Answered, or given up by the page.
  await first.response().catch(() => null)
  await paintTwice(page)
  assert.is((await messageLine(page).innerText()).trim(), 'Disponible')
  assert.equal(asked, ['Luis', 'Luisa'])
})

edit('«Aleatorio» gives a free alias and an emoji; cancelling forgets them', async (t) => {
  const page = await visitProfile(t)
  await open(page)
  await modal(page).getByRole('button', { name: 'Aleatorio' }).click()
  await waitForMessage(page, 'Disponible')
  const random = await alias(page).inputValue()
  assert.match(random, /^\p{L}+ \p{L}+$/u)
  await modal(page).getByRole('button', { name: 'Cancelar' }).click()
  await modal(page).waitFor({ state: 'hidden' })
  assert.is(page.url(), `${t.server.url}/perfil`)
  assert.is((await page.locator('.carnet h1').innerText()).trim(), 'Ana')
  await open(page)
  assert.equal([await alias(page).inputValue(), await shownEmoji(page)], ['Ana', '🐶'])
  assert.is((await messageLine(page).innerText()).trim(), '')
  await modal(page).getByText('3/20').waitFor()
})

edit('a save that fails says so and loses nothing', async (t) => {
  const page = await visitProfile(t)
  await open(page)
  await alias(page).fill('No me pierdas')
  await waitForMessage(page, 'Disponible')
  await page.route('**/api/profile', (route) => route.abort())
  const save = modal(page).getByRole('button', { name: 'Guardar' })
  await save.click()
  await page.locator('.toast b', { hasText: 'Error al guardar el perfil' }).waitFor()
  await modal(page).getByText('No se pudo conectar con el servidor.').waitFor()
  assert.is(await alias(page).inputValue(), 'No me pierdas')
  await page.unroute('**/api/profile')
  await page.context().clearCookies()
  await save.click()
  await modal(page).getByText('Inicia sesión para continuar.').waitFor()
  await useSession(page.context(), t.server, t.ana)
  await save.click()
  await modal(page).waitFor({ state: 'hidden' })
  assert.is((await page.locator('.carnet h1').innerText()).trim(), 'No me pierdas')
})

edit('works by keyboard alone, and Escape closes only the picker', async (t) => {
  const page = await visitProfile(t)
  const errors = watchErrors(page)
  await page.getByLabel('Opciones').focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await modal(page).waitFor()
  await modal(page).getByRole('button', { name: 'Cambiar emoji' }).focus()
  await page.keyboard.press('Enter')
  const focused = () =>
    page.evaluate(() => {
      const inside = document.activeElement?.shadowRoot?.activeElement ?? document.activeElement
      return { name: inside?.getAttribute('aria-label'), place: Number(inside?.getAttribute('aria-posinset')) }
    })
  const at = async (place: number) =>
    page.waitForFunction(
      (wanted) => document.activeElement?.shadowRoot?.activeElement?.getAttribute('aria-posinset') === String(wanted),
      place,
    )
  await at(1)
  // The frequent row is as long as what was used before: six at first.
  const frequent = await page.locator('em-emoji-picker [data-id=frequent] [role=option]').count()
  await page.keyboard.press('ArrowRight')
  await at(2)
  await page.keyboard.press('ArrowLeft')
  await at(1)
  await page.keyboard.press('ArrowDown')
  await at(frequent + 1)
  await page.keyboard.press('ArrowDown')
  await at(frequent + 9)
  await page.keyboard.press('End')
  await at(frequent + 16)
  await page.keyboard.press('Home')
  await at(frequent + 9)
  for (let pages = 1; pages <= 4; pages++) {
    // Rows are drawn as they come near.
    await page.waitForFunction(() => {
      const root = document.activeElement!.shadowRoot!
      const row = Number(root.activeElement!.closest<HTMLElement>('.row')!.dataset.index)
      return root.querySelector(`.row[data-index="${row + 5}"] button`)
    })
    await page.keyboard.press('PageDown')
    await at(frequent + 9 + pages * 40)
  }
  // Out of the list and back in.
  await page.keyboard.press('Shift+Tab')
  assert.is((await focused()).name, 'Banderas')
  await page.keyboard.press('ArrowLeft')
  assert.is((await focused()).name, 'Símbolos')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  assert.ok((await focused()).place > 0)
  await page.keyboard.press('Escape')
  await picker(page).waitFor({ state: 'hidden' })
  assert.ok(await modal(page).isVisible())
  assert.is(await shownEmoji(page), '🐶')
  assert.ok(
    await modal(page)
      .getByRole('button', { name: 'Cambiar emoji' })
      .evaluate((b) => b === document.activeElement),
  )
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => document.activeElement?.shadowRoot?.activeElement?.hasAttribute('aria-posinset'))
  const { name } = await focused()
  await page.keyboard.press('Enter')
  await picker(page).waitFor({ state: 'hidden' })
  assert.is(await shownEmoji(page), name)
  await alias(page).focus()
  await alias(page).fill('A golpe de tecla')
  await page.keyboard.press('Enter')
  await page.locator('.toast b', { hasText: 'Perfil actualizado' }).waitFor()
  assert.equal(errors, [])
})

edit('a skin tone is offered, kept, and saved', async (t) => {
  const page = await visitProfile(t)
  await open(page)
  await modal(page).getByRole('button', { name: 'Cambiar emoji' }).click()
  await picker(page).getByRole('radio', { name: 'Medio', exact: true }).check()
  // Among those used often at first.
  await picker(page).getByRole('option', { name: '👍🏽', exact: true }).first().click()
  await modal(page).getByRole('button', { name: 'Guardar' }).click()
  await page.locator('.toast b', { hasText: 'Perfil actualizado' }).waitFor()
  assert.is(await page.locator('.stub span').innerText(), '👍🏽')
  await page.reload()
  await open(page)
  await modal(page).getByRole('button', { name: 'Cambiar emoji' }).click()
  assert.ok(await picker(page).getByRole('radio', { name: 'Medio', exact: true }).isChecked())
})

edit('the picker is fetched when it is opened, never before; where it cannot be, that is said', async (t) => {
  const page = await visitProfile(t)
  const fetched = () =>
    page.evaluate(() => performance.getEntriesByType('resource').filter(({ name }) => /picker/.test(name)).length)
  const requests = watchRequests(page)
  await open(page)
  await waitUntilQuiet(page, requests)
  assert.is(await fetched(), 0)
  await page.route(/picker[.-][^/]*\.js/, (route) => route.abort())
  await modal(page).getByRole('button', { name: 'Cambiar emoji' }).click()
  await page.locator('.toast b', { hasText: 'No se pudieron cargar los emojis. Inténtalo de nuevo.' }).waitFor()
  assert.is(await picker(page).count(), 0)
})

edit('without script the form stands on the page, is refused with reasons, and saves', async (t) => {
  const page = await visitProfile(t, { ...DESKTOP, javaScriptEnabled: false })
  await page.getByLabel('Opciones').click()
  await page.getByRole('link', { name: 'Editar perfil' }).click()
  await page.getByLabel('Alias').fill('Luis')
  await page.getByLabel('Emoji', { exact: true }).fill('🦊🦊')
  await page.keyboard.press('Enter')
  await page.getByText('Este alias ya está en uso.').waitFor()
  await page.getByText('Tiene que ser un solo emoji.').waitFor()
  assert.is(await page.getByLabel('Alias').inputValue(), 'Luis')
  await page.getByRole('button', { name: 'Aleatorio' }).click()
  await page.waitForURL('**/perfil?editar=aleatorio')
  assert.match(await page.getByLabel('Alias').inputValue(), /^\p{L}+ \p{L}+$/u)
  await page.getByRole('button', { name: 'Cancelar' }).click()
  await page.waitForURL(/\/perfil\??$/)
  await page.goto(`${t.server.url}/perfil?editar`)
  await page.getByLabel('Alias').fill('Sin guion')
  await page.getByLabel('Emoji', { exact: true }).fill('\u2764')
  await page.getByRole('button', { name: 'Guardar' }).click()
  await page.getByText('Perfil actualizado').waitFor()
  assert.is((await page.locator('.carnet h1').innerText()).trim(), 'Sin guion')
  assert.is(await page.locator('.stub span').innerText(), '❤️')
})

edit('an address that asks for the form opens the modal where there is script', async (t) => {
  const page = await visitProfile(t)
  await page.goto(`${t.server.url}/perfil?editar=&alias=Luis&emoji=%F0%9F%90%B1`)
  await waitForMessage(page, 'Este alias ya está en uso.')
  assert.equal([await alias(page).inputValue(), await shownEmoji(page)], ['Luis', '🐱'])
  assert.is(page.url(), `${t.server.url}/perfil`)
  await modal(page).getByRole('button', { name: 'Cancelar' }).click()
  await open(page)
  assert.is(await alias(page).inputValue(), 'Ana')
})

for (const [name, device] of Object.entries({ desktop: DESKTOP, phone: PHONE }))
  edit(`axe finds nothing in the open modal and picker (${name})`, async (t) => {
    const page = await visitProfile(t, { ...device, reducedMotion: 'reduce' })
    const check = async () => {
      assert.equal(await axeFaultsInBothThemes(page), [])
    }
    await open(page)
    await check()
    await alias(page).fill('Luis')
    await waitForMessage(page, 'Este alias ya está en uso.')
    await check()
    await alias(page).fill('Lucía')
    await waitForMessage(page, 'Disponible')
    await check()
    await modal(page).getByRole('button', { name: 'Cambiar emoji' }).click()
    await page.waitForFunction(() => document.activeElement?.shadowRoot?.activeElement?.hasAttribute('aria-posinset'))
    await check()
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
  })

edit.run()
