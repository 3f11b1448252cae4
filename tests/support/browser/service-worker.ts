import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright'
import { DESKTOP, openContext, watchErrors } from './chromium.ts'
import type { FaultProxy } from './fault-proxy.ts'
import { type TestMember, useSession } from '#tests/support/members.ts'

/** A visitor whose browser takes the service worker. */
export const openContextWithWorker = (browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> =>
  openContext(browser, { ...DESKTOP, reducedMotion: 'reduce', serviceWorkers: 'allow', ...options })

/** Asks until it is so. (`page.waitForFunction` takes the promise of an async function for a yes.) */
export async function waitUntilTrue(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 20_000
  while (!(await isSo().catch(() => false))) {
    if (Date.now() > end) throw new Error(`waited in vain: ${what}`)
    await new Promise((done) => setTimeout(done, 50))
  }
}

/** Waits until a worker serves the page and has kept what it keeps at the first visit: the form and the page itself. */
export const waitForWorker = (page: Page): Promise<void> =>
  waitUntilTrue('a worker that has kept the form', () =>
    page.evaluate(async () => {
      // Somebody is there (layouts/deferred-loads.client.ts).
      dispatchEvent(new Event('pointermove'))
      if (!navigator.serviceWorker.controller) return false
      const names = await caches.keys()
      const form = names.find((name) => name.startsWith('perrario-formulario-'))
      return form !== undefined && (await caches.match('/api/breeds')) !== undefined
    }),
  )

export interface OpenedPage {
  context: BrowserContext
  page: Page
  errors: string[]
}

/** A page behind a front, in a browser of its own whose worker is ready; `who` has a session there. */
export async function openBehindProxy(
  { browser, front }: { browser: Browser; front: FaultProxy },
  path: string,
  { who, ...options }: BrowserContextOptions & { who?: TestMember | undefined } = {},
): Promise<OpenedPage> {
  const context = await openContextWithWorker(browser, options)
  if (who) await useSession(context, front, who)
  const page = await context.newPage()
  const errors = watchErrors(page)
  await page.goto(front.url + path)
  await waitForWorker(page)
  return { context, page, errors }
}

/** The paths of the pages that are kept. */
export const cachedPaths = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const keys = await (await caches.open('perrario-paginas')).keys()
    return keys.map(({ url }) => new URL(url).pathname + new URL(url).search).filter((path) => path !== '/.visitante')
  })

/** Waits until `path` is kept. */
export const waitUntilCached = (page: Page, path: string): Promise<void> =>
  waitUntilTrue(`${path} kept`, async () => (await cachedPaths(page)).includes(path))

/** Without the browser’s own words for a request that found no server: logged by it, whatever a page does. */
export const withoutNetworkErrors = (errors: string[]) =>
  errors.filter((text) => !/net::ERR_|Failed to fetch/.test(text))
