import type { BrowserContext, Page } from 'playwright'
import type { Dog } from '#features/dogs/dogs.ts'
import { like } from '#features/likes/likes.server.ts'
import { openContext } from '#tests/support/browser/chromium.ts'
import { signInMember, type TestMember, useSession } from '#tests/support/members.ts'
import { dog, member, seed } from '#tests/support/seed.ts'
import { assert, browserSuite } from '#tests/support/suites.ts'

// What changes without a new page is told to who does not see it, in a live region that was there before, and the focus
// goes on where the change is.
const announced = browserSuite<{ ana: TestMember; toby: Dog; context: BrowserContext; page: Page }>('said aloud')

announced.before(async (t) => {
  t.ana = await signInMember(t.server)
  const { db } = t.server

  const [, toby] = await seed(db, member({ alias: 'Luis' }), dog({ name: 'Toby', created_at: Date.now() + 1000 }))
  t.toby = toby
  for (let i = 1; i <= 29; i++) await seed(db, dog({ name: `Perro ${i}`, owner_id: null, created_at: i }))
  for (let i = 1; i <= 60; i++) {
    const [socio] = await seed(db, member({ alias: `Socio ${i}` }))
    await like(db, socio, toby.id)
    if (i > 25) continue
    await db
      .insertInto('comments_all')
      .values({ id: crypto.randomUUID(), content: `n.º ${i}`, dog_id: toby.id, user_id: socio.id, created_at: i })
      .execute()
  }
  for (let i = 1; i <= 12; i++)
    await seed(db, member({ alias: `Gente ${i}` }), dog({ breed: 'Dálmata', created_at: i }))
})
announced.before.each(async (t) => {
  t.context = await openContext(t.browser)
  t.context.setDefaultTimeout(5000)
  await useSession(t.context, t.server, t.ana)
  t.page = await t.context.newPage()
})
announced.after.each((t) => t.context.close())

/** Does `act`, and waits until a region that was there before says `words`. */
async function assertAnnounced(page: Page, words: string, act: () => Promise<unknown>): Promise<void> {
  await page.evaluate(() => {
    const live = [...document.querySelectorAll('[role=status], [role=alert], [aria-live]')]
    Object.assign(window, { live: live.filter((one) => one.checkVisibility()) })
  })
  await act()
  await page.waitForFunction(
    (words) =>
      (window as unknown as { live: Element[] }).live.some(
        (one) => one.isConnected && one.checkVisibility() && one.textContent!.trim() === words,
      ),
    words,
  )
}

/** Waits until the focus is on a link of these words. */
const focused = (page: Page, words: string) =>
  page.waitForFunction((words) => document.activeElement?.textContent?.trim() === words, words)

announced('more dogs of the list', async ({ server, page }) => {
  await page.goto(server.url)
  const more = page.getByRole('link', { name: 'Ver más' })
  const shown = await page.locator('.dogs > li').count()
  assert.is(shown, 24)
  await page.waitForFunction(
    () => !document.querySelector('astro-island[client=load][ssr],astro-island[client=settled][ssr]'),
  )
  const next = await page.evaluate(async () => {
    const link = document.querySelector<HTMLAnchorElement>('.btn.more')!
    const text = await (await fetch(link.href)).text()
    return new DOMParser().parseFromString(text, 'text/html').querySelector('.dogs h3 a')!.textContent
  })
  await assertAnnounced(page, '18 perros más: 42 en la lista', () => more.press('Enter'))
  await focused(page, next)
})

announced('more dogs of a breed', async ({ server, page }) => {
  await page.goto(`${server.url}/razas/dalmata`)
  await page.getByRole('link', { name: 'Ver más' }).focus()
  await assertAnnounced(page, '8 perros más', () => page.keyboard.press('Enter'))
  await page.waitForFunction(() =>
    document.activeElement?.matches('#perros li:nth-child(5) h3 a, #perros .dogs > :nth-child(5) h3 a'),
  )
})

announced('more members of the ranking', async ({ server, page }) => {
  await page.goto(`${server.url}/comunidad`)
  const before = await page.locator('#ranking > li').count()
  await page.getByRole('link', { name: 'Ver más' }).focus()
  await assertAnnounced(page, '24 más en la lista', () => page.keyboard.press('Enter'))
  await page.waitForFunction((at) => document.activeElement?.matches(`#ranking > li:nth-child(${at}) a`), before)
})

announced('breeds that were found', async ({ server, page }) => {
  await page.goto(`${server.url}/razas`)
  await page.locator('#album-q').focus()
  await assertAnnounced(page, '1 raza encontrada', () => page.keyboard.type('affenp'))
  await assertAnnounced(page, '441 razas encontradas', () => page.locator('#album-q').fill(''))
})

announced('comments: older ones, one’s own, and one taken back', async ({ server, page, toby }) => {
  await page.goto(server.url + toby.path)
  await page.locator('.talk .older').focus()
  await assertAnnounced(page, '5 comentarios más', () => page.keyboard.press('Enter'))
  await focused(page, 'Socio 5')
  await page.locator('#comentario-texto').focus()
  await page.keyboard.type('Qué guapo')
  await page.keyboard.press('Tab')
  await assertAnnounced(page, 'Comentario publicado', () => page.keyboard.press('Enter'))
  await page.waitForFunction(() => document.activeElement?.id === 'comentario-texto')
  await page.getByRole('button', { name: 'Eliminar comentario' }).press('Enter')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Eliminar' }).focus()
  await assertAnnounced(page, 'Comentario eliminado', () => page.keyboard.press('Enter'))
  await focused(page, 'Comentarios 25')
})

announced('who likes a dog: more of them', async ({ server, page, toby }) => {
  await page.goto(server.url + toby.path)
  await page.locator('[data-dialog-open=likers]').press('Enter')
  const more = page.getByRole('dialog').getByRole('button', { name: 'Ver más' })
  await more.press('Enter')
  await page.waitForFunction(() => document.activeElement?.matches('[data-liker]:nth-child(51) a'))
})

announced('a heart says whose it is, how many like the dog, and whether one does', async ({ server, page, toby }) => {
  await page.goto(server.url + toby.path)
  const heart = page.getByRole('main').getByRole('button', { name: 'Me gusta Toby: 60 likes', pressed: false })
  await heart.first().press('Enter')
  await page.getByRole('main').getByRole('button', { name: 'Me gusta Toby: 61 likes', pressed: true }).first().waitFor()
})

announced('a toast, in a region that stood before it', async ({ server, page, toby }) => {
  await page.goto(server.url + toby.path)
  await page.keyboard.press('Tab')
  await page.locator('.toasts-stack').waitFor({ state: 'attached' })
  await page.waitForFunction(() => !document.querySelector('.toasts[hidden]'))
  await assertAnnounced(page, '¡Enlace copiado!Puedes compartirlo donde quieras.', () =>
    page.getByRole('button', { name: 'Compartir' }).press('Enter'),
  )
})

announced('a report without its words: the field has the focus and says why', async ({ server, page, toby }) => {
  await page.goto(server.url + toby.path)
  await page.locator('.report-link').press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Denunciar Toby' })
  await dialog.getByLabel('Otra cosa').check()
  await dialog.getByRole('button', { name: 'Denunciar' }).press('Enter')
  const words = dialog.getByRole('textbox', { name: 'Explícalo', exact: true })
  await words.and(page.locator(':focus')).waitFor()
  assert.is(await words.getAttribute('aria-invalid'), 'true')
  await dialog.locator('#report-error').waitFor()
  assert.match((await words.getAttribute('aria-describedby'))!, 'report-error')
})
