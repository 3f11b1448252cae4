import type { BrowserContextOptions, Page } from 'playwright'
import { markAllRead, storeNotification } from '#features/notifications/notifications.server.ts'
import { axeFaultsInBothThemes } from '#tests/support/browser/axe.ts'
import { DESKTOP, PHONE, watchErrors } from '#tests/support/browser/chromium.ts'
import { visit } from '#tests/support/browser/page-pool.ts'
import { fitsWidth } from '#tests/support/browser/reflow.ts'
import type { TestMember } from '#tests/support/members.ts'
import { commentOnToby, likeToby, type TwoMembers, createTwoMembers } from '#tests/support/notifications/two-members.ts'
import { assert, browserSuite, type BrowserWorld } from '#tests/support/suites.ts'

interface Shared extends TwoMembers, BrowserWorld {}
const bells = browserSuite<Shared>('bell')
bells.before.each(async (t) => void Object.assign(t, await createTwoMembers(t.server)))

const CALM = { ...DESKTOP, reducedMotion: 'reduce' } as const

/** A page of the member's own browser, or a visitor's. */
const open = async (t: Shared, who?: TestMember, path = '/comunidad', options: BrowserContextOptions = CALM) =>
  (await visit(t, path, options, who)).page
const bell = (page: Page) => page.locator('[data-bell]')
const badge = (page: Page) => page.locator('[data-bell-count]')
const panel = (page: Page) => page.getByRole('dialog', { name: 'Notificaciones' })
const titles = (page: Page) => page.locator('.np .nt b').allTextContents()
const counted = (page: Page, text: string) =>
  page
    .locator('[data-bell-count]', { hasText: new RegExp(`^${text.replace('+', '\\+')}$`) })
    .waitFor({ state: text ? 'visible' : 'attached' })
/** Lines of no dog, oldest first. */
const notifyAna = async ({ server, ana }: Shared, count: number) => {
  for (let i = 1; i <= count; i++)
    await storeNotification(
      server.db,
      { userId: ana.id, title: `Aviso ${i}`, content: 'Hola' },
      Date.now() - 10_000 + i,
    )
}
const countReactScripts = (page: Page) =>
  page.evaluate(
    () => performance.getEntriesByType('resource').filter(({ name }) => /NotificationBell[.-]/.test(name)).length,
  )

bells('is empty at first, says so, and loads no React before it is wanted', async (t) => {
  const page = await open(t, t.ana)
  const errors = watchErrors(page)
  assert.is(await badge(page).textContent(), '')
  assert.is(await bell(page).getAttribute('aria-label'), 'Notificaciones')
  assert.is(await countReactScripts(page), 0)
  await bell(page).click()
  await panel(page).getByRole('heading', { name: 'No hay notificaciones' }).waitFor()
  assert.ok(await panel(page).getByText('¡Mantente activo para recibir notificaciones!').isVisible())
  assert.is(await panel(page).getByRole('button', { name: 'Marcar todas como leídas' }).count(), 0)
  assert.is(await page.locator('.np-area').evaluate((area) => area.getBoundingClientRect().height), 256)
  assert.ok((await countReactScripts(page)) > 0)
  assert.equal(errors, [])
})

bells('visitors have none', async (t) => {
  const page = await open(t, undefined)
  assert.is(await bell(page).count(), 0)
})

bells('news arrive live, closed and open; each is read by itself, then all', async (t) => {
  const page = await open(t, t.ana)
  const errors = watchErrors(page)
  const title = await page.title()
  await likeToby(t)
  await counted(page, '1')
  assert.is(await bell(page).getAttribute('aria-label'), 'Notificaciones, 1 sin leer')
  await page.locator('[data-bell-status]', { hasText: '1 notificación nueva' }).waitFor({ state: 'attached' })
  await bell(page).click()
  await panel(page).getByText(`A ${t.luis.alias} le gusta Toby`).waitFor()
  assert.equal(await titles(page), ['Like, sin leer: Nuevo like'])
  await commentOnToby(t, 'Qué guapo')
  await panel(page).getByText(`${t.luis.alias} ha comentado en Toby: «Qué guapo»`).waitFor()
  assert.equal(await titles(page), ['Comentario, sin leer: Nuevo comentario', 'Like, sin leer: Nuevo like'])
  await counted(page, '2')
  assert.equal(
    await page.locator('.np .nt').evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset.type)),
    ['comment', 'like'],
  )
  assert.is(await page.locator('.np .nt time').first().innerText(), 'ahora mismo')

  await panel(page).getByRole('button', { name: 'Marcar como leída: Nuevo like' }).click()
  await counted(page, '1')
  assert.equal(await titles(page), ['Comentario, sin leer: Nuevo comentario', 'Like: Nuevo like'])
  await page.reload()
  await counted(page, '1')
  await notifyAna(t, 2)
  await counted(page, '3')
  await bell(page).click()
  await panel(page).getByRole('button', { name: 'Marcar todas como leídas' }).click()
  await counted(page, '')
  await panel(page).locator('.nt.un').first().waitFor({ state: 'detached' })
  await page.reload()
  assert.is(await badge(page).textContent(), '')
  assert.is(await page.title(), title)
  assert.equal(errors, [])
})

