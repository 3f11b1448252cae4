import type { Browser, BrowserContext, Page } from 'playwright'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Dog } from '#features/dogs/dogs.ts'
import { call } from '#tests/support/api.ts'
import { DESKTOP, launchBrowser, visit, watchErrors } from '#tests/support/browser.ts'
import { signedIn, type TestMember, useSession } from '#tests/support/members.ts'
import { dog, seed, withDatabase } from '#tests/support/seed.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

interface World {
  server: TestServer
  browser: Browser
  ana: TestMember
  luis: TestMember
  eva: TestMember
  toby: Dog
  contexts: BrowserContext[]
  errors: string[]
}

const live = suite<World>('live, two people')

live.before(async (t) => {
  t.server = await startServer()
  t.browser = await launchBrowser()
  for (const name of ['ana', 'luis', 'eva'] as const) t[name] = await signedIn(t.server, `${name}@ejemplo.es`)
})
live.after(async (t) => {
  await t.browser.close()
  await t.server.dispose()
})
live.before.each(async (t) => {
  await withDatabase(t.server, async (db) => {
    ;[t.toby] = await seed(db, dog({ name: 'Toby', owner_id: t.eva.id, photos: 0 }))
  })
  t.contexts = []
  t.errors = []
})
live.after.each(async (t) => {
  for (const context of t.contexts) await context.close()
  assert.equal(t.errors, [])
})

/** A device of its own for this member; counts the sounds it makes. */
async function device(t: World, member?: TestMember, options = {}): Promise<BrowserContext> {
  const context = await visit(t.browser, { ...DESKTOP, ...options })
  t.contexts.push(context)
  if (member) await useSession(context, t.server, member)
  await context.addInitScript(`
    window.sounds = 0
    const Silent = class { currentTime = 0; state = 'running'; destination = {}
      node = () => ({ gain: this.param(), frequency: this.param(), connect: (to) => to, start() {}, stop() {} })
      param = () => ({ setValueAtTime() {}, exponentialRampToValueAtTime() {} })
      createGain() { return this.node() }
      createOscillator() { return { ...this.node(), start: () => void window.sounds++ } } }
    window.AudioContext = Silent`)
  return context
}
async function tab(t: World, context: BrowserContext, path: string): Promise<Page> {
  const page = await context.newPage()
  const seen = watchErrors(page)
  page.on('close', () => t.errors.push(...seen))
  await page.goto(t.server.url + path)
  return page
}
const open = async (t: World, member: TestMember | undefined, path: string, options = {}) =>
  tab(t, await device(t, member, options), path)

const heart = (page: Page, id: string, state = '') => page.locator(`[data-like="${id}"]${state}`)
const LIKED = '[aria-pressed=true]'
const NOT_LIKED = '[aria-pressed=false]'
const READY = '[aria-disabled=false]'
const counted = (page: Page, id: string, likes: number) =>
  heart(page, id).locator('[data-like-count]').getByText(String(likes), { exact: true }).waitFor()
const put = ({ server, toby }: World, { cookie }: TestMember, method = 'PUT') =>
  call(server, `/api/dogs/${toby.id}/like`, { method, cookie })

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

live('pages asked for with a session hold the liked hearts, and nobody else’s', async (t) => {
  const { server, ana, luis, toby } = t
  await put(t, ana)
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
  await put(t, ana)
  const context = await device(t, ana)
  await context.addInitScript(
    (id) => localStorage.setItem('perrario-liked', JSON.stringify({ member: id, liked: [] })),
    ana.id,
  )
  await context.route('**/api/likes', () => {})
  for (const path of ['/perros', toby.path]) {
    const page = await tab(t, context, path)
    await page.waitForLoadState('load')
    await page.waitForFunction(() => !document.querySelector('main astro-island[ssr]:has([data-like])'))
    assert.is(await heart(page, toby.id, LIKED).count(), 1, path)
  }
})

live('who signs out in one tab has no hearts in the other, where a press asks to sign in', async (t) => {
  const { toby } = t
  const leo = await signedIn(t.server, 'leo@ejemplo.es')
  await put(t, leo)
  const context = await device(t, leo)
  const first = await tab(t, context, toby.path)
  const second = await tab(t, context, '/perros')
  await heart(first, toby.id, LIKED).waitFor()
  await second.getByRole('button', { name: 'Cerrar sesión' }).click()
  await heart(first, toby.id, NOT_LIKED).waitFor()
  await second.waitForURL(`${t.server.url}/`)
  await heart(second, toby.id, NOT_LIKED).waitFor()
  await heart(first, toby.id).click()
  await first.getByRole('dialog', { name: 'Inicia sesión para dar un like' }).waitFor()
  assert.is(await first.locator('.like-shown').count(), 0)
})

