// The tests' browsers: Chromium from the system, from apt on Debian, else Playwright's own download.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { node, say } from './setup.mjs'

/** Has no window of its own, which halves the tests' time. It shows no notifications: those tests need the full browser. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'
const FULL_BROWSERS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

const findExisting = (paths) => paths.find((path) => path && existsSync(path))

/** The path of the system's Chromium, or undefined. The variable CHROMIUM names another. */
export const systemChromium = () => findExisting([process.env.CHROMIUM, HEADLESS_SHELL, ...FULL_BROWSERS])

const isDebian = () =>
  existsSync('/etc/os-release') && /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(readFileSync('/etc/os-release', 'utf8'))

const aptGet = (args) =>
  spawnSync(process.getuid?.() === 0 ? 'apt-get' : 'sudo', process.getuid?.() === 0 ? args : ['apt-get', ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })

/** Installs Debian packages one by one, since not every release has all of them. */
function aptInstall(names) {
  aptGet(['update', '-q'])
  for (const name of names) aptGet(['install', '-y', '-q', '--no-install-recommends', name])
}

/** Pages are laid out with a font of Arial's width until their own has come (src/ui/fonts.css). */
const ARIAL_FOLDERS = ['truetype/liberation', 'truetype/liberation2', 'truetype/msttcorefonts', 'liberation-fonts'].map(
  (name) => `/usr/share/fonts/${name}`,
)

function installFonts() {
  if (!isDebian() || findExisting(ARIAL_FOLDERS)) return
  say('instalando fonts-liberation (apt)…')
  aptInstall(['fonts-liberation'])
}

/** Installs a browser where there is none, and prints what it does. */
export function installBrowser() {
  installFonts()
  if (process.env.CHROMIUM || (findExisting([HEADLESS_SHELL]) && findExisting(FULL_BROWSERS))) return
  if (isDebian()) {
    say('instalando Chromium (apt)…')
    aptInstall(['fonts-noto-color-emoji', 'chromium', 'chromium-headless-shell'])
  }
  if (findExisting(FULL_BROWSERS)) return
  say('descargando Chromium (Playwright)…')
  spawnSync(node, ['node_modules/playwright/cli.js', 'install', 'chromium'], { stdio: 'inherit' })
}

/** The engines of tests/engines, by test file: where each of its programs may be, and the packages that install them. */
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

const isInstalled = ({ programs, variable }) =>
  Boolean(variable && process.env[variable]) || programs.every((paths) => findExisting(paths))

/**
 * Installs an engine where this system has packages of it, and prints what it does.
 * @param {string} name of a file in tests/engines
 * @returns {boolean} false where this system has no package of it: its tests cannot run here, which this function has printed
 */
export function installEngine(name) {
  const engine = ENGINES[name]
  if (!engine || isInstalled(engine)) return true
  const packages = engine.packages.join(', ')
  if (!isDebian()) {
    say(`tests/engines/${name}: SIN PROBAR, este sistema no es Debian; instala lo que trae ${packages}`)
    return false
  }
  say(`instalando ${packages} (apt)…`)
  aptInstall([...engine.packages, 'fonts-noto-color-emoji'])
  // On Debian a missing engine is a fault, and the test itself fails.
  return true
}
