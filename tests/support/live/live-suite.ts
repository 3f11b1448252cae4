import type { Browser, BrowserContext, Page } from 'playwright'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Dog } from '#features/dogs/dogs.ts'
import { call } from '#tests/support/api.ts'
import { DESKTOP, launchBrowser, openContext, watchErrors } from '#tests/support/browser/chromium.ts'
import { signInMember, type TestMember, useSession } from '#tests/support/members.ts'
import { dog, seed, withDatabase } from '#tests/support/seed.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

export interface LiveWorld {
  server: TestServer
  browser: Browser
  ana: TestMember
  luis: TestMember
  eva: TestMember
  toby: Dog
  contexts: BrowserContext[]
  errors: string[]
}

/** A suite over one server with three members, of whom Eva has a new dog at each test. */
export function liveSuite(name: string) {
  const live = suite<LiveWorld>(name)
  live.before(async (t) => {
    t.server = await startServer()
    t.browser = await launchBrowser()
    for (const name of ['ana', 'luis', 'eva'] as const) t[name] = await signInMember(t.server, `${name}@ejemplo.es`)
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
  return live
}

/** A device of its own for this member; counts the sounds it makes. */
export async function openDevice(t: LiveWorld, member?: TestMember, options = {}): Promise<BrowserContext> {
  const context = await openContext(t.browser, { ...DESKTOP, ...options })
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
export async function openTab(t: LiveWorld, context: BrowserContext, path: string): Promise<Page> {
  const page = await context.newPage()
  const seen = watchErrors(page)
  page.on('close', () => t.errors.push(...seen))
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
