import type { Page } from 'playwright'
import { latestYear } from '#features/years/years.ts'
import { axeFaultsInBothThemes } from '#tests/support/browser/axe.ts'
import { DESKTOP, PHONE, openContext } from '#tests/support/browser/chromium.ts'
import { STEP_TIMEOUT_MS, walkDialogs, type DialogWalk } from '#tests/support/browser/dialog-walk.ts'
import { createMatrixWorld, type MatrixWorld } from '#tests/support/matrix/world.ts'
import { assert, browserSuite, type BrowserWorld } from '#tests/support/suites.ts'

// The dialogs, popovers and menus that a member meets besides, by keyboard alone (support/browser/dialog-walk.ts).
type World = BrowserWorld & { world: MatrixWorld; page: Page }
const dialogs = browserSuite<World>('dialogs, a member’s')

dialogs.before(async (t) => {
  t.world = await createMatrixWorld(t.server.db, t.server.dataDir, 'admin@ejemplo.es')
  await t.world.cookieOf('owner')
  t.page = await memberPage(t)
})

async function memberPage(t: World, options: object = DESKTOP): Promise<Page> {
  const context = await openContext(t.browser, { ...options, reducedMotion: 'reduce' })
  context.setDefaultTimeout(STEP_TIMEOUT_MS)
  const [name, value] = (await t.world.cookieOf('owner')).split('=') as [string, string]
  await context.addCookies([{ name, value, url: t.server.url, httpOnly: true, sameSite: 'Lax' }])
  return context.newPage()
}

const walk = async ({ server, page }: World, walks: readonly DialogWalk[]): Promise<void> =>
  assert.equal(await walkDialogs(page, server.url, walks), [])

dialogs('the header’s', async (t) => {
  await walk(t, [
    { path: '/', opener: '[data-bell]', name: 'Notificaciones', popover: true, readySelector: '.np .nt' },
    { path: '/', opener: '[data-news=likes]', name: 'Likes de hoy', popover: true, wide: true },
    { path: '/', opener: '[data-news=dogs]', name: 'Perros de hoy', popover: true, wide: true },
  ])
})

dialogs('a phone’s menu', async (t) => {
  const menu = { opener: '[popovertarget=side]', role: 'complementary', name: 'Menú', popover: true } as const
  await walk({ ...t, page: await memberPage(t, PHONE) }, [{ path: '/', ...menu }])
})

const openEditor = async (page: Page) => {
  await page.locator('[data-menu] summary').press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Editar perfil' }).waitFor()
}

dialogs('one’s own profile’s', async (t) => {
  const editing = { path: '/perfil', opener: '[data-dialog-open=edit-profile]' }
  await walk(t, [
    { ...editing, name: 'Editar perfil', way: ['[data-menu] summary'], back: '[data-menu] summary' },
    { path: '/perfil', way: openEditor, opener: '[data-emoji-pick]', name: 'Elige un emoji' },
  ])
})

dialogs('the profile’s menu', async (t) => {
  const { page } = t
  await page.goto(`${t.server.url}/perfil`)
  const summary = page.locator('[data-menu] summary')
  const items = page.locator('[data-menu] .menu-items')
  await summary.press('Enter')
  await items.waitFor()
  assert.equal(await axeFaultsInBothThemes(page), [])
  const year = `Tu ${latestYear(Date.now())}`
  const own = ['Editar perfil', 'Mensajes', 'Lo que sigues', year, 'Mi zona', 'Cuenta y datos']
  for (const entry of [...own, 'Términos', 'Privacidad', 'Cerrar sesión']) {
    await page.keyboard.press('Tab')
    assert.match(await page.evaluate(() => document.activeElement!.textContent.trim()), entry)
  }
  await page.keyboard.press('Tab')
  await items.waitFor({ state: 'hidden' })
  await summary.press('Space')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Escape')
  await items.waitFor({ state: 'hidden' })
  await summary.and(page.locator(':focus')).waitFor()
})

dialogs('the search’s suggestions', async (t) => {
  const { page } = t
  await page.goto(t.server.url)
  await page.keyboard.press('/')
  const field = page.getByRole('combobox', { name: 'Buscar en Perrario' })
  await field.and(page.locator(':focus')).waitFor()
  await page.keyboard.type('beagle')
  const list = page.getByRole('listbox', { name: 'Sugerencias' })
  await list.waitFor()
  await page.keyboard.press('ArrowDown')
  const marked = page.locator('#search-list [role=option][aria-selected=true]')
  assert.is(await field.getAttribute('aria-activedescendant'), await marked.getAttribute('id'))
  assert.equal(await axeFaultsInBothThemes(page), [])
  await page.setViewportSize({ width: 1320, height: 400 })
  for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowUp')
  await page.waitForFunction(() => {
    const option = document.querySelector('#search-list [aria-selected=true]')
    const box = option?.getBoundingClientRect()
    return box && option!.contains(document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2))
  })
  await page.keyboard.press('Escape')
  await list.waitFor({ state: 'hidden' })
  await field.and(page.locator(':focus')).waitFor()
  await page.setViewportSize(DESKTOP.viewport)
})

dialogs('what there is to do with one’s own', async (t) => {
  await walk(t, [
    { path: t.world.dog.path, opener: '[data-edit-dog]', name: 'Editar perro', readySelector: 'dialog.df form' },
    { path: t.world.loved.path, opener: '.report-link', name: `Denunciar ${t.world.loved.name}` },
    {
      path: t.world.loved.path,
      opener: '.talk button[aria-label^="Eliminar"]',
      role: 'alertdialog',
      name: '¿Estás seguro de que quieres eliminar este comentario?',
    },
  ])
})
