import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright'

const FULL_CHROMIUM_PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

let shared: Browser | undefined

/**
 * A Chromium for a test file: the headless shell, which takes half the time, or the whole browser, which alone shows
 * notices; Playwright's own where the system has none. Files that share a process (scripts/lib/test-worker.mjs) share the
 * headless shell as well: `close` then leaves it as fresh as it found it.
 */
export async function launchBrowser(isWhole = false, more: string[] = []): Promise<Browser> {
  if (!process.connected || isWhole || more.length > 0) return launchOwn(isWhole, more)
  if (shared?.isConnected()) return shared
  const browser = await launchOwn(false, [])
  const end = browser.close.bind(browser)
  browser.close = async () => {
    for (const context of browser.contexts()) await context.close()
  }
  process.once('disconnect', () => void end())
  return (shared = browser)
}

/** With the back/forward cache, which Playwright switches off. */
export const launchWithBackForwardCache = (): Promise<Browser> => launchOwn(false, [], ['--disable-back-forward-cache'])

function launchOwn(isWhole: boolean, more: string[], ignoreDefaultArgs: string[] = []): Promise<Browser> {
  const shell = isWhole ? [] : ['/usr/bin/chromium-headless-shell']
  const executablePath = [process.env.CHROMIUM, ...shell, ...FULL_CHROMIUM_PATHS].find(
    (path) => path && existsSync(path),
  )
  return chromium.launch({
    ...(executablePath && { executablePath }),
    ignoreDefaultArgs,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...more,
    ],
  })
}

export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
export const DESKTOP = { viewport: { width: 1320, height: 900 } }

/** What a page logged as an error or threw, in order; `add` takes each instead. A test ends by asking that it is empty. */
export function watchErrors(page: Page, add?: (error: string) => void): string[] {
  const errors: string[] = []
  const record = add ?? ((error) => void errors.push(error))
  page.on('pageerror', (error) => record(String(error)))
  page.on('console', (message) => message.type() === 'error' && record(message.text()))
  return errors
}

/**
 * A fresh visitor in Spanish, Madrid time. Without the service worker unless `options` allow it: what a test looks at then
 * comes from the server, always.
 */
export const openContext = (browser: Browser, options: BrowserContextOptions = DESKTOP): Promise<BrowserContext> =>
  browser.newContext({ locale: 'es-ES', timezoneId: 'Europe/Madrid', serviceWorkers: 'block', ...options })
