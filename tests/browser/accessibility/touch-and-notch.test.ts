import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Dog } from '#features/dogs/dogs.ts'
import { launchBrowser, PHONE, openContext, watchErrors } from '#tests/support/browser/chromium.ts'
import { dogForm, openAddForm, smallPhotos } from '#tests/support/dogs/dog-form.ts'
import { signInMember, type TestMember, useSession } from '#tests/support/members.ts'
import { dog, member, seed, withDatabase } from '#tests/support/seed.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { setSafeAreas, findSmallTargets, findUnsafeTargets } from '#tests/support/browser/touch-targets.ts'

// What a thumb, a notch and an on-screen keyboard ask of every screen.
interface World {
  server: TestServer
  browser: Browser
  ana: TestMember
  toby: Dog
  context: BrowserContext
  errors: string[]
}
const phone = suite<World>('phone')

phone.before(async (t) => {
  t.server = await startServer()
  t.browser = await launchBrowser()
  t.ana = await signInMember(t.server)
  const of = { zone: 'Madrid', age: 3, age_unit: 'años', weight: 8, size: 'mediano' } as const
  const [, , toby] = await withDatabase(t.server, (db) =>
    seed(
      db,
      member({ alias: 'Luis' }),
      dog({ ...of, name: 'Viento', breed: 'Galgo español' }),
      dog({ ...of, name: 'Toby', owner_id: null, discoverer_id: t.ana.id, photos: 3, description: 'Muy bueno.' }),
      ...Array.from({ length: 8 }, () => dog({ ...of })),
    ),
  )
  t.toby = toby
  const luis = await signInMember(t.server, 'luis@ejemplo.es')
  const headers = { Cookie: luis.cookie, Origin: t.server.url }
  await fetch(`${t.server.url}/api/dogs/${toby.id}/like`, { method: 'PUT', headers })
})
phone.after(async (t) => {
  await t.browser.close()
  await t.server.dispose()
})

async function open(t: World, who: 'visitor' | 'member', options: BrowserContextOptions = {}): Promise<Page> {
  t.context = await openContext(t.browser, { ...PHONE, reducedMotion: 'reduce', ...options })
  if (who === 'member') await useSession(t.context, t.server, t.ana)
  const page = await t.context.newPage()
  t.errors = watchErrors(page)
  return page
}
phone.after.each(async (t) => {
  await t.context.close()
  // Seeded dogs have no files, so their photos are 404.
  const errors = t.errors.filter((error) => !error.includes('404'))
  t.errors = []
  assert.equal(errors, [])
})

const MAP = '/?view=map&lat=40.4168&lon=-3.7038&zoom=12'
const PATHS = [
  '/',
  '/razas',
  '/razas/beagle',
  '/comunidad',
  '/perfil',
  '/login',
  '/notificaciones',
  '/perfil/cuenta',
  MAP,
]

/** Smaller on purpose: the dots under a dog's photos repeat what a swipe and the 44 px arrows do, ten of them in a row. */
const SMALLER_BY_DESIGN = '.gallery .dots a'

/** Fields whose letters are under 16 px: iOS would zoom into them. */
const findZoomingFields = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('input:not([type=radio], [type=checkbox], [type=file]), textarea, select')]
      .filter((field) => field.checkVisibility() && parseFloat(getComputedStyle(field).fontSize) < 16)
      .map((field) => `${field.id || field.getAttribute('name')}: ${getComputedStyle(field).fontSize}`),
  )

for (const who of ['visitor', 'member'] as const)
  phone(`a thumb hits everything, and no field zooms: pages, ${who}`, async (t) => {
    const page = await open(t, who)
    const found: string[] = []
    for (const path of [...PATHS, t.toby.path, `/usuario/${t.ana.id}`]) {
      await page.goto(t.server.url + path)
      if (path === MAP) await page.locator('.strip .swiper-initialized .strip-card').first().waitFor()
      else await page.locator('main').waitFor()
      const { small, probed } = await findSmallTargets(page, SMALLER_BY_DESIGN)
      assert.ok(probed >= 8, `${path}: ${probed} probed`)
      for (const fault of [...small, ...(await findZoomingFields(page))]) found.push(`${path}: ${fault}`)
    }
    assert.equal(found, [])
  })