live('who signs in finds their hearts in the tabs that were open before', async (t) => {
  const { ana, toby } = t
  await put(t, ana)
  const context = await device(t)
  const before = await tab(t, context, toby.path)
  await useSession(context, t.server, ana)
  const after = await tab(t, context, '/perros')
  await heart(after, toby.id, LIKED).waitFor()
  await heart(before, toby.id, LIKED).waitFor()
  await heart(before, toby.id, LIKED + READY).click()
  await heart(after, toby.id, NOT_LIKED).waitFor()
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

const sounds = (page: Page) => page.evaluate(() => (window as unknown as { sounds: number }).sounds)

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

const said = (page: Page, text: string) => page.locator('.comment', { hasText: text })
const field = (page: Page) => page.getByLabel('Tu comentario')

live('comments come and go while somebody is writing, who is not disturbed', async (t) => {
  const { ana, luis, toby } = t
  const anas = await open(t, ana, toby.path)
  const luiss = await open(t, luis, toby.path)
  await field(anas).fill('Estoy escribiendo')
  await field(luiss).fill('Qué guapo')
  await luiss.getByRole('button', { name: 'Enviar' }).click()
  await said(anas, 'Qué guapo').waitFor()
  await anas.getByRole('link', { name: '1 comentario', exact: true }).waitFor()
  await anas.getByRole('heading', { name: 'Comentarios 1' }).waitFor()
  await anas.getByText(`Nuevo comentario de ${luis.alias}`).waitFor({ state: 'attached' })
  assert.is(await field(anas).inputValue(), 'Estoy escribiendo')
  assert.ok(await field(anas).evaluate((element) => element === document.activeElement))
  assert.is(await said(anas, 'Qué guapo').getByRole('button').count(), 0)

  await anas.getByRole('button', { name: 'Enviar' }).click()
  await said(luiss, 'Estoy escribiendo').waitFor()
  for (const page of [anas, luiss]) {
    await page.getByRole('heading', { name: 'Comentarios 2' }).waitFor()
    assert.equal(await page.locator('.said').allInnerTexts(), ['Estoy escribiendo', 'Qué guapo'])
  }
  await said(luiss, 'Qué guapo').getByRole('button', { name: 'Eliminar comentario' }).click()
  await luiss.getByRole('alertdialog').getByRole('button', { name: 'Eliminar' }).click()
  await said(anas, 'Qué guapo').waitFor({ state: 'detached' })
  await anas.getByRole('link', { name: '1 comentario', exact: true }).waitFor()
})

live('a page nobody has touched shows what is said, and one’s own from another device can go', async (t) => {
  const { server, ana, toby } = t
  const page = await open(t, ana, toby.path)
  const post = (content: string) =>
    call(server, `/api/dogs/${toby.id}/comments`, { method: 'POST', cookie: ana.cookie, json: { content } })
  await post('Desde el <b>móvil</b>')
  await said(page, 'Desde el <b>móvil</b>').waitFor()
  await page.getByRole('link', { name: '1 comentario', exact: true }).waitFor()
  const id = (await post('Otro')).body.comment.id
  await said(page, 'Otro').getByRole('button', { name: 'Eliminar comentario' }).click()
  await page.getByRole('alertdialog').waitFor()
  // It goes elsewhere while the question stands: there is nothing left to ask.
  await call(server, `/api/comments/${id}`, { method: 'DELETE', cookie: ana.cookie })
  await page.getByRole('alertdialog').waitFor({ state: 'detached' })
  assert.equal(await page.locator('.said').allInnerTexts(), ['Desde el <b>móvil</b>'])
  await said(page, 'móvil').getByRole('button', { name: 'Eliminar comentario' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Eliminar' }).click()
  await page.getByText('Todavía nadie ha comentado.').waitFor()
})

live('a part of the page that loads late hears what the others heard already', async (t) => {
  const { server, ana, luis, toby } = t
  await withDatabase(server, (db) =>
    db.updateTable('dogs').set({ owner_id: ana.id }).where('id', '=', toby.id).execute(),
  )
  const page = await (await device(t, ana)).newPage()
  const { promise: allowed, resolve: allow } = Promise.withResolvers<void>()
  await page.route(/heard\.client[^/]*\.js/, (route) => allowed.then(() => route.continue()))
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
  const context = await device(t, ana)
  const page = await context.newPage()
  const errors = watchErrors(page)
  // A number from the future, as after a restored backup: the server knows nothing of what came before it.
  await page.route(server.url + toby.path, async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replace(/data-live="\d+"/, 'data-live="999999"')
    await put(t, luis)
    const json = { content: 'Entretanto' }
    await call(server, `/api/dogs/${toby.id}/comments`, { method: 'POST', cookie: luis.cookie, json })
    await route.fulfill({ response, body })
  })
  await page.goto(server.url + toby.path)
  await counted(page, toby.id, 1)
  await page.getByRole('button', { name: `Le gusta a ${luis.alias}` }).waitFor()
  await said(page, 'Entretanto').waitFor()
  await page.getByRole('link', { name: '1 comentario', exact: true }).waitFor()
  await put(t, luis, 'DELETE')
  await counted(page, toby.id, 0)
  assert.equal(errors, [])
})

live.run()
