// The browser of the tests: Chromium from the system, from apt where this is Debian, else Playwright's own download.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { node, say } from './setup.mjs'

// The headless shell first: the whole browser draws its own tabs and menus as well, and takes twice the time.
const CANDIDATES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Where a Chromium of the system is, or undefined. CHROMIUM names another. */
export const systemChromium = () => [process.env.CHROMIUM, ...CANDIDATES].find((path) => path && existsSync(path))

const isDebian = () =>
  existsSync('/etc/os-release') && /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(readFileSync('/etc/os-release', 'utf8'))

/** Makes sure that there is a browser; says what it does. */
export function installBrowser() {
  if (systemChromium()) return
  if (isDebian()) {
    say('instalando Chromium (apt)…')
    const apt = (args) =>
      spawnSync(process.getuid?.() === 0 ? 'apt-get' : 'sudo', process.getuid?.() === 0 ? args : ['apt-get', ...args], {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      })
    apt(['update', '-q'])
    // Older Debians and Ubuntu have no package of the shell.
    for (const browser of ['chromium-headless-shell', 'chromium']) {
      apt(['install', '-y', '-q', '--no-install-recommends', browser, 'fonts-noto-color-emoji'])
      if (systemChromium()) return
    }
  }
  say('descargando Chromium (Playwright)…')
  spawnSync(node, ['node_modules/playwright/cli.js', 'install', 'chromium'], { stdio: 'inherit' })
}
