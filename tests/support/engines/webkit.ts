import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Builder, By, Capabilities, Key, Origin } from 'selenium-webdriver'
import { freePort } from '../server.ts'
import type { Engine, ScreenOptions } from './engine.ts'

const DRIVER = '/usr/bin/WebKitWebDriver'
const MINIBROWSER_GLOB = '/usr/lib/*/webkit2gtk-4.1/MiniBrowser'
/** MiniBrowser's window goes no narrower than its bar, px. */
const MIN_WINDOW_PX = 447

/** A display of its own, whose number the server chooses. */
async function openDisplay(): Promise<{ name: string; process: ChildProcess }> {
  const process = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '2000x1400x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [number] = await once(process.stdout!, 'data')
  return { name: `:${String(number).trim()}`, process }
}

/** Resolves once something listens. */
async function waitUntilListening(port: number): Promise<void> {
  for (let i = 0; i < 100; i++) {
    if (await fetch(`http://127.0.0.1:${port}/status`).catch(() => null)) return
    await new Promise((done) => setTimeout(done, 50))
  }
  throw new Error('WebKitWebDriver does not answer')
}

/** Stores the page's errors for later reading: the driver has no console. */
function collectPageErrors(): void {
  const page = window as { engineErrors?: string[] }
  if (page.engineErrors) return
  const errors: string[] = (page.engineErrors = [])
  const note = (message: string) => errors.push(`${location.pathname}${location.search}: ${message}`)
  addEventListener('error', ({ message }) => note(message))
  addEventListener('unhandledrejection', ({ reason }) => note(`unhandled: ${reason}`))
  const { error } = console
  console.error = (...words: unknown[]) => {
    note(words.map(String).join(' '))
    error(...words)
  }
}

/** WebKitGTK's own little browser on a display in memory. @throws where it is not installed */
export async function openWebKit({ width, height, dark }: ScreenOptions): Promise<Engine> {
  const [binary] = globSync(MINIBROWSER_GLOB)
  if (!binary || !existsSync(DRIVER)) throw new Error('There is no WebKit: install webkit2gtk-driver and xvfb')
  const home = mkdtempSync(join(tmpdir(), 'perrario-webkit-'))
  const display = await openDisplay()
  const port = await freePort()
  const service = spawn(DRIVER, [`--port=${port}`, '--host=127.0.0.1'], {
    env: {
      ...process.env,
      HOME: home,
      DISPLAY: display.name,
      TZ: 'Europe/Madrid',
      LANG: 'es_ES.UTF-8',
      LANGUAGE: 'es',
      GTK_THEME: dark ? 'Adwaita:dark' : 'Adwaita',
      // Its sandbox needs rights that containers do not give; it sees nothing but our own pages.
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
      // There is no graphics card: painting by OpenGL emulation takes a fifth more of the processor.
      WEBKIT_SKIA_ENABLE_CPU_RENDERING: '1',
      LP_NUM_THREADS: '1',
    },
    stdio: 'ignore',
  })
  await waitUntilListening(port)
  const wanted = new Capabilities({
    browserName: 'MiniBrowser',
    'webkitgtk:browserOptions': { binary, args: ['--automation'] },
  })
  const driver = await new Builder().usingServer(`http://127.0.0.1:${port}`).withCapabilities(wanted).build()
  await driver.manage().window().setRect({ width, height, x: 0, y: 0 })
  const actions = () => driver.actions({ async: true })
  const errors: string[] = []
  /** Has the page watched, then runs `look` there: one journey to the browser and back. A link may have led to another page. */
  const run: Engine['run'] = async (look, ...args) =>
    JSON.parse(
      await driver.executeScript(
        `(${collectPageErrors})(); return JSON.stringify((${look})(...arguments)) ?? 'null'`,
        ...args,
      ),
    )
  const collect = async () => {
    const found = await run(() => (window as { engineErrors?: string[] }).engineErrors?.splice(0) ?? []).catch(() => [])
    errors.push(...found)
  }
  return {
    limitations: [
      'it has no console: errors count from the moment a page has loaded',
      ...(width < MIN_WINDOW_PX ? [`its window is ${MIN_WINDOW_PX} px wide, not ${width}`] : []),
    ],
    goto: async (url) => {
      await collect()
      await driver.get(url)
      await collect()
    },
    run,
    click: async (x, y) => {
      await collect()
      await actions()
        .move({ x: Math.round(x), y: Math.round(y), origin: Origin.VIEWPORT, duration: 0 })
        .click()
        .perform()
        // A press that leaves the page may end without an answer; what it led to is waited for by the step.
        .catch((error: Error) => {
          if (error.message !== '') throw error
        })
    },
    drag: async ([fromX, fromY], [toX, toY]) => {
      const at = (x: number, y: number) => ({
        x: Math.round(x),
        y: Math.round(y),
        origin: Origin.VIEWPORT,
        duration: 20,
      })
      let moves = actions().move(at(fromX, fromY)).press()
      for (let i = 1; i <= 8; i++)
        moves = moves.move(at(fromX + ((toX - fromX) * i) / 8, fromY + ((toY - fromY) * i) / 8))
      await moves.release().perform()
    },
    type: async (text) => driver.switchTo().activeElement().sendKeys(text),
    press: (key) =>
      key === 'SelectAll'
        ? actions().keyDown(Key.CONTROL).sendKeys('a').keyUp(Key.CONTROL).perform()
        : actions().sendKeys({ Enter: Key.ENTER, Escape: Key.ESCAPE, Backspace: Key.BACK_SPACE }[key]).perform(),
    upload: (selector, path) => driver.findElement(By.css(selector)).sendKeys(path),
    screenshot: async (path) => writeFileSync(path, Buffer.from(await driver.takeScreenshot(), 'base64')),
    errors: async () => {
      await collect()
      return errors
    },
    close: async () => {
      await driver.quit().catch(() => {})
      service.kill()
      display.process.kill()
      rmSync(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
