import { axeFaults } from '#tests/support/browser/axe.ts'
import { call, formOf } from '#tests/support/api.ts'
import { type FaultProxy, startFaultProxy } from '#tests/support/browser/fault-proxy.ts'
import { signInMember, useSession } from '#tests/support/members.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import {
  cachedPaths,
  type OpenedPage,
  waitUntilCached,
  openBehindProxy,
  withoutNetworkErrors,
  waitUntilTrue,
} from '#tests/support/browser/service-worker.ts'
import type { TestServer } from '#tests/support/server.ts'
import { assert, browserSuite, type BrowserWorld } from '#tests/support/suites.ts'

/** A dog with a real photo, added by somebody else. */
async function addDog(server: TestServer, name: string): Promise<void> {
  const images = new File([await photo()], 'perro.jpg', { type: 'image/jpeg' })
  const { status } = await call(server, '/api/dogs', {
    method: 'POST',
    form: formOf({ name, breed: 'Beagle', images }),
  })
  assert.is(status, 201)
}

// Two browsers, a visitor's and a member's, whose workers each test takes as the last one left them: installing one costs more
// than a page.
type World = BrowserWorld & { front: FaultProxy; dogPath: string; visitor: OpenedPage; member: OpenedPage }
const pwa = browserSuite<World>('offline')

pwa.before(async (t) => {
  t.front = await startFaultProxy(t.server.url)
  await addDog(t.server, 'Toby')
  t.dogPath = '/beagle/toby'
})
pwa.after.each(async ({ browser, front }) => {
  front.intercept(() => false)
  front.up()
  for (const context of browser.contexts()) await context.setOffline(false)
})
pwa.after(({ front }) => front.dispose())

pwa('with the server gone, visited pages are read and others are explained', async (t) => {
  const { front, dogPath } = t
  const { page, errors } = (t.visitor = await openBehindProxy(t, dogPath))
  await waitUntilCached(page, dogPath)
  await page.goto(`${front.url}/razas`)
  await waitUntilCached(page, '/razas')

  front.down()
  await page.goto(front.url + dogPath)
  assert.is(await page.locator('h1').innerText(), 'Toby')
  // What draws it came too: the page stands as it did, photos and all, though they came before any worker did.
  await waitUntilTrue('the photos are there', () =>
    page.evaluate(() => {
      const photos = [...document.querySelectorAll<HTMLImageElement>('main img[src*="photos"]')]
      return photos.length > 0 && photos.every((photo) => photo.complete && photo.naturalWidth > 0)
    }),
  )
  assert.ok((await page.locator('body').evaluate((e) => getComputedStyle(e).fontFamily)).includes('Figtree'))
  assert.is(await page.evaluate(() => document.fonts.check('16px "Figtree Variable"')), true)

  await page.goto(`${front.url}/comunidad`)
  assert.is(await page.getByRole('heading', { level: 1 }).innerText(), 'Sin conexión')
  assert.is(new URL(page.url()).pathname, '/comunidad', 'the address stays, so that trying again is a reload')
  const list = page.getByRole('region', { name: 'Puedes ver sin conexión' })
  await list.getByRole('link', { name: 'Toby, Beagle' }).waitFor()
  assert.is(await list.getByRole('link').count(), 2)
  assert.equal(await axeFaults(page), [])
  await list.getByRole('link', { name: 'Toby, Beagle' }).click()
  await page.waitForURL(front.url + dogPath)
  assert.is(await page.locator('h1').innerText(), 'Toby')

  await page.goto(`${front.url}/comunidad`)
  await page.getByRole('heading', { level: 1, name: 'Sin conexión' }).waitFor()
  // The browser had its network all the time: the page asks for the server itself.
  front.up()
  await page.getByRole('heading', { level: 1, name: 'Comunidad' }).waitFor()
  assert.equal(withoutNetworkErrors(errors.splice(0)), [])
})