phone('a thumb hits everything: menu, bell, form, lightbox, profile editor', async (t) => {
  const page = await open(t, 'member')
  const found: string[] = []
  const look = async (name: string) => {
    const { small, probed } = await findSmallTargets(page, SMALLER_BY_DESIGN)
    assert.ok(probed >= 2, `${name}: ${probed} probed`)
    for (const fault of [...small, ...(await findZoomingFields(page))]) found.push(`${name}: ${fault}`)
  }
  await page.goto(t.server.url)
  await page.getByRole('button', { name: 'Abrir el menú' }).click()
  await page.waitForFunction(() => document.querySelector('#side')!.getBoundingClientRect().right <= innerWidth)
  await look('menu')
  await page.keyboard.press('Escape')
  await page.locator('.btn.bell').click()
  await page.locator('.np:popover-open .nt').waitFor()
  await look('bell')
  await page.keyboard.press('Escape')
  await openAddForm(page)
  await dogForm(page)
    .locator('input[type=file]')
    .setInputFiles(await smallPhotos(3))
  await dogForm(page).getByRole('button', { name: 'Quitar foto 3' }).waitFor()
  await look('form')
  await dogForm(page).locator('#df-breed').click()
  await look('breeds')
  await page.goto(t.server.url + t.toby.path)
  await page.locator('[data-zoom]').click()
  await page.locator('.yarl__portal_open').waitFor()
  await look('lightbox')
  await page.goto(`${t.server.url}/perfil?editar`)
  await page.locator('dialog:modal').waitFor()
  await look('profile editor')
  assert.equal(found, [])
})

const PORTRAIT_INSETS = { top: 47, right: 0, bottom: 34, left: 0 }
const LANDSCAPE_INSETS = { top: 0, right: 47, bottom: 21, left: 47 }
const SCREENS = {
  upright: { viewport: { width: 390, height: 844 }, insets: PORTRAIT_INSETS },
  'on its side': { viewport: { width: 844, height: 390 }, insets: LANDSCAPE_INSETS },
  'small, on its side': { viewport: { width: 667, height: 375 }, insets: { ...LANDSCAPE_INSETS, left: 0 } },
} as const

phone('nothing that can be pressed lies under a notch: upright and on its side', async (t) => {
  const page = await open(t, 'member')
  const found: string[] = []
  const look = async (what: string, screens: (keyof typeof SCREENS)[]) => {
    for (const name of screens) {
      const { viewport, insets } = SCREENS[name]
      await page.setViewportSize(viewport)
      await setSafeAreas(page, insets)
      for (const fault of await findUnsafeTargets(page, insets)) found.push(`${what}, ${name}: ${fault}`)
    }
  }
  const all = Object.keys(SCREENS) as (keyof typeof SCREENS)[]
  for (const path of ['/', t.toby.path, '/comunidad']) {
    await page.goto(t.server.url + path)
    await look(path, all)
  }
  for (const name of all) {
    await page.setViewportSize(SCREENS[name].viewport)
    await page.goto(t.server.url + MAP)
    // On its side the strip is folded, and its cards are not seen.
    await page.locator('.strip .swiper-initialized .strip-card').first().waitFor({ state: 'attached' })
    await look(MAP, [name])
  }
  await page.setViewportSize(SCREENS.upright.viewport)
  await page.goto(t.server.url)
  await openAddForm(page)
  await look('form', all)
  await page.setViewportSize(SCREENS.upright.viewport)
  await page.goto(t.server.url + t.toby.path)
  await page.locator('[data-zoom]').click()
  await page.locator('.yarl__portal_open').waitFor()
  await look('lightbox', all)
  assert.equal(found, [])
})

/** A keyboard that shrinks the window, as `interactive-widget` has Android do it. */
const fakeOuter = (page: Page) =>
  page.addInitScript(() => Object.defineProperty(window, 'outerHeight', { value: 844, configurable: true }))

phone('the keyboard: to the top after 100 ms, to the field after 300 ms', async (t) => {
  const page = await open(t, 'visitor')
  await fakeOuter(page)
  await page.goto(`${t.server.url}/razas`)
  assert.match(
    (await page.locator('meta[name=viewport]').getAttribute('content'))!,
    'interactive-widget=resizes-content',
  )
  await page.locator('#album-q').focus()
  await page.evaluate(() => {
    const log: string[] = []
    Object.assign(window, { log })
    window.scrollTo = ((to: ScrollToOptions) => log.push(`top ${to.top}`)) as typeof window.scrollTo
    Element.prototype.scrollIntoView = function () {
      log.push(`to #${this.id}`)
    }
  })
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 3_600_000)
  const log = () => page.evaluate(() => (window as unknown as { log: string[] }).log)
  // 80 % of the outer height is not yet a keyboard.
  await page.setViewportSize({ width: 390, height: 676 })
  assert.not(await page.locator('html[data-keyboard]').count())
  await page.setViewportSize({ width: 390, height: 675 })
  await page.locator('html[data-keyboard]').waitFor()
  await page.clock.runFor(99)
  assert.equal(await log(), [])
  await page.clock.runFor(1)
  assert.equal(await log(), ['top 0'])
  await page.clock.runFor(199)
  assert.equal(await log(), ['top 0'])
  await page.clock.runFor(1)
  assert.equal(await log(), ['top 0', 'to #album-q'])
})

