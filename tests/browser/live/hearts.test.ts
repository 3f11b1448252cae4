import * as assert from 'uvu/assert'
import { call } from '#tests/support/api.ts'
import {
  openDevice,
  heartButton,
  LIKED,
  liveSuite,
  NOT_LIKED,
  sendLike,
  READY,
  openTab,
} from '#tests/support/live/live-suite.ts'
import { signInMember, type TestMember, useSession } from '#tests/support/members.ts'

const live = liveSuite('liked hearts, several tabs')

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

live.run()