pwa('with the browser offline the same, and «Intentar de nuevo» and the network’s return lead on', async (t) => {
  const { front } = t
  const { context, page, errors } = t.visitor
  await page.goto(`${front.url}/perros`)
  await waitUntilCached(page, '/perros')
  await context.setOffline(true)
  await page.goto(`${front.url}/perros`)
  await page.getByText('Toby').first().waitFor()
  await page.getByText('Sin conexión. Ves una copia guardada ahora mismo.').waitFor()
  await page.goto(`${front.url}/terminos`)
  await page.getByRole('heading', { name: 'Sin conexión', exact: true }).waitFor()
  await page.getByRole('link', { name: 'Intentar de nuevo' }).click()
  await page.waitForLoadState()
  await page.getByRole('heading', { name: 'Sin conexión', exact: true }).waitFor()
  // Back on the network it goes on by itself.
  await context.setOffline(false)
  await page.getByRole('heading', { level: 1, name: 'Términos de uso' }).waitFor()
  assert.equal(withoutNetworkErrors(errors.splice(0)), [])
})

pwa(
  'a visitor’s second visit to /perros paints without asking anybody, and the third shows what changed',
  async (t) => {
    const { front, server } = t
    const { page } = t.visitor
    await page.goto(`${front.url}/perros`)
    await waitUntilCached(page, '/perros')
    // Nobody answers from here on, and nobody says no either: only what is kept can paint.
    let isSilent = true
    front.intercept(() => isSilent)
    await page.goto(`${front.url}/perros`, { waitUntil: 'commit' })
    await page.getByText('Toby').first().waitFor()
    isSilent = false
    front.down()
    front.up()

    await addDog(server, 'Zarzamora')
    await page.goto(`${front.url}/perros`)
    await waitUntilTrue('the kept page is the new one', () =>
      page.evaluate(async () => {
        const kept = await (await caches.open('perrario-paginas')).match('/perros')
        return (await kept!.text()).includes('Zarzamora')
      }),
    )
    await page.goto(`${front.url}/perros`)
    await page.getByText('Zarzamora').first().waitFor()
  },
)

pwa('what a visitor wrote is seen at once: a kept page older than that waits for the network', async (t) => {
  const { front, server } = t
  const { page } = t.visitor
  await page.goto(`${front.url}/perros`)
  await waitUntilCached(page, '/perros')
  await addDog(server, 'Recién')
  // Any call that writes will do: this one is refused, which the worker cannot know beforehand.
  await page.evaluate(() => fetch('/api/dogs', { method: 'POST', body: new FormData() }))
  await page.goto(`${front.url}/perros`)
  await page.getByText('Recién').first().waitFor()
})

pwa('a member’s pages are never kept; the public copy of what they visited is', async (t) => {
  const { front, server } = t
  const ana = await signInMember(server, 'secreta@ejemplo.es')
  const { page, errors } = (t.member = await openBehindProxy(t, '/perros', { who: ana }))
  assert.match(await page.content(), /secreta@ejemplo\.es/)
  for (const path of ['/perfil', '/perfil/cuenta', '/notificaciones', '/razas']) await page.goto(front.url + path)
  await waitUntilCached(page, '/perros')
  await waitUntilCached(page, '/razas')
  assert.equal((await cachedPaths(page)).toSorted(), ['/perros', '/razas'])
  const kept = await page.evaluate(async () => {
    const texts: string[] = []
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const key of await cache.keys()) texts.push(key.url, await (await cache.match(key))!.text())
    }
    return texts.join('\n')
  })
  assert.not.match(kept, /secreta@ejemplo\.es/)
  assert.not.ok(kept.includes(ana.alias), 'nothing kept says who was here')

  front.down()
  await page.goto(`${front.url}/razas`)
  await page.getByRole('heading', { level: 1, name: 'Colección de Razas' }).waitFor()
  assert.not.match(await page.content(), /secreta@ejemplo\.es/)
  await page.goto(`${front.url}/perfil`)
  await page.getByRole('heading', { name: 'Sin conexión', exact: true }).waitFor()
  assert.not.match(await page.content(), /secreta@ejemplo\.es/)
  assert.equal(withoutNetworkErrors(errors.splice(0)), [])
})

