// The browser of the tests: Chromium from the system, from apt where this is Debian, else Playwright's own download.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { node, say } from './setup.mjs'

/** Draws no tabs and menus of its own: the tests take half the time. It shows no notices, for which the whole one is there. */
const SHELL = '/usr/bin/chromium-headless-shell'
const WHOLE = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

const found = (paths) => paths.find((path) => path && existsSync(path))

/** Where a Chromium of the system is, or undefined. CHROMIUM names another. */
export const systemChromium = () => found([process.env.CHROMIUM, SHELL, ...WHOLE])

const isDebian = () =>
  existsSync('/etc/os-release') && /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(readFileSync('/etc/os-release', 'utf8'))

/** Makes sure that there is a browser; says what it does. */
export function installBrowser() {
  if (process.env.CHROMIUM || (found([SHELL]) && found(WHOLE))) return
  if (isDebian()) {
    say('instalando Chromium (apt)…')
    const apt = (args) =>
      spawnSync(process.getuid?.() === 0 ? 'apt-get' : 'sudo', process.getuid?.() === 0 ? args : ['apt-get', ...args], {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      })
    apt(['update', '-q'])
    // Apart, since older Debians and Ubuntu have no package of the shell.
    for (const browser of ['chromium', 'chromium-headless-shell'])
      apt(['install', '-y', '-q', '--no-install-recommends', browser, 'fonts-noto-color-emoji'])
  }
  if (found(WHOLE)) return
  say('descargando Chromium (Playwright)…')
  spawnSync(node, ['node_modules/playwright/cli.js', 'install', 'chromium'], { stdio: 'inherit' })
}
