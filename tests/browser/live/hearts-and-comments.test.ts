import * as assert from 'uvu/assert'
import type { Page } from 'playwright'
import { call } from '#tests/support/api.ts'
import {
  waitForLikeCount,
  openDevice,
  openEmptyTab,
  liveSuite,
  openPage,
  sendLike,
  heartButton,
  LIKED,
  NOT_LIKED,
  READY,
  openTab,
} from '#tests/support/live/live-suite.ts'
import { signInMember, type TestMember, useSession } from '#tests/support/members.ts'

const live = liveSuite('live comments and hearts, in several tabs')

const commentOf = (page: Page, text: string) => page.locator('.comment', { hasText: text })
const field = (page: Page) => page.getByLabel('Tu comentario')

live('comments come and go while somebody is writing, who is not disturbed', async (t) => {
  const { ana, luis, toby } = t
  const anas = await openPage(t, ana, toby.path)
  const luiss = await openPage(t, luis, toby.path)
  await field(anas).fill('Estoy escribiendo')
  await field(luiss).fill('Qué guapo')
  await luiss.getByRole('button', { name: 'Enviar' }).click()
  await commentOf(anas, 'Qué guapo').waitFor()
  await anas.getByRole('link', { name: '1 comentario', exact: true }).waitFor()
  await anas.getByRole('heading', { name: 'Comentarios 1' }).waitFor()
  await anas.getByText(`Nuevo comentario de ${luis.alias}`).waitFor({ state: 'attached' })
  assert.is(await field(anas).inputValue(), 'Estoy escribiendo')
  assert.ok(await field(anas).evaluate((element) => element === document.activeElement))
  assert.is(await commentOf(anas, 'Qué guapo').getByRole('button').count(), 0)

  await anas.getByRole('button', { name: 'Enviar' }).click()
  await commentOf(luiss, 'Estoy escribiendo').waitFor()
  for (const page of [anas, luiss]) {
    await page.getByRole('heading', { name: 'Comentarios 2' }).waitFor()
    assert.equal(await page.locator('.comment .text').allInnerTexts(), ['Estoy escribiendo', 'Qué guapo'])
  }
  await commentOf(luiss, 'Qué guapo').getByRole('button', { name: 'Eliminar comentario' }).click()
  await luiss.getByRole('alertdialog').getByRole('button', { name: 'Eliminar' }).click()
  await commentOf(anas, 'Qué guapo').waitFor({ state: 'detached' })
  await anas.getByRole('link', { name: '1 comentario', exact: true }).waitFor()
})

