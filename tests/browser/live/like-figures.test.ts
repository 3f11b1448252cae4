import type { Page } from 'playwright'
import * as assert from 'uvu/assert'
import { heartButton, LIKED, liveSuite, NOT_LIKED, openPage, READY, sendLike } from '#tests/support/live/live-suite.ts'

const figures = liveSuite('figures of likes after a like')

/** Waits until card and tabs of the profile count so many likes. */
async function waitForLikesGiven(page: Page, likes: number): Promise<void> {
  const counter = page.locator('.carnet .counters > div', { hasText: 'Likes' }).locator('dd')
  await counter.getByText(String(likes), { exact: true }).waitFor()
  await page
    .locator('.tabs a', { hasText: 'Likes' })
    .locator('.num')
    .getByText(String(likes), { exact: true })
    .waitFor()
}

const readOrder = (page: Page) =>
  page.locator('.dogs [data-dog]').evaluateAll((cards) => cards.map((card) => (card as HTMLElement).dataset.dog))

figures('the own profile counts a like that its member gives there', async (t) => {
  const { eva, toby } = t
  const page = await openPage(t, eva, '/perfil')
  await waitForLikesGiven(page, 0)
  await heartButton(page, toby.id, NOT_LIKED).click()
  await waitForLikesGiven(page, 1)
  await heartButton(page, toby.id, LIKED).waitFor()
})

figures('a like that is taken back among the own likes is not counted, and its dog stays listed', async (t) => {
  const { luis, toby } = t
  await sendLike(t, luis)
  const page = await openPage(t, luis, '/perfil?tab=likes')
  await waitForLikesGiven(page, 1)
  await heartButton(page, toby.id, LIKED).click()
  await waitForLikesGiven(page, 0)
  await heartButton(page, toby.id, NOT_LIKED + READY).click()
  await waitForLikesGiven(page, 1)
})

for (const path of ['/?sort=votes-desc', '/?breed=beagle&sort=votes-asc'])
  figures(`the figures above ${path} count a like, and the dogs keep their order`, async (t) => {
    const { ana, luis, toby } = t
    await sendLike(t, luis)
    const page = await openPage(t, ana, path)
    await page.waitForSelector('main astro-island:not([ssr])', { state: 'attached' })
    const sum = page.locator('.stats > div', { has: page.getByText(/^likes?$/) }).locator('dd')
    const likes = Number(await sum.innerText())
    const order = await readOrder(page)
    await heartButton(page, toby.id, NOT_LIKED).click()
    await sum.getByText(String(likes + 1), { exact: true }).waitFor()
    assert.equal(await readOrder(page), order)
    await heartButton(page, toby.id, LIKED + READY).click()
    await sum.getByText(String(likes), { exact: true }).waitFor()
  })
