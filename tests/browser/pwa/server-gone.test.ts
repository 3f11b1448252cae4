import { type FaultProxy, startFaultProxy } from '#tests/support/browser/fault-proxy.ts'
import { openBehindProxy, waitUntilCached } from '#tests/support/browser/service-worker.ts'
import { signInMember } from '#tests/support/members.ts'
import { assert, browserSuite } from '#tests/support/suites.ts'

const pwa = browserSuite<{ front: FaultProxy }>('a server that is gone')

pwa.before(async (t) => {
  t.front = await startFaultProxy(t.server.url)
})
pwa.after(({ front }) => front.dispose())

pwa('a cached page says so while only the server is gone, and is loaded anew once it answers', async (t) => {
  const { front, server } = t
  const visitor = await openBehindProxy(t, '/razas')
  const member = await openBehindProxy(t, '/razas', { who: await signInMember(server, 'ana@ejemplo.es') })
  const faults = {
    'no server': () => front.down(),
    'a proxy without its server': () => front.intercept((_, res) => Boolean(res.writeHead(502).end('Bad Gateway'))),
    'a network without Internet': () => front.intercept(() => true),
  }
  const repair = () => {
    front.intercept(() => false)
    // Requests that nobody answers would keep their connections.
    front.down()
    front.up()
  }
  let isFirst = true
  for (const [fault, begin] of Object.entries(faults))
    for (const { page } of [visitor, member]) {
      repair()
      await page.goto(`${front.url}/razas`)
      await waitUntilCached(page, '/razas')
      begin()
      await page.goto(`${front.url}/razas`, { waitUntil: 'commit' })
      await page.getByText(/^Sin conexión. Ves una copia guardada /).waitFor()
      assert.is(await page.evaluate(() => navigator.onLine), true)
      repair()
      // The first time the page asks by itself; then a sign of the network has it ask at once.
      if (!isFirst) await page.evaluate(() => dispatchEvent(new Event('online')))
      isFirst = false
      await page.locator('html:not([data-cached])').waitFor({ state: 'attached' })
      assert.is(await page.locator('.cached-notice').count(), 0, fault)
      if (page === member.page) await page.locator('[data-me-block=member]').getByText('ana@ejemplo.es').waitFor()
    }
})
