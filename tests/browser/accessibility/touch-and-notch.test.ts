import type { Page } from 'playwright'
import * as assert from 'uvu/assert'
import { openOnPhone, phoneSuite } from '#tests/support/browser/phone-suite.ts'
import { dogForm, openAddForm, smallPhotos } from '#tests/support/dogs/dog-form.ts'
import { setSafeAreas, findSmallTargets, findUnsafeTargets } from '#tests/support/browser/touch-targets.ts'

// What a thumb and a notch ask of every screen.
const phone = phoneSuite('phone')

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
    const page = await openOnPhone(t, who)
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
  const page = await openOnPhone(t, 'member')
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
  const page = await openOnPhone(t, 'member')
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

phone('a like knocks, an unlike, silence and reduced motion do not', async (t) => {
  const page = await openOnPhone(t, 'member', { reducedMotion: 'no-preference' })
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
