import type { BrowserContext, Page, Request } from 'playwright'
import { waitUntilTrue } from './service-worker.ts'

export interface RequestLog {
  /** The addresses that were asked for, in order. */
  urls: string[]
  /** Waits until every answer is there but that of the live stream, which never ends. */
  answered: () => Promise<void>
}

/** Follows what the pages of a context, or one page, ask for. */
export function watchRequests(of: BrowserContext | Page): RequestLog {
  const urls: string[] = []
  const pending = new Set<Request>()
  const start = (request: Request) => {
    urls.push(request.url())
    if (request.resourceType() !== 'eventsource') pending.add(request)
  }
  const end = (request: Request) => void pending.delete(request)
  // The two have the same events; TypeScript knows each by its own overloads.
  const source = of as Page
  source.on('request', start)
  source.on('requestfinished', end)
  source.on('requestfailed', end)
  return {
    urls,
    answered: () => waitUntilTrue('every request is answered', async () => pending.size === 0),
  }
}

/** The addresses of another origin among them. */
export const thirdPartyUrls = (urls: readonly string[], origin: string): string[] =>
  urls.filter((url) => new URL(url).origin !== origin && !/^(data|blob):/.test(url))

/** Waits until a page's islands are awake and it has painted what they drew. */
export async function waitUntilHydrated(page: Page): Promise<void> {
  await page.waitForLoadState('load')
  // Islands wake once the photos are there.
  await page.waitForFunction(
    () => !document.querySelector('astro-island[client=load][ssr],astro-island[client=settled][ssr]'),
  )
  await paintTwice(page)
}

/** Whatever the page does next, it has done when it has painted twice. */
export const paintTwice = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))

/** How far the page's parts have been moved since it began, as Chromium counts it. */
export const readLayoutShift = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    let sum = 0
    const add = (entries: PerformanceEntryList) => {
      for (const entry of entries) sum += (entry as PerformanceEntry & { value: number }).value
    }
    const observer = new PerformanceObserver((list) => add(list.getEntries()))
    observer.observe({ type: 'layout-shift', buffered: true })
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
    add(observer.takeRecords())
    return sum
  })

/** Waits until a page does nothing more by itself: its islands are awake, it has been idle, and nothing is under way. */
export async function waitUntilQuiet(page: Page, requests: RequestLog): Promise<void> {
  await waitUntilHydrated(page)
  await requests.answered()
  await page.evaluate(() => new Promise((done) => requestIdleCallback(done)))
  await requests.answered()
}
