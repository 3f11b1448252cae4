import type { Browser, BrowserContextOptions, Page } from 'playwright'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { axeFaultsInBothThemes } from '#tests/support/browser/axe.ts'
import { call } from '#tests/support/api.ts'
import { DESKTOP, launchBrowser, PHONE, openContext, watchErrors } from '#tests/support/browser/chromium.ts'
import { useSession } from '#tests/support/members.ts'
import { likeToby, type TwoMembers, createTwoMembers } from '#tests/support/notifications/two-members.ts'
import { dog, member, seed, withDatabase } from '#tests/support/seed.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

interface Shared extends TwoMembers {
  server: TestServer
  browser: Browser
}
const activity = suite<Shared>('activity')

activity.before.each(async (t) => {
  t.server = await startServer({ ADMIN_EMAIL: 'admin@ejemplo.es' })
  t.browser ??= await launchBrowser()
  Object.assign(t, await createTwoMembers(t.server))
})
activity.after.each(async ({ server, browser }) => {
  for (const context of browser.contexts()) await context.close()
  await server.dispose()
})
activity.after(({ browser }) => browser.close())

async function open({ server, browser }: Shared, options: BrowserContextOptions = DESKTOP) {
  const context = await openContext(browser, { reducedMotion: 'reduce', ...options })
  return { context, page: await context.newPage(), url: `${server.url}/comunidad` }
}
const counter = (page: Page, text: string) => page.getByRole('button', { name: text, exact: true }).waitFor()

activity('GET /api/activity is for members', async ({ server, ana }) => {
  assert.is((await call(server, '/api/activity')).status, 401)
  const { status, body } = await call(server, '/api/activity', { cookie: ana.cookie })
  assert.equal([status, Object.keys(body), body.dogs.length], [200, ['likes', 'dogs'], 1])
})

activity('counts live, lists what it counts, and remembers what was seen', async (t) => {
  const { context, page, url } = await open(t)
  await useSession(context, t.server, t.ana)
  const errors = watchErrors(page)
  await page.goto(url)
  await counter(page, '0 likes nuevos')
  await counter(page, '0 perros nuevos')
  await likeToby(t)
  await counter(page, '1 like nuevo')
  await likeToby(t, 'DELETE')
  await counter(page, '0 likes nuevos')
  await likeToby(t)
  await counter(page, '1 like nuevo')
  await page.getByRole('button', { name: '1 like nuevo' }).click()
  const likes = page.getByRole('dialog', { name: 'Likes de hoy' })
  await likes.getByText(`A ${t.luis.alias} le gusta Toby`).waitFor()
  assert.is(await likes.getByRole('link').getAttribute('href'), t.toby.path)
  await counter(page, '0 likes nuevos')
  await page.keyboard.press('Escape')
  await likes.waitFor({ state: 'hidden' })

  const form = new FormData()
  const fields = { name: 'Luna', breed: 'Beagle', relationship: 'owner' }
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  const { photo } = await import('#tests/support/photos/sample-photos.ts')
  form.append('images', new Blob([await photo()], { type: 'image/jpeg' }), 'luna.jpg')
  const added = await call(t.server, '/api/dogs', { method: 'POST', cookie: t.luis.cookie, form })
  assert.is(added.status, 201)
  await counter(page, '1 perro nuevo')
  await page.reload()
  await counter(page, '0 likes nuevos')
  await page.getByRole('button', { name: '1 perro nuevo' }).click()
  await page.getByRole('dialog', { name: 'Perros de hoy' }).getByText(`Beagle · Subido por ${t.luis.alias}`).waitFor()
  await counter(page, '0 perros nuevos')
  await page.reload()
  await counter(page, '0 perros nuevos')
  const kept = await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('perrario-read-')))
  assert.equal(kept.sort(), ['perrario-read-dogs', 'perrario-read-likes'])
  assert.equal(errors, [])
})

