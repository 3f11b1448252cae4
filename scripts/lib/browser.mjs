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

const aptGet = (args) =>
  spawnSync(process.getuid?.() === 0 ? 'apt-get' : 'sudo', process.getuid?.() === 0 ? args : ['apt-get', ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })

/** Installs Debian packages one by one, since not every release has all of them. */
function apt(names) {
  aptGet(['update', '-q'])
  for (const name of names) aptGet(['install', '-y', '-q', '--no-install-recommends', name])
}

/** Makes sure that there is a browser; says what it does. */
export function installBrowser() {
  if (process.env.CHROMIUM || (found([SHELL]) && found(WHOLE))) return
  if (isDebian()) {
    say('instalando Chromium (apt)…')
    apt(['fonts-noto-color-emoji', 'chromium', 'chromium-headless-shell'])
  }
  if (found(WHOLE)) return
  say('descargando Chromium (Playwright)…')
  spawnSync(node, ['node_modules/playwright/cli.js', 'install', 'chromium'], { stdio: 'inherit' })
}

/** What tests/engines drive, by the file that does: where each of its programs may be, and the packages that bring them. */
const ENGINES = {
  firefox: {
    programs: [['/usr/bin/firefox-esr', '/usr/bin/firefox', '/Applications/Firefox.app/Contents/MacOS/firefox']],
    packages: ['firefox-esr'],
    variable: 'FIREFOX',
  },
  webkit: {
    programs: [['/usr/bin/WebKitWebDriver'], ['/usr/bin/Xvfb']],
    packages: ['webkit2gtk-driver', 'xvfb'],
  },
}

const isThere = ({ programs, variable }) =>
  Boolean(variable && process.env[variable]) || programs.every((paths) => found(paths))

/**
 * Makes sure that there is an engine as far as this machine can have it; says what it does.
 * @param {string} name of a file in tests/engines
 * @returns {boolean} false where this system has no package of it: its tests cannot run here, and that was said
 */
export function installEngine(name) {
  const engine = ENGINES[name]
  if (!engine || isThere(engine)) return true
  const packages = engine.packages.join(', ')
  if (!isDebian()) {
    say(`tests/engines/${name}: SIN PROBAR, este sistema no es Debian; instala lo que trae ${packages}`)
    return false
  }
  say(`instalando ${packages} (apt)…`)
  apt([...engine.packages, 'fonts-noto-color-emoji'])
  // On Debian its absence is a fault, which the test itself tells.
  return true
}
