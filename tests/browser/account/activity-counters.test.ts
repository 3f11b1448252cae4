import type { Page } from 'playwright'
import { axeFaultsInBothThemes } from '#tests/support/browser/axe.ts'
import { call } from '#tests/support/api.ts'
import { DESKTOP, PHONE } from '#tests/support/browser/chromium.ts'
import { type PooledPage, takePage } from '#tests/support/browser/page-pool.ts'
import { watchRequests } from '#tests/support/browser/requests.ts'
import { type TestMember, useSession } from '#tests/support/members.ts'
import { likeToby, type TwoMembers, createTwoMembers } from '#tests/support/notifications/two-members.ts'
import { DAY_MS } from '#lib/time.ts'
import { dog, member, seed } from '#tests/support/seed.ts'
import { assert, browserSuite, type BrowserWorld } from '#tests/support/suites.ts'

interface Shared extends TwoMembers, PooledPage, BrowserWorld {}
const activity = browserSuite<Shared>('activity', { ADMIN_EMAIL: 'admin@ejemplo.es' })
activity.before.each(async (t) => {
  // The counts are everybody's: each test begins without a dog.
  await t.server.db.deleteFrom('dogs_all').execute()
  Object.assign(t, await createTwoMembers(t.server), await takePage(t.browser, CALM))
})

const CALM = { ...DESKTOP, reducedMotion: 'reduce' } as const
/** The page, opened by the member, or by a visitor. */
async function open({ server, context, page }: Shared, member?: TestMember, path = '/comunidad') {
  if (member) await useSession(context, server, member)
  await page.goto(server.url + path)
}
const counter = (page: Page, text: string) => page.getByRole('button', { name: text, exact: true }).waitFor()

activity('GET /api/activity is for members', async ({ server, ana }) => {
  assert.is((await call(server, '/api/activity')).status, 401)
  const { status, body } = await call(server, '/api/activity', { cookie: ana.cookie })
  assert.equal([status, Object.keys(body), body.dogs.length], [200, ['likes', 'dogs'], 1])
})

activity('counts live, lists what it counts, and remembers what was seen; axe finds nothing', async (t) => {
  const { page, errors } = t
  await open(t, t.ana)
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
  assert.equal(await axeFaultsInBothThemes(page), [])
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
  const { page } = t
  await likeToby(t)
  await open(t, t.ana)
  await counter(page, '1 like nuevo')
  await page.locator('[data-bell]').click()
  await page.getByRole('dialog', { name: 'Notificaciones' }).waitFor()
  await counter(page, '0 likes nuevos')
})

activity('opening the bell leaves the counters of what it does not show', async (t) => {
  const { page } = t
  await likeToby(t)
  // The line of the like is gone from the bell: the like itself has not been seen.
  await t.server.db.deleteFrom('notifications_all').execute()
  await seed(t.server.db, member(), dog({ name: 'Luna' }))
  await open(t, t.ana)
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

for (const way of ['signing out', 'deleting the account'] as const)
  activity(`after ${way} nothing stored on the device names the member`, async (t) => {
    const { page } = t
    const stored = () => page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
    await likeToby(t)
    await seed(t.server.db, member(), dog({ name: 'Luna' }))
    await open(t, t.ana)
    for (const [unread, read] of [
      ['1 like nuevo', '0 likes nuevos'],
      ['1 perro nuevo', '0 perros nuevos'],
    ] as const) {
      await page.getByRole('button', { name: unread, exact: true }).click()
      await counter(page, read)
      await page.keyboard.press('Escape')
    }
    await page.waitForFunction(() => 'perrario-read-dogs' in localStorage && 'perrario-activity' in sessionStorage)
    assert.match(await stored(), t.ana.id)
    await page.goto(`${t.server.url}/perfil/cuenta`)
    if (way === 'deleting the account') {
      await page.getByLabel('Se quedan en el álbum sin mí').check()
      await page.locator('[data-delete-account] [name=alias]').fill(t.ana.alias)
    }
    await page.evaluate(
      (selector) => document.querySelector<HTMLFormElement>(selector)!.requestSubmit(),
      way === 'signing out' ? '.side form[data-sign-out]' : 'form[data-delete-account]',
    )
    await page.waitForURL(t.server.url + (way === 'signing out' ? '/' : '/recuperar?hecho=pedido'))
    assert.not.match(await stored(), t.ana.id)
  })

activity('phones have no counters, and ask for nothing', async (t) => {
  const { page } = t
  await page.setViewportSize(PHONE.viewport)
  const { urls } = watchRequests(page)
  for (const member of [undefined, t.ana]) {
    urls.length = 0
    await open(t, member)
    await page.waitForLoadState('load')
    assert.is(await page.locator('.news:visible').count(), 0)
    assert.not(urls.some((one) => /\/api\/(activity|today)/.test(one)))
  }
})

activity('a visitor’s «perros nuevos» is the list’s «nuevos hoy», also after the list was asked again', async (t) => {
  const { page, errors } = t
  // A list that is long enough for its filters.
  const before = { created_at: Date.now() - 2 * DAY_MS, photos: 0 }
  await seed(t.server.db, ...Array.from({ length: 12 }, () => dog(before)))
  await likeToby(t)
  const counters = page.locator('.news:visible > span')
  const strip = page.locator('.stats div', { hasText: /nuevos? hoy/ }).locator('dd')
  await open(t, undefined, '/')
  await page.getByText('1 like nuevo').waitFor()
  assert.equal(await counters.allInnerTexts(), ['1 like nuevo', '1 perro nuevo'])
  assert.is(await strip.innerText(), '1')
  await seed(t.server.db, dog({ name: 'Luna', photos: 0 }))
  await page.getByRole('group', { name: 'Ordenar' }).getByText('Likes').click()
  await page.getByText('2 perros nuevos').waitFor()
  assert.is(await strip.innerText(), '2')
  assert.equal(errors, [])
})

activity('without script the counters say what the server counted, or nothing', async (t) => {
  const { dogs } = (await call(t.server, '/api/today')).body
  const plain = await takePage(t.browser, { ...DESKTOP, javaScriptEnabled: false })
  for (const who of [undefined, t.ana])
    for (const [path, expected] of [
      ['/comunidad', [`${dogs} perro nuevo`]],
      // For visitors a file, the same for everyone.
      ['/terminos', who ? [`${dogs} perro nuevo`] : []],
    ] as const) {
      await open({ ...t, ...plain }, who, path)
      const parts = await plain.page.locator('.news:visible > :is(button, span):visible').allInnerTexts()
      assert.equal(parts.map((text) => text.replace(/\s+/g, ' ').trim()).filter(Boolean), expected, path)
    }
})
