import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright'
import type { Dog } from '#features/dogs/dogs.ts'
import { call } from '#tests/support/api.ts'
import { DESKTOP, launchBrowser, openContext, watchErrors } from '#tests/support/browser/chromium.ts'
import { poolTabs, type TabPool } from '#tests/support/browser/page-pool.ts'
import { signInMember, type TestMember, useSession } from '#tests/support/members.ts'
import { dog, seed } from '#tests/support/seed.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { assert, suite } from '#tests/support/suites.ts'

export interface LiveWorld {
  server: TestServer
  browser: Browser
  ana: TestMember
  luis: TestMember
  eva: TestMember
  toby: Dog
  /** Their browsers, which tests reuse, by their options. */
  devices: Map<string, TabPool[]>
  taken: Map<BrowserContext, TabPool>
  /** What the pages that were opened have logged. */
  errors: Map<Page, string[]>
}

/** A suite over one server with three members, of whom Eva has a new dog at each test. */
export function liveSuite(name: string) {
  const live = suite<LiveWorld>(name)
  live.before(async (t) => {
    t.server = await startServer()
    t.browser = await launchBrowser()
    t.devices = new Map()
    t.taken = new Map()
    t.errors = new Map()
    for (const name of ['ana', 'luis', 'eva'] as const) t[name] = await signInMember(t.server, `${name}@ejemplo.es`)
  })
  live.after(async (t) => {
    await t.browser.close()
    await t.server.dispose()
  })
  live.before.each(async (t) => {
    ;[t.toby] = await seed(t.server.db, dog({ name: 'Toby', owner_id: t.eva.id, photos: 0 }))
  })
  live.after.each(async (t) => {
    const errors = [...t.errors.values()].flat()
    for (const tabs of t.taken.values()) await tabs.reset(t.server.url)
    t.taken.clear()
    // Leaving the site ends what was under way, view transitions among it.
    for (const log of t.errors.values()) log.length = 0
    assert.equal(errors, [])
  })
  return live
}

/** A device of this member's, which no other has in this test; counts the sounds it makes. */
export async function openDevice(t: LiveWorld, member?: TestMember, options = {}): Promise<BrowserContext> {
  const key = JSON.stringify(options)
  const devices = t.devices.get(key) ?? []
  t.devices.set(key, devices)
  let tabs = devices.find(({ context }) => !t.taken.has(context))
  if (!tabs) devices.push((tabs = poolTabs(await openSilentContext(t, options))))
  t.taken.set(tabs.context, tabs)
  if (member) await useSession(tabs.context, t.server, member)
  return tabs.context
}

async function openSilentContext(t: LiveWorld, options: BrowserContextOptions): Promise<BrowserContext> {
  const context = await openContext(t.browser, { ...DESKTOP, ...options })
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

/** A tab of the device, at no page yet. */
export async function openEmptyTab(t: LiveWorld, context: BrowserContext): Promise<Page> {
  const page = await t.taken.get(context)!.openTab()
  if (!t.errors.has(page)) t.errors.set(page, watchErrors(page))
  return page
}
export async function openTab(t: LiveWorld, context: BrowserContext, path: string): Promise<Page> {
  const page = await openEmptyTab(t, context)
  await page.goto(t.server.url + path)
  return page
}
export const openPage = async (t: LiveWorld, member: TestMember | undefined, path: string, options = {}) =>
  openTab(t, await openDevice(t, member, options), path)

export const heartButton = (page: Page, id: string, state = '') => page.locator(`[data-like="${id}"]${state}`)
export const LIKED = '[aria-pressed=true]'
export const NOT_LIKED = '[aria-pressed=false]'
export const READY = '[aria-disabled=false]'
export const waitForLikeCount = (page: Page, id: string, likes: number) =>
  heartButton(page, id).locator('[data-like-count]').getByText(String(likes), { exact: true }).waitFor()
export const sendLike = ({ server, toby }: LiveWorld, { cookie }: TestMember, method = 'PUT') =>
  call(server, `/api/dogs/${toby.id}/like`, { method, cookie })
