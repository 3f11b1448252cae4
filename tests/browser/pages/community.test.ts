import type { Browser, BrowserContextOptions, Page } from 'playwright'
import { axeFaultsInBothThemes } from '#tests/support/browser/axe.ts'
import { call } from '#tests/support/api.ts'
import { DESKTOP, PHONE } from '#tests/support/browser/chromium.ts'
import { dogForm } from '#tests/support/dogs/dog-form.ts'
import { takePage } from '#tests/support/browser/page-pool.ts'
import { signInMember, type TestMember, useSession } from '#tests/support/members.ts'
import { dog, member, seed } from '#tests/support/seed.ts'
import type { TestServer } from '#tests/support/server.ts'
import { assert, browserSuite } from '#tests/support/suites.ts'

// 58 members with a dog each, Ana with two (the first) and Luis with none (the last, on the second page).
const community = browserSuite<{ ana: TestMember; luis: TestMember }>('community')

community.before(async (t) => {
  t.ana = await signInMember(t.server, 'ana@ejemplo.es')
  t.luis = await signInMember(t.server, 'luis@ejemplo.es')
  await seed(
    t.server.db,
    dog({ owner_id: t.ana.id, user_id: t.ana.id }),
    dog({ owner_id: t.ana.id, user_id: t.ana.id }),
  )
  for (let i = 0; i < 58; i++) await seed(t.server.db, member({ alias: `Socio ${i}` }), dog())
})

async function openAs(t: { server: TestServer; browser: Browser }, who: TestMember | null, options = {}) {
  const { context, page, errors } = await takePage(t.browser, { ...DESKTOP, ...(options as BrowserContextOptions) })
  if (who) await useSession(context, t.server, who)
  // Seeded dogs are rows without photo files.
  await page.route('**/_ipx/**', (route) => route.fulfill({ contentType: 'image/svg+xml', body: '<svg/>' }))
  await page.goto(`${t.server.url}/comunidad`)
  return { page, errors }
}
const rows = (page: Page) => page.locator('#ranking > li:not(.more)')
const inSight = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect()
    return top >= 0 && bottom <= innerHeight
  })

community('the figures of all rows stand in columns', async (t) => {
  const { page } = await openAs(t, t.ana)
  const edges = await page
    .locator('.ranking .counts')
    .evaluateAll((rows) =>
      rows.map((row) => [...row.children].map((figure) => Math.round(figure.getBoundingClientRect().right)).join(' ')),
    )
  assert.is(new Set(edges).size, 1, [...new Set(edges)].join(', '))
})

community('«Ver más» appends the next page and hands the focus on', async (t) => {
  const { page, errors } = await openAs(t, null)
  assert.is(await rows(page).count(), 50)
  await page.getByRole('link', { name: 'Ver más' }).click()
  await rows(page).nth(59).waitFor()
  assert.is(await rows(page).count(), 60)
  assert.is(await page.getByRole('link', { name: 'Ver más' }).count(), 0)
  assert.is(new URL(page.url()).search, '')
  assert.ok(
    await rows(page)
      .nth(50)
      .locator('a')
      .evaluate((link) => link === document.activeElement),
  )
  assert.is(await page.getByText('Tú', { exact: true }).count(), 0)
  assert.equal(errors, [])
})

community('«Ver más» is a link without script', async (t) => {
  const { page } = await openAs(t, t.luis, { javaScriptEnabled: false })
  await page.getByRole('link', { name: 'Ver más' }).click()
  await page.waitForURL(/\/comunidad\?cursor=/)
  assert.is(await rows(page).count(), 10)
  assert.match(await page.locator('li.own').innerText(), /^60\s/)
  assert.is(await page.locator('section.own').count(), 0)
})

community('a page that does not come is asked for as a page', async (t) => {
  const { page } = await openAs(t, null)
  let refused = 0
  await page.route('**/comunidad?cursor=*', (route) =>
    refused++ === 0 ? route.fulfill({ status: 500, body: '<p>No</p>' }) : route.continue(),
  )
  await page.getByRole('link', { name: 'Ver más' }).click()
  await page.waitForURL(/cursor=/)
  assert.is(await rows(page).count(), 10)
})

for (const [name, device] of Object.entries({ phone: PHONE, desktop: DESKTOP }))
  community(`the last one always sees the own place: ${name}`, async (t) => {
    const { page, errors } = await openAs(t, t.luis, device)
    const own = page.getByRole('region', { name: 'Tu puesto' })
    assert.equal(
      (await own.innerText()).split(/\s*\n\s*/).filter((s) => !/^\p{RGI_Emoji}$/v.test(s)),
      ['60', t.luis.alias, 'Tú', '0 perros', '0 likes', '0 razas'],
    )
    assert.ok(await inSight(page, 'section.own'))
    await page.getByRole('link', { name: 'Ver más' }).scrollIntoViewIfNeeded()
    assert.ok(await inSight(page, 'section.own'))
    await page.getByRole('link', { name: 'Ver más' }).click()
    await page.locator('li.own').waitFor()
    assert.not.ok(await own.isVisible())
    await page.evaluate(() => scrollTo(0, 0))
    await page.waitForFunction(() => scrollY === 0)
    assert.ok(await inSight(page, 'li.own'))
    assert.equal(errors, [])
  })

community('the first one’s row is marked and stays in sight', async (t) => {
  const { page } = await openAs(t, t.ana)
  assert.is(await page.locator('section.own').count(), 0)
  assert.match(await page.locator('li.own').innerText(), /^1\s[\s\S]*Tú[\s\S]*2 perros/)
  await page.evaluate(() => scrollTo(0, 3000))
  await page.waitForFunction(() => scrollY > 1000)
  assert.ok(await inSight(page, 'li.own'))
})

community('a second place wears another medal than the first', async (t) => {
  const { page } = await openAs(t, null, PHONE)
  const colours = await page
    .locator('.ranking .medal')
    .evaluateAll((medals) => medals.map((medal) => getComputedStyle(medal).backgroundColor))
  assert.is(new Set(colours).size, 2, 'nobody here is third')
})

community('the album says the real percentile from ten members on', async (t) => {
  for (const [who, text] of [
    [t.ana, 'Top 2%'],
    // Without a dog there is no rank to tell.
    [t.luis, '—'],
    [null, '—'],
  ] as const) {
    const { body } = await call(t.server, '/?tab=mine', { cookie: who?.cookie })
    const facts = /<dl class="mine".*?<\/dl>/s.exec(body as string)![0].matchAll(/<dd[^>]*>([^<]*)<\/dd>/g)
    assert.is([...facts][2]![1]!.trim(), text)
  }
})

community('«Añadir perro» goes to the list and opens the dialog there', async (t) => {
  const { page, errors } = await openAs(t, t.ana, PHONE)
  const main = page.getByRole('main')
  assert.is(await main.getByRole('link', { name: 'Añadir perro' }).getAttribute('href'), '/#anadir-perro')
  await main.getByRole('link', { name: 'Añadir perro' }).click()
  // The form, not the frame that stands until its code has come.
  await dogForm(page).getByRole('heading', { name: 'Añadir perro' }).waitFor()
  assert.is(new URL(page.url()).pathname + new URL(page.url()).hash, '/')
  await dogForm(page).getByRole('button', { name: 'Cerrar' }).click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  assert.equal(errors, [])
})

community('axe finds nothing for a member', async (t) => {
  const { page } = await openAs(t, t.luis, { reducedMotion: 'reduce' })
  // At the page's end the viewer's row covers no other: anywhere else one of them is half under it.
  await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }))
  assert.equal(await axeFaultsInBothThemes(page), [])
})
