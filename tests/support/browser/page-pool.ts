import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from 'playwright'
import { type TestMember, useSession } from '#tests/support/members.ts'
import type { BrowserWorld } from '#tests/support/suites.ts'
import { DESKTOP, openContext, watchErrors } from './chromium.ts'

// Chromium takes twice the processor time for a page of a new context than for a navigation of a page that is open: its
// process, its compiled scripts and its HTTP cache are there. Hence one page after another test, made new in between.

export interface PooledPage {
  context: BrowserContext
  page: Page
  /** What it logged as an error or threw since it was taken. */
  errors: string[]
}

interface Slot {
  options: BrowserContextOptions
  context: BrowserContext
  page: Page
  devtools: CDPSession
  origins: Set<string>
  /** Where errors go: the list of the test that has it. */
  errors: string[]
}

const idle = new WeakMap<Browser, Map<string, Slot[]>>()
/** What gives back the pages that were taken since a test began. */
const releases = new WeakMap<Browser, (() => Promise<void>)[]>()

/** Begins a test: what was taken before it stays. */
export const beginPages = (browser: Browser) => void releases.set(browser, [])
/** Gives back every page that was taken since the test began, as a fresh visitor's. */
export async function releasePages(browser: Browser): Promise<void> {
  for (const release of releases.get(browser)?.splice(0) ?? []) await release()
}

/**
 * Takes a page of a browser of these options that no other test uses, or opens one. A `browserSuite` gives it back at the end of the test. Not
 * for a script that stays: `clock`.
 */
export async function takePage(browser: Browser, options: BrowserContextOptions = DESKTOP): Promise<PooledPage> {
  const key = JSON.stringify(options)
  if (!idle.has(browser)) idle.set(browser, new Map())
  const slots = idle.get(browser)!
  if (!slots.has(key)) slots.set(key, [])
  const free = slots.get(key)!
  let slot = free.pop()
  // `browser.close` of a shared Chromium closes the contexts only.
  while (slot?.page.isClosed()) slot = free.pop()
  slot ??= await openSlot(browser, options)
  const { context, page } = slot
  const taken = slot
  const errors = (taken.errors = [] as string[])
  releases.get(browser)?.push(async () => {
    if (page.isClosed()) return
    // Leaving the site ends what was under way, view transitions among it.
    taken.errors = []
    await reset(taken)
    free.push(taken)
  })
  return { context, page, errors }
}

/** A page as `takePage` has it, of a signed-in member if `who` is given, at a path of the site. */
export async function visit(
  { server, browser }: BrowserWorld,
  path: string,
  options?: BrowserContextOptions,
  who?: Pick<TestMember, 'token'>,
): Promise<PooledPage> {
  const taken = await takePage(browser, options)
  if (who) await useSession(taken.context, server, who)
  await taken.page.goto(server.url + path)
  return taken
}

async function openSlot(browser: Browser, options: BrowserContextOptions): Promise<Slot> {
  const context = await openContext(browser, options)
  const page = await context.newPage()
  const origins = new Set<string>()
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame() && frame.url().startsWith('http')) origins.add(new URL(frame.url()).origin)
  })
  const slot: Slot = { options, context, page, devtools: await context.newCDPSession(page), origins, errors: [] }
  watchErrors(page, (error) => void slot.errors.push(error))
  return slot
}

async function reset({ options, context, page, devtools, origins }: Slot): Promise<void> {
  for (const other of context.pages()) if (other !== page) await other.close()
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.clearCookies()
  await context.setOffline(false)
  await context.setExtraHTTPHeaders({})
  for (const origin of origins) {
    // A page without scripts: whatever is stored when the last one is left is stored by now.
    await page.goto(`${origin}/robots.txt`)
    await page.evaluate(() => sessionStorage.clear())
    await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage,indexeddb,cache_storage' })
  }
  origins.clear()
  const { colorScheme = null, reducedMotion = null, viewport } = options
  await page.emulateMedia({ media: null, colorScheme, reducedMotion })
  if (viewport) await page.setViewportSize(viewport)
  // Nothing of the next page is under the pointer.
  await page.mouse.move(0, 0)
}

/** A context whose tabs tests take one after another. */
export interface TabPool {
  context: BrowserContext
  /** A tab at no page of the site, or a new one. */
  openTab: () => Promise<Page>
  /** Leaves the site in every tab; signed out, with nothing stored. */
  reset: (origin: string) => Promise<void>
}

export function poolTabs(context: BrowserContext): TabPool {
  const free: Page[] = []
  return {
    context,
    openTab: async () => free.pop() ?? (await context.newPage()),
    reset: async (origin) => {
      await context.unrouteAll({ behavior: 'ignoreErrors' })
      await context.clearCookies()
      free.splice(0, Infinity, ...context.pages())
      for (const page of free) {
        await page.unrouteAll({ behavior: 'ignoreErrors' })
        await page.goto(`${origin}/robots.txt`)
      }
      // What the last one stored when it was left goes, too.
      for (const page of free) await page.evaluate(() => [localStorage, sessionStorage].forEach((each) => each.clear()))
    },
  }
}
