import type { Page } from 'playwright'
import * as assert from 'uvu/assert'
import { call } from '#tests/support/api.ts'
import {
  waitForLikeCount,
  openDevice,
  heartButton,
  LIKED,
  liveSuite,
  NOT_LIKED,
  openPage,
  sendLike,
  READY,
  openTab,
} from '#tests/support/live/live-suite.ts'
import { waitUntilQuiet, watchRequests } from '#tests/support/browser/requests.ts'

const live = liveSuite('live likes, two people')

const sounds = (page: Page) => page.evaluate(() => (window as unknown as { sounds: number }).sounds)

live('on the dog’s page each sees the other’s like: count, summary and the open list of likers', async (t) => {
  const { ana, luis, eva, toby } = t
  const anas = await openPage(t, ana, toby.path)
  const luiss = await openPage(t, luis, toby.path)
  await heartButton(luiss, toby.id, NOT_LIKED).click()
  await waitForLikeCount(anas, toby.id, 1)
  assert.is(await heartButton(anas, toby.id, NOT_LIKED).count(), 1)
  await anas.getByRole('button', { name: `Le gusta a ${luis.alias}` }).click()
  const dialog = anas.getByRole('dialog', { name: 'Usuarios a los que les gusta' })
  await dialog.getByRole('link', { name: luis.alias }).waitFor()
  await sendLike(t, eva)
  await dialog.getByRole('link', { name: eva.alias }).waitFor()
  await anas.getByText(`${eva.alias} 1+`).waitFor()
  await sendLike(t, luis, 'DELETE')
  await dialog.getByRole('link', { name: luis.alias }).waitFor({ state: 'detached' })
  await heartButton(luiss, toby.id, NOT_LIKED).waitFor()
  await waitForLikeCount(luiss, toby.id, 1)
  await luiss.getByRole('button', { name: `Le gusta a ${eva.alias}` }).waitFor()
})

live('in the list each sees the other’s like, and one’s own from another device', async (t) => {
  const { ana, luis, toby } = t
  const list = await openPage(t, ana, '/perros')
  const phone = await openPage(t, ana, toby.path)
  const luiss = await openPage(t, luis, '/perros')
  await heartButton(luiss, toby.id, NOT_LIKED).click()
  await waitForLikeCount(list, toby.id, 1)
  await waitForLikeCount(phone, toby.id, 1)
  await heartButton(phone, toby.id, NOT_LIKED).click()
  await heartButton(list, toby.id, LIKED).waitFor()
  await waitForLikeCount(list, toby.id, 2)
  await waitForLikeCount(luiss, toby.id, 2)
  await heartButton(phone, toby.id, LIKED + READY).click()
  await heartButton(list, toby.id, NOT_LIKED).waitFor()
  await waitForLikeCount(luiss, toby.id, 1)
})

live('what comes while a press is on its way does not turn the heart back', async (t) => {
  const { ana, luis, toby } = t
  const page = await openPage(t, ana, toby.path)
  const { promise: allowed, resolve: allow } = Promise.withResolvers<void>()
  await page.route('**/like', async (route) => {
    await allowed
    await route.continue()
  })
  await heartButton(page, toby.id, NOT_LIKED).click()
  await heartButton(page, toby.id, LIKED).waitFor()
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
  const other = await openTab(t, page.context(), toby.path)
  await sendLike(t, luis)
  await waitForLikeCount(other, toby.id, 1)
  allow()
  await waitForLikeCount(page, toby.id, 2)
  await waitForLikeCount(other, toby.id, 2)
  await page.evaluate(() => window.dispatchEvent(new Event('perrario:test-over')))
  assert.ok((await turned).every((state) => state === 'true'))
})

live('a heart pressed in two tabs at once counts once', async (t) => {
  const { server, ana, toby } = t
  const context = await openDevice(t, ana)
  const [one, two] = [await openTab(t, context, toby.path), await openTab(t, context, toby.path)]
  const press = (page: Page) => heartButton(page, toby.id).evaluate((button: HTMLElement) => button.click())
  await Promise.all([one, two].map((page) => waitUntilQuiet(page, watchRequests(page))))
  await Promise.all([press(one), press(two)])
  await Promise.all([one, two].map((page) => heartButton(page, toby.id, READY).waitFor()))
  const { likes } = (await call(server, `/api/dogs/${toby.id}`)).body.dog
  // At the very same moment both wish a like; where one has heard of the other, it takes it back. Never two.
  for (const page of [one, two]) {
    await heartButton(page, toby.id, likes === 1 ? LIKED : NOT_LIKED).waitFor()
    await waitForLikeCount(page, toby.id, likes)
  }
})

live('the sound can be switched off, stays off, and comes back', async (t) => {
  const { ana, toby } = t
  const page = await openPage(t, ana, toby.path)
  const sound = page.getByRole('button', { name: 'Sonido de los likes' })
  const press = async (state: string) => {
    await heartButton(page, toby.id, state + READY).click()
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
  const page = await openPage(t, ana, toby.path, { reducedMotion: 'reduce' })
  await heartButton(page, toby.id, NOT_LIKED).click()
  const tongue = page.locator('.like-shown.tongue svg')
  await tongue.waitFor()
  assert.is(await tongue.evaluate((svg) => svg.getAnimations({ subtree: true }).length), 0)
  assert.is(await sounds(page), 2)
})