bells('following a line reads it and leads to the dog', async (t) => {
  await likeToby(t)
  await commentOnToby(t, 'Hola')
  const page = await open(t, t.ana)
  await bell(page).click()
  await panel(page)
    .getByRole('link', { name: /Nuevo comentario/ })
    .click()
  await page.waitForURL(`${t.server.url}${t.toby.path}#comentarios`)
  await counted(page, '1')
  await bell(page).click()
  await panel(page)
    .getByRole('link', { name: /Nuevo like/ })
    .waitFor()
  assert.equal(await titles(page), ['Comentario: Nuevo comentario', 'Like, sin leer: Nuevo like'])
})

bells('counts to 99, then 99+', async (t) => {
  await notifyAna(t, 99)
  const page = await open(t, t.ana)
  await counted(page, '99')
  await notifyAna(t, 1)
  await counted(page, '99+')
  await page.reload()
  await counted(page, '99+')
  assert.is(await bell(page).getAttribute('aria-label'), 'Notificaciones, más de 99 sin leer')
  await bell(page).click()
  await panel(page).locator('.nt').first().waitFor()
  assert.is(await panel(page).locator('.nt').count(), 50)
})

bells('what one device reads, the other shows as read', async (t) => {
  await notifyAna(t, 2)
  const phone = await open(t, t.ana, '/comunidad', { ...PHONE, reducedMotion: 'reduce' })
  const desk = await open(t, t.ana)
  await bell(desk).click()
  await panel(desk).getByText('Aviso 2').waitFor()
  await bell(phone).click()
  await panel(phone).getByRole('button', { name: 'Marcar como leída: Aviso 2' }).click()
  await counted(desk, '1')
  await desk.locator('.np .nt:not(.un)', { hasText: 'Aviso 2' }).waitFor()
  await markAllRead(t.server.db, t.ana)
  await counted(desk, '')
  await counted(phone, '')
})

bells('failures are told, logged and taken back', async (t) => {
  await notifyAna(t, 2)
  const page = await open(t, t.ana)
  const logged: string[] = []
  page.on('console', (message) => message.type() === 'error' && logged.push(message.text()))
  await page.route('**/api/notifications', (route) => route.abort())
  await bell(page).click()
  await panel(page)
    .getByText('No se pudieron cargar las notificaciones. No se pudo conectar con el servidor.')
    .waitFor()
  await page.unroute('**/api/notifications')
  await page.keyboard.press('Escape')
  await bell(page).click()
  await panel(page).getByText('Aviso 1').waitFor()
  // The lines come a moment before the words of the last try go.
  await panel(page).getByRole('alert').waitFor({ state: 'detached' })
  await page.route('**/api/notifications/**', (route) => route.abort())
  await panel(page).getByRole('button', { name: 'Marcar como leída: Aviso 1' }).click()
  await panel(page).getByText('No se pudo marcar como leída. No se pudo conectar con el servidor.').waitFor()
  await counted(page, '2')
  await panel(page).getByRole('button', { name: 'Marcar todas como leídas' }).click()
  await panel(page).getByText('No se pudieron marcar como leídas. No se pudo conectar con el servidor.').waitFor()
  await counted(page, '2')
  assert.is(await panel(page).locator('.nt.un').count(), 2)
  for (const words of [
    'Error fetching notifications:',
    'Error marking notification as read:',
    'Error marking all notifications as read:',
  ])
    assert.ok(
      logged.some((text) => text.startsWith(words)),
      words,
    )
})

