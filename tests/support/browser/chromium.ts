import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright'

const FULL_CHROMIUM_PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/**
 * One Chromium for a test file: the headless shell, which takes half the time, or the whole browser, which alone shows
 * notices; Playwright's own where the system has none.
 */
export function launchBrowser(isWhole = false, more: string[] = []): Promise<Browser> {
  const shell = isWhole ? [] : ['/usr/bin/chromium-headless-shell']
  const executablePath = [process.env.CHROMIUM, ...shell, ...FULL_CHROMIUM_PATHS].find(
    (path) => path && existsSync(path),
  )
  return chromium.launch({
    ...(executablePath && { executablePath }),
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

/** What a page logged as an error or threw, in order. A test ends by asking that it is empty. */
export function watchErrors(page: Page): string[] {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(String(error)))
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  return errors
}

/**
 * A fresh visitor in Spanish, Madrid time. Without the service worker unless `options` allow it: what a test looks at then
 * comes from the server, always.
 */
export const openContext = (browser: Browser, options: BrowserContextOptions = DESKTOP): Promise<BrowserContext> =>
  browser.newContext({ locale: 'es-ES', timezoneId: 'Europe/Madrid', serviceWorkers: 'block', ...options })
