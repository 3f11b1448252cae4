import type { Browser, BrowserContextOptions } from 'playwright'
import { PHONE, openContext } from '#tests/support/browser/chromium.ts'
import { dog, member, seed } from '#tests/support/seed.ts'
import type { TestServer } from '#tests/support/server.ts'
import { paintTwice } from '#tests/support/browser/requests.ts'
import { waitUntilTrue } from '#tests/support/browser/service-worker.ts'
import { assert, browserSuite } from '#tests/support/suites.ts'

// The photos that a page is seen by come before those further down (photos/lazy-photos.client.ts).
const loadingOrder = browserSuite('first photos')

loadingOrder.before(async (t) => {
  await seed(t.server.db, member({ alias: 'Ana' }), ...Array.from({ length: 9 }, () => dog({ photos: 2 })))
})

/** The list with its photos held back: how many are asked for, and how to let them go. */
async function open(
  { browser, server }: { browser: Browser; server: TestServer },
  options: BrowserContextOptions = {},
) {
  const context = await openContext(browser, { ...PHONE, ...options })
  const page = await context.newPage()
  const held: (() => void)[] = []
  const asked = new Set<string>()
  await page.route('**/_ipx/**', (route) => {
    asked.add(route.request().url())
    held.push(() => void route.continue().catch(() => {}))
  })
  const load = () => page.goto(`${server.url}/perros`, { waitUntil: 'domcontentloaded' })
  const asks = async (count: number) => {
    await waitUntilTrue(`${count} photos are asked for`, async () => asked.size >= count)
    return asked.size
  }
  return { context, page, load, asked, asks, letGo: () => held.splice(0).forEach((send) => send()) }
}

loadingOrder('photos further down are asked for once the first four are seen', async (t) => {
  const { context, page, load, asked, asks, letGo } = await open(t)
  await page.clock.install()
  await load()
  await asks(4)
  await page.clock.runFor(1000)
  await paintTwice(page)
  assert.is(asked.size, 4)
  letGo()
  assert.ok((await asks(8)) >= 8, 'the others follow')
  await context.close()
})

loadingOrder('who scrolls meanwhile waits for nothing', async (t) => {
  const { context, page, load, asks } = await open(t)
  await load()
  assert.is(await asks(4), 4)
  await page.evaluate(() => scrollBy(0, 600))
  assert.ok((await asks(8)) >= 8)
  await context.close()
})

loadingOrder(
  'a phone of 390 px at two pixels a point takes the lesser render, a sharper one the greater',
  async (t) => {
    for (const [deviceScaleFactor, side] of [
      [2, 300],
      [3, 600],
    ] as const) {
      const { context, load, asked, asks } = await open(t, { deviceScaleFactor })
      await load()
      await asks(4)
      for (const url of asked) assert.match(url, `/s_${side}x${side},`)
      await context.close()
    }
  },
)

loadingOrder('without script, or where it never arrives, they come all the same', async (t) => {
  const plain = await open(t, { javaScriptEnabled: false })
  await plain.load()
  assert.ok((await plain.asks(8)) >= 8)
  await plain.context.close()
  const broken = await open(t)
  await broken.page.route('**/*.js', (route) => route.abort())
  await broken.load()
  assert.is(await broken.asks(4), 4)
  assert.ok((await broken.asks(8)) >= 8, 'after four seconds')
  await broken.context.close()
})
