import type { BrowserContext, Page, Response } from 'playwright'
import { watchErrors } from './chromium.ts'
import { watchCspViolations } from './csp-violations.ts'
import { thirdPartyUrls, waitUntilQuiet, watchRequests } from './requests.ts'

/** What a browser says itself of what is not there. */
export const isStatusError = (text: string): boolean =>
  /Failed to load resource: the server responded with a status of 4\d\d/.test(text)

const POLICY_START = /^default-src 'none'; script-src 'self' 'sha256-/

export interface WatchedPage {
  page: Page
  /** Goes on only when the page does nothing more by itself, at its top and where it ends. */
  waitUntilQuiet: () => Promise<void>
  /**
   * What went wrong since it was last asked: what the content policy refused, requests to other origins, errors that were
   * thrown or logged.
   * @param ignored words of errors that the test itself causes
   */
  faults: (ignored?: RegExp) => string[]
}

/** A page of a context, of which everything is followed that no page of the site may do. */
export async function openWatchedPage(context: BrowserContext, origin: string): Promise<WatchedPage> {
  const refused = await watchCspViolations(context)
  const requests = watchRequests(context)
  const page = await context.newPage()
  // The album to print has 434 pictures.
  page.setDefaultNavigationTimeout(60_000)
  const errors = watchErrors(page)
  return {
    page,
    waitUntilQuiet: async () => {
      await waitUntilQuiet(page, requests)
      // What scripts fetch once the page stands still, and what comes into view further down.
      await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }))
      await waitUntilQuiet(page, requests)
      await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
    },
    faults: (ignored) => [
      ...refused.splice(0).map((what) => `the content policy refuses ${what}`),
      ...thirdPartyUrls(requests.urls.splice(0), origin).map((url) => `it asks ${url}`),
      ...errors
        .splice(0)
        .filter((text) => !isStatusError(text) && !ignored?.test(text))
        .map((text) => `it logs ${text}`),
    ],
  }
}

/** Whether an answer has the pages' content policy. */
export const policyFaults = (answer: Response | null): string[] => {
  const policy = answer?.headers()['content-security-policy'] ?? ''
  return POLICY_START.test(policy) ? [] : [`its content policy is «${policy.slice(0, 80)}»`]
}

/** Cookies other than those that the privacy page names: none of a visitor's, the session's alone of a member's. */
export async function cookieFaults(context: BrowserContext, isMember: boolean): Promise<string[]> {
  const names = (await context.cookies()).map(({ name }) => name).join(', ')
  return names === (isMember ? 'perrario' : '') ? [] : [`its cookies are «${names}»`]
}