activity('opening the bell has seen the likes', async (t) => {
  await likeToby(t)
  const { context, page, url } = await open(t)
  await useSession(context, t.server, t.ana)
  await page.goto(url)
  await counter(page, '1 like nuevo')
  await page.locator('[data-bell]').click()
  await page.getByRole('dialog', { name: 'Notificaciones' }).waitFor()
  await counter(page, '0 likes nuevos')
})

activity('opening the bell leaves the counters of what it does not show', async (t) => {
  await likeToby(t)
  // The line of the like is gone from the bell: the like itself has not been seen.
  await withDatabase(t.server, (db) => db.deleteFrom('notifications').execute())
  await withDatabase(t.server, (db) => seed(db, member(), dog({ name: 'Luna' })))
  const { context, page, url } = await open(t)
  await useSession(context, t.server, t.ana)
  await page.goto(url)
  await counter(page, '1 like nuevo')
  await counter(page, '1 perro nuevo')
  await page.locator('[data-bell]').click()
  await page.getByText('No hay notificaciones').waitFor()
  await counter(page, '1 like nuevo')
  await counter(page, '1 perro nuevo')
  // And the counter says why the list may count more.
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: '1 perro nuevo' }).click()
  await page
    .getByRole('dialog', { name: 'Perros de hoy' })
    .getByText('«nuevos hoy», en la lista, los cuenta todos')
    .waitFor()
})

activity('phones have no counters, and ask for nothing', async (t) => {
  for (const member of [t.ana, null]) {
    const { context, page, url } = await open(t, PHONE)
    if (member) await useSession(context, t.server, member)
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.goto(url)
    await page.waitForLoadState('load')
    assert.is(await page.locator('.news:visible').count(), 0)
    assert.not(asked.some((one) => /\/api\/(activity|today)/.test(one)))
    await context.close()
  }
})

activity('a visitor’s «perros nuevos» is the list’s «nuevos hoy», also after the list was asked again', async (t) => {
  await likeToby(t)
  const { page } = await open(t)
  const errors = watchErrors(page)
  const counters = page.locator('.news:visible > span')
  const strip = page.locator('.stats div', { hasText: /nuevos? hoy/ }).locator('dd')
  await page.goto(t.server.url)
  await page.getByText('1 like nuevo').waitFor()
  assert.equal(await counters.allInnerTexts(), ['1 like nuevo', '1 perro nuevo'])
  assert.is(await strip.innerText(), '1')
  await withDatabase(t.server, (db) => seed(db, dog({ name: 'Luna', photos: 0 })))
  await page.getByRole('group', { name: 'Ordenar' }).getByText('Likes').click()
  await page.getByText('2 perros nuevos').waitFor()
  assert.is(await strip.innerText(), '2')
  assert.equal(errors, [])
})

activity('without script the counters say what the server counted, or nothing', async (t) => {
  const { dogs } = (await call(t.server, '/api/today')).body
  for (const who of [null, t.ana])
    for (const [path, expected] of [
      ['/comunidad', [`${dogs} perro nuevo`]],
      // The same file for everyone.
      ['/terminos', []],
    ] as const) {
      const { context, page } = await open(t, { ...DESKTOP, javaScriptEnabled: false })
      if (who) await useSession(context, t.server, who)
      await page.goto(t.server.url + path)
      const parts = await page.locator('.news:visible > :is(button, span):visible').allInnerTexts()
      assert.equal(parts.map((text) => text.replace(/\s+/g, ' ').trim()).filter(Boolean), expected, path)
      await context.close()
    }
})

activity('axe finds nothing in an open list', async (t) => {
  await likeToby(t)
  const { context, page, url } = await open(t, DESKTOP)
  await useSession(context, t.server, t.ana)
  await page.goto(url)
  await page.getByRole('button', { name: '1 like nuevo' }).click()
  await page.getByText(`A ${t.luis.alias} le gusta Toby`).waitFor()
  assert.equal(await axeFaultsInBothThemes(page), [])
})

activity.run()
