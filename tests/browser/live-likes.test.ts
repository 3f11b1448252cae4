import type { Page } from 'playwright'
import * as assert from 'uvu/assert'
import { call } from '#tests/support/api.ts'
import {
  counted,
  device,
  heart,
  LIKED,
  liveSuite,
  NOT_LIKED,
  open,
  put,
  READY,
  tab,
} from '#tests/support/live-people.ts'

const live = liveSuite('live likes, two people')

const sounds = (page: Page) => page.evaluate(() => (window as unknown as { sounds: number }).sounds)

live('on the dog’s page each sees the other’s like: count, summary and the open list of likers', async (t) => {
  const { ana, luis, eva, toby } = t
  const anas = await open(t, ana, toby.path)
  const luiss = await open(t, luis, toby.path)
  await heart(luiss, toby.id, NOT_LIKED).click()
  await counted(anas, toby.id, 1)
  assert.is(await heart(anas, toby.id, NOT_LIKED).count(), 1)
  await anas.getByRole('button', { name: `Le gusta a ${luis.alias}` }).click()
  const dialog = anas.getByRole('dialog', { name: 'Usuarios a los que les gusta' })
  await dialog.getByRole('link', { name: luis.alias }).waitFor()
  await put(t, eva)
  await dialog.getByRole('link', { name: eva.alias }).waitFor()
  await anas.getByText(`${eva.alias} y 1 más`).waitFor()
  await put(t, luis, 'DELETE')
  await dialog.getByRole('link', { name: luis.alias }).waitFor({ state: 'detached' })
  await heart(luiss, toby.id, NOT_LIKED).waitFor()
  await counted(luiss, toby.id, 1)
  await luiss.getByRole('button', { name: `Le gusta a ${eva.alias}` }).waitFor()
})

live('in the list each sees the other’s like, and one’s own from another device', async (t) => {
  const { ana, luis, toby } = t
  const list = await open(t, ana, '/perros')
  const phone = await open(t, ana, toby.path)
  const luiss = await open(t, luis, '/perros')
  await heart(luiss, toby.id, NOT_LIKED).click()
  await counted(list, toby.id, 1)
  await counted(phone, toby.id, 1)
  await heart(phone, toby.id, NOT_LIKED).click()
  await heart(list, toby.id, LIKED).waitFor()
  await counted(list, toby.id, 2)
  await counted(luiss, toby.id, 2)
  await heart(phone, toby.id, LIKED + READY).click()
  await heart(list, toby.id, NOT_LIKED).waitFor()
  await counted(luiss, toby.id, 1)
})

live('what comes while a press is on its way does not turn the heart back', async (t) => {
  const { ana, luis, toby } = t
  const page = await open(t, ana, toby.path)
  const { promise: allowed, resolve: allow } = Promise.withResolvers<void>()
  await page.route('**/like', async (route) => {
    await allowed
    await route.continue()
  })
  await heart(page, toby.id, NOT_LIKED).click()
  await heart(page, toby.id, LIKED).waitFor()
  const turned = page.evaluate(
    (id) =>
      new Promise<string[]>((resolve) => {
        const button = document.querySelector(`[data-like="${id}"]`)!
        const states: string[] = []
        new MutationObserver(() => states.push(button.ariaPressed!)).observe(button, { attributes: true })
        window.addEventListener('perrario:test-over', () => resolve(states))
      }),
    toby.id,
  )
  // Another tab of mine is told as well: when it shows Luis's like, this one has heard of it.
  const other = await tab(t, page.context(), toby.path)
  await put(t, luis)
  await counted(other, toby.id, 1)
  allow()
  await counted(page, toby.id, 2)
  await counted(other, toby.id, 2)
  await page.evaluate(() => window.dispatchEvent(new Event('perrario:test-over')))
  assert.ok((await turned).every((state) => state === 'true'))
})

live('a heart pressed in two tabs at once counts once', async (t) => {
  const { server, ana, toby } = t
  const context = await device(t, ana)
  const [one, two] = [await tab(t, context, toby.path), await tab(t, context, toby.path)]
  const press = (page: Page) => heart(page, toby.id).evaluate((button: HTMLElement) => button.click())
  await Promise.all([one, two].map((page) => page.waitForLoadState('networkidle')))
  await Promise.all([press(one), press(two)])
  await Promise.all([one, two].map((page) => heart(page, toby.id, READY).waitFor()))
  const { likes } = (await call(server, `/api/dogs/${toby.id}`)).body.dog
  // At the very same moment both wish a like; where one has heard of the other, it takes it back. Never two.
  for (const page of [one, two]) {
    await heart(page, toby.id, likes === 1 ? LIKED : NOT_LIKED).waitFor()
    await counted(page, toby.id, likes)
  }
})

live('the sound can be switched off, stays off, and comes back', async (t) => {
  const { ana, toby } = t
  const page = await open(t, ana, toby.path)
  const sound = page.getByRole('button', { name: 'Sonido de los likes' })
  const press = async (state: string) => {
    await heart(page, toby.id, state + READY).click()
    await page.locator('.like-shown').waitFor()
    await page.locator('.like-shown').waitFor({ state: 'detached' })
  }
  await press(NOT_LIKED)
  assert.is(await sounds(page), 2, 'two slurps')
  await press(LIKED)
  assert.is(await sounds(page), 2, 'taking back is silent')
  await sound.click()
  assert.is(await sound.getAttribute('aria-pressed'), 'false')
  await page.reload()
  assert.is(await sound.getAttribute('aria-pressed'), 'false')
  await press(NOT_LIKED)
  assert.is(await sounds(page), 0)
  await press(LIKED)
  await sound.click()
  assert.is(await sound.getAttribute('aria-pressed'), 'true')
  await press(NOT_LIKED)
  assert.is(await sounds(page), 2)
})

live('with reduced motion the tongue stands still; the sound follows its switch alone', async (t) => {
  const { ana, toby } = t
  const page = await open(t, ana, toby.path, { reducedMotion: 'reduce' })
  await heart(page, toby.id, NOT_LIKED).click()
  const tongue = page.locator('.like-shown.tongue svg')
  await tongue.waitFor()
  assert.is(await tongue.evaluate((svg) => svg.getAnimations({ subtree: true }).length), 0)
  assert.is(await sounds(page), 2)
})

live.run()
