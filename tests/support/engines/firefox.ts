import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type ElementHandle, launch } from 'puppeteer-core'
import type { Engine, ScreenOptions } from './engine.ts'

const FIREFOX_PATHS = ['/usr/bin/firefox-esr', '/usr/bin/firefox', '/Applications/Firefox.app/Contents/MacOS/firefox']

/** The album to print has 434 pictures: a full machine needs more than the 30 s of the default. */
const NAVIGATION_TIMEOUT_MS = 120_000

const LIGHT = 1
const DARK = 0

/**
 * What a page still loads when it is left is broken off, which is no error of anybody. Behind a service worker Firefox calls it
 * an unexpected error of that: there the file must be had when it is asked for again.
 */
async function isAbortedLoad(text: string): Promise<boolean> {
  if (text.includes('NS_BINDING_ABORTED')) return true
  const [, url] = /Failed to load ‘(|http[^’]+)’\. A ServiceWorker intercepted/.exec(text) ?? []
  // Without an address it was gone before Firefox could say what it was.
  return url === '' || (url !== undefined && (await fetch(url).catch(() => null))?.ok === true)
}

/** Firefox by WebDriver BiDi, without a window. @throws where there is no Firefox */
export async function openFirefox({ width, height, dark }: ScreenOptions): Promise<Engine> {
  const executablePath = [process.env.FIREFOX, ...FIREFOX_PATHS].find((path) => path && existsSync(path))
  if (!executablePath) throw new Error('There is no Firefox: install firefox-esr, or name one in FIREFOX')
  const home = mkdtempSync(join(tmpdir(), 'perrario-firefox-'))
  const browser: Browser = await launch({
    browser: 'firefox',
    executablePath,
    headless: true,
    env: { ...process.env, HOME: home, TZ: 'Europe/Madrid' },
    extraPrefsFirefox: {
      'intl.accept_languages': 'es-ES, es',
      'layout.css.prefers-color-scheme.content-override': dark ? DARK : LIGHT,
    },
  })
  const page = await browser.newPage()
  page.setDefaultNavigationTimeout(NAVIGATION_TIMEOUT_MS)
  await page.setViewport({ width, height })
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  page.on('pageerror', (error) => errors.push(String(error)))
  return {
    limitations: [],
    goto: async (url) => void (await page.goto(url, { waitUntil: 'load' })),
    run: async (look, ...args) => {
      const text = await page.evaluate(`JSON.stringify((${look})(...${JSON.stringify(args)})) ?? 'null'`)
      return JSON.parse(String(text))
    },
    click: (x, y) => page.mouse.click(x, y),
    drag: async ([fromX, fromY], [toX, toY]) => {
      await page.mouse.move(fromX, fromY)
      await page.mouse.down()
      await page.mouse.move(toX, toY, { steps: 8 })
      await page.mouse.up()
    },
    type: (text) => page.keyboard.type(text),
    press: async (key) => {
      if (key !== 'SelectAll') return page.keyboard.press(key)
      await page.keyboard.down('Control')
      await page.keyboard.press('a')
      await page.keyboard.up('Control')
    },
    upload: async (selector, path) => {
      const field = (await page.$(selector)) as ElementHandle<HTMLInputElement> | null
      if (!field) throw new Error(`${selector} is not there`)
      await field.uploadFile(path)
    },
    screenshot: async (path) => void (await page.screenshot({ path: path as `${string}.png` })),
    errors: async () => {
      const isOwn = await Promise.all(errors.map(async (text) => !(await isAbortedLoad(text))))
      return errors.filter((_, i) => isOwn[i])
    },
    close: async () => {
      await browser.close()
      rmSync(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