phone('a keyboard laid over the page: the form ends above it, the page behind stays where it was', async (t) => {
  const page = await open(t, 'visitor')
  await fakeOuter(page)
  await page.goto(t.server.url)
  await page.evaluate(() => scrollTo(0, 300))
  await openAddForm(page)
  await dogForm(page).locator('#df-name').focus()
  const keyboard = (height: number) =>
    page.evaluate((height) => {
      Object.defineProperty(visualViewport, 'height', { value: 844 - height, configurable: true })
      visualViewport!.dispatchEvent(new Event('resize'))
    }, height)
  await keyboard(336)
  await page.locator('html[data-keyboard]').waitFor()
  const bottom = async () => {
    const box = (await dogForm(page).boundingBox())!
    return Math.round(box.y + box.height)
  }
  assert.is(await bottom(), 508)
  assert.ok((await dogForm(page).boundingBox())!.y >= 0)
  await page.waitForFunction(() => scrollY === 0)
  await keyboard(0)
  await page.waitForFunction(() => scrollY === 300)
  assert.is(await bottom(), 844)
  assert.ok(await page.locator('html:not([data-keyboard])').count())
})

const readOverscroll = (page: Page) =>
  page.evaluate(() => getComputedStyle(document.documentElement).overscrollBehaviorY)

phone(
  'pulling down loads nothing anew while something is written; what was written survives a reload and Back',
  async (t) => {
    const page = await open(t, 'member')
    await page.goto(t.server.url)
    assert.is(await readOverscroll(page), 'auto')
    await openAddForm(page)
    assert.is(await readOverscroll(page), 'none')
    await dogForm(page).locator('#df-name').fill('Lola')
    await page.reload()
    await openAddForm(page)
    assert.is(await dogForm(page).locator('#df-name').inputValue(), 'Lola')
    await page.goto(`${t.server.url}/razas`)
    await openAddForm(page)
    await dogForm(page).locator('#df-name').fill('Lola Flores')
    await page.goBack()
    await openAddForm(page)
    assert.is(await dogForm(page).locator('#df-name').inputValue(), 'Lola Flores')
    await dogForm(page).getByText('Borrador recuperado').waitFor()

    await page.goto(t.server.url + t.toby.path)
    const comment = page.locator('#comentario-texto')
    await comment.click()
    await comment.pressSequentially('Qué')
    await page.waitForFunction(() => getComputedStyle(document.documentElement).overscrollBehaviorY === 'none')
    await comment.fill('')
    await page.waitForFunction(() => getComputedStyle(document.documentElement).overscrollBehaviorY === 'auto')
  },
)

phone('the keyboard’s «siguiente» leads through the form, «listo» puts it away, nothing is sent', async (t) => {
  const page = await open(t, 'visitor')
  await page.goto(t.server.url)
  await openAddForm(page)
  const seen: (string | null)[] = []
  await dogForm(page).locator('#df-age').focus()
  for (let i = 0; i < 3; i++) {
    await page.keyboard.press('Enter')
    seen.push(await page.evaluate(() => document.activeElement!.id || document.activeElement!.tagName))
  }
  assert.equal(seen.slice(0, 2), ['df-weight', 'df-zone'])
  assert.not.equal(seen[2], 'df-zone')
  assert.is(await dogForm(page).locator('.err').count(), 0)
  assert.equal(
    await dogForm(page)
      .locator('[enterkeyhint]')
      .evaluateAll((fields) => fields.map((field) => `${field.id} ${field.getAttribute('enterkeyhint')}`)),
    ['df-name next', 'df-breed done', 'df-age next', 'df-weight next', 'df-zone done'],
  )
})

phone('a like knocks, an unlike, silence and reduced motion do not', async (t) => {
  const page = await open(t, 'member', { reducedMotion: 'no-preference' })
  await page.addInitScript(() => {
    Object.assign(window, { knocks: [] })
    navigator.vibrate = (pattern) => (window as unknown as { knocks: unknown[] }).knocks.push(pattern) > 0
  })
  const knocks = () => page.evaluate(() => (window as unknown as { knocks: unknown[] }).knocks)
  await page.goto(t.server.url + t.toby.path)
  const heart = page.locator(`[data-like="${t.toby.id}"]`).first()
  const press = async (liked: boolean) => {
    await page.locator(`[data-like="${t.toby.id}"][aria-disabled=false]`).first().click()
    await page.locator(liked ? '.like-shown.tongue' : '.like-shown.removed').waitFor()
    assert.is(await heart.getAttribute('aria-pressed'), String(liked))
  }
  await press(true)
  assert.equal(await knocks(), [15])
  await press(false)
  assert.equal(await knocks(), [15])
  await page.evaluate(() => localStorage.setItem('perrario-sound', 'off'))
  await press(true)
  assert.equal(await knocks(), [15])
  await page.evaluate(() => localStorage.removeItem('perrario-sound'))
  await press(false)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await press(true)
  assert.equal(await knocks(), [15])
})

phone.run()
