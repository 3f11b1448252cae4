import type { Browser, Page } from 'playwright'
import { DESKTOP } from './chromium.ts'
import { takePage } from './page-pool.ts'
import { watchRequests } from './requests.ts'
import type { TestServer } from '#tests/support/server.ts'

/** A page of the site, taken from the pool, and what went wrong in it. */
export async function openPage(
  { server, browser }: { server: TestServer; browser: Browser },
  path: string,
  options = {},
) {
  const taken = await takePage(browser, { ...DESKTOP, ...options })
  // The album to print has 434 pictures.
  taken.page.setDefaultNavigationTimeout(60_000)
  const requests = watchRequests(taken.page)
  await taken.page.goto(server.url + path)
  return { ...taken, requests }
}

/** How many sheets a printer would use, without background graphics. */
export async function countSheets(page: Page, format: 'A4' | 'Letter'): Promise<number> {
  const pdf = (await page.pdf({ format })).toString('latin1')
  return Math.max(...[...pdf.matchAll(/\/Count (\d+)/g)].map(([, count]) => Number(count)))
}

/** The page as paper shows it, as wide as A4 and Letter are between margins of 12 mm. */
export const emulatePrint = async (page: Page, width = 703, height = 1032) => {
  await page.emulateMedia({ media: 'print' })
  await page.setViewportSize({ width, height })
}

/** Descendants of `outer` that stand out of it, by half a pixel or more. */
export const findOverflowing = (page: Page, outer: string, inner: string) =>
  page.locator(outer).evaluateAll(
    (outers, what) =>
      outers
        .flatMap((each) => {
          const box = each.getBoundingClientRect()
          return [...each.querySelectorAll(what)].filter((one) => {
            const own = one.getBoundingClientRect()
            return (
              own.height > 0 &&
              (own.bottom > box.bottom + 0.5 ||
                own.top < box.top - 0.5 ||
                own.right > box.right + 0.5 ||
                own.left < box.left - 0.5)
            )
          })
        })
        .map((one) => one.textContent),
    inner,
  )

/** What one presses. */
export const SCREEN_ONLY = [
  '.top',
  '.side',
  '.tabbar',
  '.join-banner',
  '.btn',
  '.print-bar',
  '.to-print',
  'form',
  'nav',
]
/** Which of these are to be seen. */
export const findVisible = async (page: Page, selectors: string[]) => {
  const seen: string[] = []
  for (const each of selectors) if ((await page.locator(each).filter({ visible: true }).count()) > 0) seen.push(each)
  return seen
}
