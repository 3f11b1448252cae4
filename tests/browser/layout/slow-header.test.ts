import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DESKTOP, openContext } from '#tests/support/browser/chromium.ts'
import { findLayoutShifts, recordFrames } from '#tests/support/browser/painted-frames.ts'
import { waitUntilHydrated } from '#tests/support/browser/requests.ts'
import type { TestServer } from '#tests/support/server.ts'
import { assert, browserSuite } from '#tests/support/suites.ts'

// A page whose header arrives in two parts is painted between them; nothing moves when the rest comes.

const PAUSE_MS = 600
/** Where the header is cut: after the search, before what stands on its right. */
const CUT = /<form class="search finder[^]*?<\/form>/

const header = browserSuite<{ proxy: Server }>('slow header')

/** Forwards requests, and sends the first part of a page's header before the rest. */
function startSlowProxy(server: TestServer): Promise<Server> {
  const proxy = createServer(async ({ url, headers }, response) => {
    const answer = await fetch(server.url + url, { headers: { accept: headers.accept ?? '*/*' } })
    const type = answer.headers.get('content-type') ?? ''
    const body = Buffer.from(await answer.arrayBuffer())
    response.writeHead(answer.status, { 'content-type': type })
    if (!type.startsWith('text/html')) {
      response.end(body)
      return
    }
    const html = body.toString()
    const match = CUT.exec(html)
    const cutAt = match ? match.index + match[0].length : 0
    response.write(html.slice(0, cutAt))
    setTimeout(() => response.end(html.slice(cutAt)), match ? PAUSE_MS : 0)
  })
  return new Promise((resolve) => proxy.listen(0, '127.0.0.1', () => resolve(proxy)))
}

header.before(async (t) => {
  t.proxy = await startSlowProxy(t.server)
})
header.after(({ proxy }) => void proxy.close())

header('nothing of a header that arrives in parts moves', async ({ browser, proxy }) => {
  const context = await openContext(browser, { reducedMotion: 'reduce', ...DESKTOP, serviceWorkers: 'block' })
  const page = await context.newPage()
  await recordFrames(page)
  const { port } = proxy.address() as AddressInfo
  for (const path of ['/perros', '/comunidad']) {
    await page.goto(`http://127.0.0.1:${port}${path}`)
    await waitUntilHydrated(page)
    assert.equal(await findLayoutShifts(page, '.book'), [], path)
  }
  await context.close()
})
