import * as assert from 'uvu/assert'
import { openOnPhone, phoneSuite } from '#tests/support/browser/phone-suite.ts'
import { MADRID_MAP } from '#tests/support/browser/templates.ts'
import { notchFaults, NOTCHED_SCREENS, type NotchedScreen, thumbFaults } from '#tests/support/browser/touch-targets.ts'
import { dogForm, openAddForm, smallPhotos } from '#tests/support/dogs/dog-form.ts'

// What a thumb and a notch ask of what opens over pages, and of the map. The pages themselves:
// browser/accessibility/templates-visitor and templates-member.
const phone = phoneSuite('phone')

const ALL_SCREENS = Object.keys(NOTCHED_SCREENS) as NotchedScreen[]

phone(
  'a thumb hits everything, nothing lies under a notch: menu, bell, form, lightbox, profile editor, map',
  async (t) => {
    const page = await openOnPhone(t, 'member')
    const found: string[] = []
    const note = (name: string, faults: string[]) => found.push(...faults.map((fault) => `${name}: ${fault}`))
    await page.goto(t.server.url)
    await page.getByRole('button', { name: 'Abrir el menú' }).click()
    await page.waitForFunction(() => document.querySelector('#side')!.getBoundingClientRect().right <= innerWidth)
    note('menu', await thumbFaults(page, 2))
    await page.keyboard.press('Escape')
    await page.locator('.btn.bell').click()
    await page.locator('.np:popover-open .nt').waitFor()
    note('bell', await thumbFaults(page, 2))
    await page.keyboard.press('Escape')
    await openAddForm(page)
    note('form', await notchFaults(page, ALL_SCREENS))
    await dogForm(page)
      .locator('input[type=file]')
      .setInputFiles(await smallPhotos(3))
    await dogForm(page).getByRole('button', { name: 'Quitar foto 3' }).waitFor()
    note('form', await thumbFaults(page, 2))
    await dogForm(page).locator('#df-breed').click()
    note('breeds', await thumbFaults(page, 2))
    await page.goto(t.server.url + t.toby.path)
    await page.locator('[data-zoom]').click()
    await page.locator('.yarl__portal_open').waitFor()
    note('lightbox', await thumbFaults(page, 2))
    note('lightbox', await notchFaults(page, ALL_SCREENS))
    await page.goto(`${t.server.url}/perfil?editar`)
    await page.locator('dialog:modal').waitFor()
    note('profile editor', await thumbFaults(page, 2))
    // How the map stands is decided as it opens.
    for (const name of ALL_SCREENS) {
      await page.setViewportSize(NOTCHED_SCREENS[name].viewport)
      await page.goto(t.server.url + MADRID_MAP)
      // On its side the strip is folded, and its cards are not seen.
      await page.locator('.strip .swiper-initialized .strip-card').first().waitFor({ state: 'attached' })
      note('map', await notchFaults(page, [name]))
    }
    assert.equal(found, [])
  },
)

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
