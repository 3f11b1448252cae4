import type { Page } from 'playwright'
import { storeNotification } from '#features/notifications/notifications.server.ts'
import { openContext, watchErrors } from '#tests/support/browser/chromium.ts'
import { poolTabs, type TabPool } from '#tests/support/browser/page-pool.ts'
import { signInMember, type TestMember, useSession } from '#tests/support/members.ts'
import { assert, browserSuite, type BrowserWorld } from '#tests/support/suites.ts'

interface Shared extends BrowserWorld {
  ana: TestMember
  tabs: TabPool
  /** Streams that the browser asked for, and those that still run. */
  asked: string[]
  running: Set<string>
}
const tabs = browserSuite<Shared>('live tabs')

let people = 0
tabs.before(async (t) => {
  t.tabs = poolTabs(await openContext(t.browser))
  const { context } = t.tabs
  context.on('request', (request) => {
    if (!request.url().includes('/api/events')) return
    t.asked.push(request.url())
    t.running.add(request.url())
  })
  const over = (request: { url: () => string }) => void t.running.delete(request.url())
  context.on('requestfinished', over)
  context.on('requestfailed', over)
})
tabs.before.each(async (t) => {
  t.ana = await signInMember(t.server, `ana${++people}@ejemplo.es`)
  await useSession(t.tabs.context, t.server, t.ana)
  t.asked = []
  t.running = new Set()
})
tabs.after.each(({ tabs, server }) => tabs.reset(server.url))

async function openTab({ tabs, server }: Shared): Promise<Page> {
  const page = await tabs.openTab()
  await page.goto(`${server.url}/comunidad`)
  // The bell is a button once it listens.
  await page.locator('[data-bell][role=button]').waitFor()
  return page
}
const notifyAna = ({ server, ana }: Shared, title: string) =>
  storeNotification(server.db, { userId: ana.id, title, content: 'Hola' })
const waitForCount = (page: Page, text: string) =>
  page.locator('[data-bell-count]', { hasText: new RegExp(`^${text}$`) }).waitFor()

tabs('two tabs share one connection, and both hear', async (t) => {
  const [first, second] = [await openTab(t), await openTab(t)]
  const errors = watchErrors(second)
  await notifyAna(t, 'Uno')
  await waitForCount(first, '1')
  await waitForCount(second, '1')
  assert.is(t.asked.length, 1)
  assert.equal(errors, [])
})

tabs('when the reading tab closes, the other goes on from there and loses nothing', async (t) => {
  const [first, second] = [await openTab(t), await openTab(t)]
  await notifyAna(t, 'Uno')
  await waitForCount(second, '1')
  await first.close()
  // Nobody may be reading at this moment.
  await notifyAna(t, 'Dos')
  await waitForCount(second, '2')
  await notifyAna(t, 'Tres')
  await waitForCount(second, '3')
  assert.is(t.asked.length, 2)
  assert.match(t.asked[1]!, /\?after=[1-9]\d*$/)
  // The third tab is told by the one that reads now, which was no reader when the first line came.
  const third = await openTab(t)
  await notifyAna(t, 'Cuatro')
  await waitForCount(third, '4')
  assert.is(t.asked.length, 2)
})

tabs('a reading tab that sleeps loses its place to the one that is looked at', async (t) => {
  const first = await openTab(t)
  await notifyAna(t, 'Uno')
  await waitForCount(first, '1')
  // As a phone puts tabs to sleep: it says nothing any more, and keeps its lock.
  await first.evaluate(() => void (BroadcastChannel.prototype.postMessage = () => {}))
  const second = await openTab(t)
  await notifyAna(t, 'Dos')
  await waitForCount(second, '2')
  assert.equal([t.asked.length, t.running.size], [2, 1])
})

tabs('after a restart of the server events go on', async (t) => {
  const page = await openTab(t)
  await notifyAna(t, 'Uno')
  await waitForCount(page, '1')
  await t.server.stop()
  await t.server.restart()
  await notifyAna(t, 'Dos')
  await waitForCount(page, '2')
})
