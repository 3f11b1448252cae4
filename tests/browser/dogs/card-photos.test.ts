import type { BrowserContextOptions, Page } from 'playwright'
import { DESKTOP, PHONE } from '#tests/support/browser/chromium.ts'
import { takePage } from '#tests/support/browser/page-pool.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { call } from '#tests/support/api.ts'
import { signInMember, type TestMember } from '#tests/support/members.ts'
import { waitUntilQuiet, watchRequests } from '#tests/support/browser/requests.ts'
import { assert, browserSuite, type BrowserWorld } from '#tests/support/suites.ts'

// The stack of photos on a card, in the hydrated list and in grids that are only HTML.
type World = BrowserWorld & { ana: TestMember; path: string }
const stack = browserSuite<World>('card stack')

stack.before(async (t) => {
  t.ana = await signInMember(t.server)
  const form = new FormData()
  for (const [name, value] of Object.entries({ name: 'Toby', breed: 'Beagle', relationship: 'owner' }))
    form.append(name, value)
  for (const shade of [20, 120, 220])
    form.append('images', new Blob([await photo(shade)], { type: 'image/jpeg' }), `${shade}.jpg`)
  const { status, body } = await call(t.server, '/api/dogs', { method: 'POST', cookie: t.ana.cookie, form })
  assert.is(status, 201)
  t.path = body.dog.path
})

const shownPhoto = (page: Page) => page.locator('.strip').evaluate((strip) => strip.scrollLeft / strip.clientWidth)
/** Waits until the strip rests at a photo. */
const waitUntilAt = (page: Page, index: number) =>
  page.waitForFunction(
    (wanted) => {
      const strip = document.querySelector('.strip')!
      return Math.abs(strip.scrollLeft - wanted * strip.clientWidth) < 1 && !strip.hasAttribute('data-dragging')
    },
    index,
    { timeout: 5000 },
  )

/** Drags a photo with the mouse, between two shares of its width. */
async function dragStrip(page: Page, box: { x: number; y: number; width: number }, from: number, to: number) {
  const { x, y, width } = box
  await page.mouse.move(x + from * width, y + 40)
  await page.mouse.down()
  await page.mouse.move(x + ((from + to) / 2) * width, y + 42, { steps: 3 })
  await page.mouse.move(x + to * width, y + 44, { steps: 3 })
  await page.mouse.up()
}

async function open(t: World, path: string, options: BrowserContextOptions = DESKTOP) {
  const taken = await takePage(t.browser, { reducedMotion: 'reduce', ...options })
  const requests = watchRequests(taken.page)
  await taken.page.goto(t.server.url + path)
  return { ...taken, requests }
}

for (const path of ['/', '/razas/beagle', 'profile'])
  stack(`a mouse turns it by arrows and by dragging: ${path}`, async (t) => {
    const { page, errors, requests } = await open(t, path === 'profile' ? `/usuario/${t.ana.id}` : path)
    const shot = page.locator('.dog-card .shot')
    const arrows = shot.locator('.stack-turn')
    assert.not(await arrows.first().isVisible())
    await shot.hover()
    await arrows.last().waitFor()
    // What a mouse does comes with its first move over a stack.
    await waitUntilQuiet(page, requests)
    await arrows.last().click()
    await waitUntilAt(page, 1)
    await arrows.first().click()
    await waitUntilAt(page, 0)
    await arrows.first().click()
    await waitUntilAt(page, 2)
    const { x, y, width } = (await shot.boundingBox())!
    const drag = (from: number, to: number) => dragStrip(page, { x, y, width }, from, to)
    await drag(0.2, 0.8)
    await waitUntilAt(page, 1)
    // A short pull comes back.
    await drag(0.5, 0.4)
    await waitUntilAt(page, 1)
    const before = page.url()
    await drag(0.8, 0.1)
    await waitUntilAt(page, 2)
    assert.is(page.url(), before, 'a drag opens nothing')
    await page.mouse.click(x + width / 2, y + 40)
    await page.waitForURL(t.server.url + t.path)
    assert.equal(errors, [])
  })

stack("on the dog's page a mouse drags its photos, and a press still opens them large", async (t) => {
  const { page, errors, requests } = await open(t, t.path)
  const shot = page.locator('.big .shot')
  await shot.hover()
  await waitUntilQuiet(page, requests)
  const box = (await shot.boundingBox())!
  await dragStrip(page, box, 0.8, 0.2)
  await waitUntilAt(page, 1)
  assert.not(await page.getByRole('dialog').isVisible(), 'a drag opens nothing')
  await page.mouse.click(box.x + box.width / 2, box.y + 40)
  await page.getByRole('dialog').waitFor()
  assert.equal(errors, [])
})

stack('a finger needs no arrows, and asks for no script of them', async (t) => {
  const { page } = await open(t, '/', PHONE)
  await page.locator('.dog-card .shot').tap({ position: { x: 20, y: 20 }, trial: true })
  assert.not(await page.locator('.stack-turn').first().isVisible())
  assert.is(await shownPhoto(page), 0)
})
