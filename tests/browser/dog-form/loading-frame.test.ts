import type { Page } from 'playwright'
import { axeFaults } from '#tests/support/browser/axe.ts'
import { PHONE, openContext, watchErrors } from '#tests/support/browser/chromium.ts'
import { dogForm } from '#tests/support/dogs/dog-form.ts'
import { assert, browserSuite, type BrowserWorld } from '#tests/support/suites.ts'

// What stands from the tap on until the form's code has come.
interface World extends BrowserWorld {
  page: Page
  errors: string[]
  /** Lets the form's code come. */
  arrive: () => void
}
const FORM_CODE = /\/DogForm\.[^/]*\.js/

const frame = browserSuite<World>('the form’s frame')
frame.before(async (t) => {
  t.page = await (await openContext(t.browser, { ...PHONE, reducedMotion: 'reduce' })).newPage()
  t.errors = watchErrors(t.page)
})
frame.before.each(async (t) => {
  const held = new Promise<void>((resolve) => (t.arrive = resolve))
  await t.page.route(FORM_CODE, async (route) => {
    await held
    await route.continue().catch(() => {})
  })
  t.errors.length = 0
  await visit(t, '/comunidad')
})
frame.after.each(({ page }) => page.unrouteAll())

async function visit({ server, page }: World, path: string): Promise<void> {
  const styled = page.waitForResponse(/\/loading-frame\.[^/]*\.css/)
  await page.goto(server.url + path)
  await styled
  await shown(page).waitFor({ state: 'attached' })
}
const shown = (page: Page) => page.locator('dialog.df-frame')
const plus = (page: Page) => page.locator('.tabbar .plus')
const heading = (page: Page) => page.getByRole('heading', { name: 'Añadir perro' })

frame('a trigger that is drawn anew meanwhile still opens the form', async (t) => {
  const { page } = t
  await plus(page).tap()
  await heading(page).waitFor()
  await plus(page).evaluate((button) => button.replaceWith(button.cloneNode(true)))
  t.arrive()
  await dogForm(page).locator('form').waitFor()
  assert.is(new URL(page.url()).pathname, '/comunidad')
  assert.is(await page.locator('.tabbar .plus').count(), 1)
})

frame('it stands at the tap and gives way to the form, where it stood', async (t) => {
  const { page } = t
  await plus(page).tap()
  await heading(page).waitFor()
  assert.is(await dogForm(page).count(), 0)
  assert.equal(await axeFaults(page, { within: '.df-frame' }), [])
  const before = await heading(page).boundingBox()
  const box = await shown(page).boundingBox()
  t.arrive()
  await dogForm(page).locator('form').waitFor()
  assert.not(await shown(page).isVisible())
  assert.equal(await dogForm(page).boundingBox(), box)
  const after = await heading(page).boundingBox()
  assert.is(Math.round(after!.x), Math.round(before!.x))
  assert.ok(Math.abs(after!.y - before!.y) <= 2)
  await dogForm(page).getByRole('button', { name: 'Cerrar' }).click()
  await dogForm(page).waitFor({ state: 'hidden' })
  assert.ok(await plus(page).evaluate((button) => button === document.activeElement && !button.ariaBusy))
  // Awake, the island opens by itself.
  await plus(page).tap()
  await dogForm(page).locator('form').waitFor()
  assert.not(await shown(page).isVisible())
  assert.equal(t.errors, [])
})

frame('closed before the form has come, it takes the tap back; the next one opens', async (t) => {
  const { page } = t
  await plus(page).tap()
  await shown(page).getByRole('button', { name: 'Cerrar' }).click()
  await shown(page).waitFor({ state: 'hidden' })
  // The dialog says that it has closed a task later.
  await page.locator('.tabbar .plus:not([aria-busy])').waitFor()
  const came = page.waitForResponse(/\/DogForm\./)
  t.arrive()
  await came
  await page.waitForSelector('astro-island[client=demand][component-url*=DogForm]:not([ssr])', { state: 'attached' })
  assert.is(await dogForm(page).count(), 0)
  await plus(page).tap()
  await dogForm(page).locator('form').waitFor()
  assert.equal(t.errors, [])
})

frame('a link of the empty list opens the form while React hydrates the list', async (t) => {
  const { page } = t
  let arriveList = () => {}
  const held = new Promise<void>((resolve) => (arriveList = resolve))
  await page.route(/\/DogGrid\.[^/]*\.js/, async (route) => {
    await held
    await route.continue()
  })
  await visit(t, '/')
  // React works in the messages that it sends itself: while they wait, so does it.
  await page.evaluate(() => {
    const { postMessage } = MessagePort.prototype
    const waiting: (() => void)[] = []
    MessagePort.prototype.postMessage = function (...message: unknown[]) {
      waiting.push(() => Reflect.apply(postMessage, this, message))
    }
    const release = () => {
      MessagePort.prototype.postMessage = postMessage
      for (const send of waiting) send()
    }
    addEventListener('release', release, { once: true })
  })
  const hydrating = (island: string) =>
    page.locator(`astro-island[component-url*=${island}]:not([ssr])`).waitFor({ state: 'attached' })
  await page.locator('main a[data-add-dog]').tap()
  t.arrive()
  await hydrating('DogForm')
  arriveList()
  await hydrating('DogGrid')
  await page.evaluate(() => dispatchEvent(new Event('release')))
  await dogForm(page).locator('form').waitFor()
  assert.is(new URL(page.url()).pathname, '/')
  assert.equal(t.errors, [])
})

frame('code that does not come is told in it', async (t) => {
  const { page } = t
  await page.unroute(FORM_CODE)
  await page.route(FORM_CODE, (route) => route.abort())
  await plus(page).tap()
  await page
    .getByRole('alert')
    .getByText('No se pudo abrir el formulario. Comprueba tu conexión y vuelve a intentarlo.')
    .waitFor()
  await shown(page).getByRole('button', { name: 'Cerrar' }).click()
  await shown(page).waitFor({ state: 'hidden' })
  // The dialog says that it has closed a task later.
  await page.locator('.tabbar .plus:not([aria-busy])').waitFor()
})