live('a page nobody has touched shows what is said, and one’s own from another device can go', async (t) => {
  const { server, ana, toby } = t
  const page = await openPage(t, ana, toby.path)
  const post = (content: string) =>
    call(server, `/api/dogs/${toby.id}/comments`, { method: 'POST', cookie: ana.cookie, json: { content } })
  await post('Desde el <b>móvil</b>')
  await commentOf(page, 'Desde el <b>móvil</b>').waitFor()
  await page.getByRole('link', { name: '1 comentario', exact: true }).waitFor()
  const id = (await post('Otro')).body.comment.id
  await commentOf(page, 'Otro').getByRole('button', { name: 'Eliminar comentario' }).click()
  await page.getByRole('alertdialog').waitFor()
  // It goes elsewhere while the question stands: there is nothing left to ask.
  await call(server, `/api/comments/${id}`, { method: 'DELETE', cookie: ana.cookie })
  await page.getByRole('alertdialog').waitFor({ state: 'detached' })
  assert.equal(await page.locator('.comment .text').allInnerTexts(), ['Desde el <b>móvil</b>'])
  await commentOf(page, 'móvil').getByRole('button', { name: 'Eliminar comentario' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Eliminar' }).click()
  await page.getByText('Todavía nadie ha comentado.').waitFor()
})

live('a part of the page that loads late hears what the others heard already', async (t) => {
  const { server, ana, luis, toby } = t
  await server.db.updateTable('dogs_all').set({ owner_id: ana.id }).where('id', '=', toby.id).execute()
  const page = await openEmptyTab(t, await openDevice(t, ana))
  const { promise: allowed, resolve: allow } = Promise.withResolvers<void>()
  await page.route(/live-comments\.client[^/]*\.js/, (route) => allowed.then(() => route.continue()))
  await page.goto(server.url + toby.path, { waitUntil: 'commit' })
  await page.waitForFunction(() => document.querySelector('[data-bell][aria-haspopup]'))
  const json = { content: 'Antes de tiempo' }
  await call(server, `/api/dogs/${toby.id}/comments`, { method: 'POST', cookie: luis.cookie, json })
  await page.locator('[data-bell-count]', { hasText: /^1$/ }).waitFor()
  assert.is(await page.getByRole('link', { name: '1 comentario', exact: true }).count(), 0)
  allow()
  await page.getByRole('link', { name: '1 comentario', exact: true }).waitFor()
})

live('who missed what happened asks again', async (t) => {
  const { server, ana, luis, toby } = t
  const context = await openDevice(t, ana)
  const page = await openEmptyTab(t, context)
  // A number from the future, as after a restored backup: the server knows nothing of what came before it.
  await page.route(server.url + toby.path, async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replace(/data-live="\d+"/, 'data-live="999999"')
    await sendLike(t, luis)
    const json = { content: 'Entretanto' }
    await call(server, `/api/dogs/${toby.id}/comments`, { method: 'POST', cookie: luis.cookie, json })
    await route.fulfill({ response, body })
  })
  await page.goto(server.url + toby.path)
  await waitForLikeCount(page, toby.id, 1)
  await page.getByRole('button', { name: `Le gusta a ${luis.alias}` }).waitFor()
  await commentOf(page, 'Entretanto').waitFor()
  await page.getByRole('link', { name: '1 comentario', exact: true }).waitFor()
  await sendLike(t, luis, 'DELETE')
  await waitForLikeCount(page, toby.id, 0)
})

live('pages asked for with a session hold the liked hearts, and nobody else’s', async (t) => {
  const { server, ana, luis, toby } = t
  await sendLike(t, ana)
  const liked = async (path: string, { cookie }: Partial<TestMember>) => {
    const { body } = await call(server, path, { cookie })
    const button = new RegExp(`<button[^>]*data-like="${toby.id}"[^>]*>`).exec(body)
    assert.ok(button, `${path} has no heart`)
    return button[0].includes('aria-pressed="true"')
  }
  for (const path of [toby.path, `/perro/${toby.id}`, '/', '/perros', '/razas/beagle', `/usuario/${t.eva.id}`]) {
    assert.is(await liked(path, ana), true, path)
    assert.is(await liked(path, luis), false, path)
    assert.is(await liked(path, {}), false, path)
  }
  assert.is(await liked('/perfil?tab=likes', ana), true)
})

live('the server’s liked hearts stand from the first paint, whatever the browser remembers', async (t) => {
  const { ana, toby } = t
  await sendLike(t, ana)
  const context = await openDevice(t, ana)
  const page = await openTab(t, context, '/robots.txt')
  for (const address of ['**/api/likes', '**/api/activity*']) await context.route(address, () => {})
  for (const path of ['/perros', toby.path]) {
    await page.evaluate(
      (id) => localStorage.setItem('perrario-liked', JSON.stringify({ member: id, liked: [] })),
      ana.id,
    )
    await page.goto(t.server.url + path)
    await page.waitForLoadState('load')
    await page.waitForFunction(() => !document.querySelector('main astro-island[ssr]:has([data-like])'))
    assert.is(await heartButton(page, toby.id, LIKED).count(), 1, path)
  }
})

live('who signs out in one tab has no hearts in the other, where a press asks to sign in', async (t) => {
  const { toby } = t
  const leo = await signInMember(t.server, 'leo@ejemplo.es')
  await sendLike(t, leo)
  const context = await openDevice(t, leo)
  const first = await openTab(t, context, toby.path)
  const second = await openTab(t, context, '/perros')
  await heartButton(first, toby.id, LIKED).waitFor()
  await second.getByRole('button', { name: 'Cerrar sesión' }).click()
  await heartButton(first, toby.id, NOT_LIKED).waitFor()
  await second.waitForURL(`${t.server.url}/`)
  await heartButton(second, toby.id, NOT_LIKED).waitFor()
  await heartButton(first, toby.id).click()
  await first.getByRole('dialog', { name: 'Inicia sesión para dar un like' }).waitFor()
  assert.is(await first.locator('.like-shown').count(), 0)
})

live('who signs in finds their hearts in the tabs that were open before', async (t) => {
  const { ana, toby } = t
  await sendLike(t, ana)
  const context = await openDevice(t)
  const before = await openTab(t, context, toby.path)
  await useSession(context, t.server, ana)
  const after = await openTab(t, context, '/perros')
  await heartButton(after, toby.id, LIKED).waitFor()
  await heartButton(before, toby.id, LIKED).waitFor()
  await heartButton(before, toby.id, LIKED + READY).click()
  await heartButton(after, toby.id, NOT_LIKED).waitFor()
})