bells('works by keyboard alone, and gives the focus back', async (t) => {
  await notifyAna(t, 1)
  const page = await open(t, t.ana)
  await bell(page).focus()
  await page.keyboard.press('Space')
  await panel(page).getByText('Aviso 1').waitFor()
  await page.locator('[data-bell][aria-expanded="true"]').waitFor()
  const focused = () =>
    page.evaluate(() => document.activeElement!.getAttribute('aria-label') ?? document.activeElement!.className)
  assert.is(await focused(), 'np')
  await page.keyboard.press('Tab')
  // Chromium lets the keyboard into a scroll area only when it scrolls.
  assert.is(await focused(), 'Marcar como leída: Aviso 1')
  await page.keyboard.press('Enter')
  await counted(page, '')
  assert.is(await focused(), 'nt-words')
  await page.keyboard.press('Escape')
  await panel(page).waitFor({ state: 'hidden' })
  assert.is(await focused(), 'Notificaciones')
  // Told by the popover's toggle event, which comes a moment after.
  await page.locator('[data-bell][aria-expanded="false"]').waitFor()
  await page.keyboard.press('Enter')
  await panel(page).waitFor()
  await bell(page).click()
  await panel(page).waitFor({ state: 'hidden' })
  await bell(page).click()
  await panel(page).waitFor()
  await page.mouse.click(5, 500)
  await panel(page).waitFor({ state: 'hidden' })
})

bells('a click before its code is there is not lost; code that does not come leaves a link', async (t) => {
  const slow = await open(t, t.ana)
  const { promise: allowed, resolve: allow } = Promise.withResolvers<void>()
  await slow.route(/NotificationBell[^/]*\.js/, (route) => allowed.then(() => route.continue()))
  await bell(slow).click()
  assert.is(await bell(slow).getAttribute('aria-busy'), 'true')
  allow()
  await panel(slow).getByText('No hay notificaciones').waitFor()
  assert.is(await bell(slow).getAttribute('aria-busy'), null)
})

bells('without script it leads to a list that plain forms work', async (t) => {
  await likeToby(t)
  await notifyAna(t, 1)
  const page = await open(t, t.ana, '/comunidad', { ...CALM, javaScriptEnabled: false })
  assert.is(await badge(page).textContent(), '2')
  await bell(page).click()
  await page.waitForURL(`${t.server.url}/notificaciones`)
  assert.is(await page.locator('.nl .nt a').getAttribute('href'), t.toby.path)
  await page.getByRole('button', { name: 'Marcar como leída: Nuevo like' }).click()
  await page.waitForURL(`${t.server.url}/notificaciones`)
  assert.is(await badge(page).textContent(), '1')
  await page.getByRole('button', { name: 'Marcar todas como leídas' }).click()
  await page.waitForURL(`${t.server.url}/notificaciones`)
  assert.is(await badge(page).textContent(), '')
  assert.is(await page.locator('.nl form').count(), 0)
  assert.is(await page.locator('.nl .nt').count(), 2)
})

bells('pages that are the same for everyone get it by script', async (t) => {
  await notifyAna(t, 1)
  const page = await open(t, t.ana, '/terminos')
  await counted(page, '1')
  await bell(page).click()
  await panel(page).getByText('Aviso 1').waitFor()
  await notifyAna(t, 1)
  await counted(page, '2')
})

for (const [name, options] of [
  ['desktop', CALM],
  ['phone', { ...PHONE, reducedMotion: 'reduce' }],
] as const)
  bells(`axe finds nothing in the open panel, nor in the list: ${name}`, async (t) => {
    await likeToby(t)
    await commentOnToby(t, 'a'.repeat(200))
    await notifyAna(t, 3)
    // axe knows nothing of the top layer: on /comunidad it takes the member's sticky row for something over the panel.
    const page = await open(t, t.ana, '/terminos', options)
    await bell(page).click()
    await panel(page).getByText('Aviso 3').waitFor()
    // The last row comes after the others, and grows once it knows that this browser shows no notices.
    await panel(page).locator('#np-push-hint').filter({ hasText: /./ }).waitFor()
    const box = (await panel(page).boundingBox())!
    assert.ok(box.x >= 8 && box.x + box.width <= options.viewport.width - 8, JSON.stringify(box))
    const check = async () => {
      assert.equal(await axeFaultsInBothThemes(page), [])
      assert.ok(await fitsWidth(page))
    }
    await check()
    if (name === 'desktop') return
    await page.goto(`${t.server.url}/notificaciones`)
    await check()
  })