pwa('signing out and signing in wipe the pages', async (t) => {
  const { front, server } = t
  const ana = await signInMember(server, 'luisa@ejemplo.es')
  const { context, page } = t.member
  await useSession(context, front, ana)
  await page.goto(`${front.url}/comunidad`)
  await waitUntilCached(page, '/comunidad')
  await page.getByRole('button', { name: 'Cerrar sesión' }).click()
  await page.waitForURL(`${front.url}/`)
  await waitUntilCached(page, '/')
  assert.equal(await cachedPaths(page), ['/'])

  await page.goto(`${front.url}/razas`)
  await waitUntilCached(page, '/razas')
  await page.evaluate(() =>
    fetch('/api/auth/code', { method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json' } }),
  )
  const gone = () =>
    waitUntilTrue('the pages are gone', () => page.evaluate(async () => !(await caches.has('perrario-paginas'))))
  await gone()
  for (const path of ['/api/account', '/api/account/sessions']) {
    await page.goto(`${front.url}/razas`)
    await waitUntilCached(page, '/razas')
    await page.evaluate((url) => fetch(url, { method: 'POST' }), path)
    await gone()
  }
})

pwa('a session that began unnoticed: the visitor’s page is loaded anew for its member', async (t) => {
  const { front, server } = t
  const { context, page } = t.visitor
  await page.goto(`${front.url}/razas`)
  await waitUntilCached(page, '/razas')
  await page.goto(`${front.url}/perros`)
  await waitUntilCached(page, '/perros')
  const ana = await signInMember(server, 'ana@ejemplo.es')
  await useSession(context, front, ana)
  await page.goto(`${front.url}/perros`)
  await page.locator('[data-me-block=member]').getByText('ana@ejemplo.es').waitFor()
  assert.not.ok((await cachedPaths(page)).includes('/razas'))
})

pwa('a member on a slow network: shown what is kept, and their own page once it came', async (t) => {
  const { front, server } = t
  const ana = await signInMember(server, 'lenta@ejemplo.es')
  const { context, page } = t.member
  await useSession(context, front, ana)
  await page.goto(`${front.url}/razas`)
  await waitUntilCached(page, '/razas')
  await page.goto(`${front.url}/comunidad`)
  // The next answer alone is longer under way than the worker waits for.
  let isSlow = true
  const { promise: shown, resolve: show } = Promise.withResolvers<void>()
  front.intercept(({ url, headers }, res) => {
    if (!isSlow || url !== '/razas' || headers['sec-fetch-mode'] !== 'navigate') return false
    isSlow = false
    const late = async () => {
      const answer = await fetch(server.url + url, { headers: { cookie: headers.cookie ?? '' } })
      await shown
      res.writeHead(200, { 'Content-Type': 'text/html', 'Perrario-Session': answer.headers.get('Perrario-Session')! })
      res.end(await answer.text())
    }
    void late()
    return true
  })
  const first = await page.goto(`${front.url}/razas`)
  assert.not.match(await first!.text(), /lenta@ejemplo\.es/, 'what is kept is a visitor’s')
  show()
  await page.locator('[data-me-block=member]').getByText('lenta@ejemplo.es').waitFor()
})

pwa('photos come from the cache, and the live stream and calls always from the network', async (t) => {
  const { front, server } = t
  const ana = await signInMember(server, 'ana@ejemplo.es')
  const { context, page } = t.member
  await useSession(context, front, ana)
  front.requests.length = 0
  await page.goto(`${front.url}/perros`)
  // Its islands listen.
  await page.locator('[data-bell][role=button]').waitFor()
  const before = front.requests.filter((line) => line === 'GET /api/session').length
  const asked = await page.evaluate(async () => {
    const twice = async (url: string) => {
      for (let i = 0; i < 2; i++) await (await fetch(url)).text()
    }
    await twice('/retratos/beagle.svg')
    await twice('/api/session')
    return (await caches.match('/api/session')) === undefined
  })
  assert.ok(asked)
  assert.is(front.requests.filter((line) => line === 'GET /api/session').length - before, 2)
  assert.ok(front.requests.some((line) => line.startsWith('GET /api/events')))
})
