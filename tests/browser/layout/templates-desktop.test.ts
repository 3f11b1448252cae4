import type { Page } from 'playwright'
import { call } from '#tests/support/api.ts'
import { findAnimations } from '#tests/support/browser/animations.ts'
import { axeFaults } from '#tests/support/browser/axe.ts'
import { DESKTOP, openContext } from '#tests/support/browser/chromium.ts'
import { showInstallCard, tabStopFaults } from '#tests/support/browser/focus-walk.ts'
import { forcedColourFaults } from '#tests/support/browser/forced-colors.ts'
import { centringFaults, counterFaults, waitForCounters, headerFaults } from '#tests/support/browser/header-faults.ts'
import { findWrappedHeaderParts, MIN_LETTERS_PER_LINE, findBrokenWords } from '#tests/support/browser/layout-checks.ts'
import { horizontalOverflow, textSpacingFaults } from '#tests/support/browser/reflow.ts'
import { paintTwice } from '#tests/support/browser/requests.ts'
import {
  layoutFaults,
  type PageCheck,
  pickStates,
  startTemplateWorld,
  type TemplateWorld,
  unfold,
  walkTemplates,
} from '#tests/support/browser/template-walk.ts'
import { FAILURE_STATES, MADRID_MAP, type TemplateState } from '#tests/support/browser/templates.ts'
import { wordFaults } from '#tests/support/browser/text-overflow.ts'
import { isWholeRun, sample } from '#tests/support/sample.ts'
import { assert, suite } from '#tests/support/suites.ts'

// Every template as a visitor and as a member first sees it, opened once, at every kind of width, with names, zones and breeds
// as long as people write them: no word is broken that would fit, nothing is cut after fewer than eight letters, nothing lies
// over its neighbour or makes the page wider than the window, also with the text spaced out (WCAG 1.4.12). On a desktop in the
// dark axe has nothing to say, nothing moves unasked and nothing scrolls sideways at 200 % (WCAG 1.4.4); what is chosen can be
// read in forced colours, the focus is seen. On a phone, in all states: browser/accessibility/templates-visitor and
// templates-member.
const WIDTHS = {
  open: isWholeRun ? [320, 360, 390, 640, 769, 900, 1000, 1101, 1320, 1920] : [320, 769, 1320],
  closed: isWholeRun ? [769, 1440] : [1440],
}

/** Phones' widths at which a browser may have a scrollbar, and how wide it is, CSS px. */
const PHONE_WIDTHS = [360, 390]
const SCROLLBAR = 15

/** Where content could lie to one side of its room: beside a closed sidebar, and on wide screens. */
const WIDE_WIDTHS = [1440, 1920]

/** Where text is spaced out as well: two columns of cards, the narrowest page beside a sidebar, a desktop. */
const SPACED_WIDTHS = [360, 769, 1320]

const sweep = suite('templates on a desktop, and at every width')
let t: TemplateWorld

sweep.before(async () => {
  t = await startTemplateWorld()
})
sweep.after(() => t.dispose())

const faultsOf = async (page: Page): Promise<string[]> => [
  ...(await wordFaults(page)),
  ...(await page.evaluate(findWrappedHeaderParts)),
  ...(await page.evaluate(findBrokenWords, MIN_LETTERS_PER_LINE)),
  ...(await headerFaults(page)),
]

async function spacingFaults(page: Page): Promise<string[]> {
  const { wide, cut } = await textSpacingFaults(page)
  const faults = cut.map((what) => `cut off with its text spaced out: ${what}`)
  return wide > 0 ? [...faults, `${wide} px too wide with its text spaced out`] : faults
}

/** Slides have the window's new width two frames later. */
async function waitForSlides(page: Page): Promise<void> {
  if ((await page.locator('.swiper-initialized').count()) === 0) return
  await paintTwice(page)
  await paintTwice(page)
}

async function checkWidths(page: Page): Promise<string[]> {
  const faults: string[] = []
  const name = (at: string) => (fault: string) => `${at}: ${fault}`
  for (const sidebar of ['open', 'closed'] as const) {
    // As the server and the sidebar's own script say it.
    await page.evaluate((state) => (document.documentElement.dataset.sidebar = state), sidebar)
    for (const width of WIDTHS[sidebar]) {
      const at = `at ${width} px, the sidebar ${sidebar}`
      await page.setViewportSize({ width, height: 900 })
      await waitForSlides(page)
      faults.push(...(await faultsOf(page)).map(name(at)))
      if (SPACED_WIDTHS.includes(width)) faults.push(...(await spacingFaults(page)).map(name(at)))
      if (WIDE_WIDTHS.includes(width)) faults.push(...(await centringFaults(page)).map(name(at)))
      if (!PHONE_WIDTHS.includes(width)) continue
      // A scrollbar takes its width from the page, but not from what media queries measure.
      await page.evaluate((px) => (document.documentElement.style.paddingRight = `${px}px`), SCROLLBAR)
      faults.push(...(await faultsOf(page)).map(name(`${at}, scrollbar`)))
      await page.evaluate(() => (document.documentElement.style.paddingRight = ''))
    }
  }
  await page.evaluate(() => (document.documentElement.dataset.sidebar = 'open'))
  await page.setViewportSize(DESKTOP.viewport)
  return faults
}

/** Resolves once the map's strip has shown its dogs for thirty frames: a resized map loads them again, and dims the old ones. */
const waitForStrip = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((done) => {
        let frames = 0
        const look = () => {
          frames = document.querySelector('.strip [aria-busy="true"]') ? 0 : frames + 1
          if (frames > 30 || !document.querySelector('.strip')) done()
          else requestAnimationFrame(look)
        }
        look()
      }),
  )

async function findDarkFaults(page: Page): Promise<string[]> {
  await unfold(page)
  await waitForStrip(page)
  // What differs here from a phone in the light does so in the dark, too.
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  return axeFaults(page)
}

async function findMotion(page: Page): Promise<string[]> {
  const found = await findAnimations(page)
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  return found
}

async function findZoomFaults(page: Page): Promise<string[]> {
  await page.setViewportSize({ width: 640, height: 400 })
  const wide = await horizontalOverflow(page)
  await page.setViewportSize(DESKTOP.viewport)
  return wide ? [`${wide} px too wide`] : []
}

const isOfVisitor = ({ by }: TemplateState): boolean => by === 'visitor'

/** What is chosen where the system takes all colours but its own. */
const CHOSEN: Record<string, readonly string[]> = {
  'owner /': ['Perros', 'Perros', 'Todos', 'Nuevos', 'Ver en cuadrícula'],
  'owner /razas': ['Razas', 'Comunidad', 'A-Z', 'Álbum'],
  'owner /perfil': ['Mi perfil', 'Perros n'],
}

sweep('every template from 320 to 1920 px, and whole on a desktop', async () => {
  const firstStates = Object.values(t.templates).flatMap((template) => {
    const whole = template.filter((state) => !FAILURE_STATES.includes(state))
    return [...new Map(whole.map((state) => [isOfVisitor(state), state] as const).reverse()).values()]
  })
  const ofOwner = ['/', '/razas', t.world.loved.path, '/comunidad', '/perfil', MADRID_MAP].map(
    (path) => `owner ${path}`,
  )
  const tabbed = pickStates(t, ['visitor /razas/beagle', ...ofOwner])
  const withCard = pickStates(t, ['owner /', `owner ${t.world.loved.path}`])
  const chosen = pickStates(t, Object.keys(CHOSEN))
  const special = [...tabbed, ...withCard, ...chosen]
  for (const state of special) assert.ok(firstStates.includes(state), `${state.by} ${state.path}`)
  const sampled = [...special, ...sample(firstStates, 6)]
  const states = firstStates.filter((state) => sampled.includes(state))
  const { body: today } = await call(t.server, '/api/today')
  assert.ok(today.dogs > 1 && today.likes > 0)
  const visitors = [new RegExp(`^${today.likes} likes? nuevos?$`), new RegExp(`^${today.dogs} perros nuevos$`)]
  const members = [/^\d+ likes? nuevos?$/, /^\d+ perros? nuevos?$/]
  let counted = 0
  const checks: Record<string, PageCheck> = {
    'the header’s counters': async (page, state) => {
      await waitForCounters(page)
      counted += await page.locator('.top .hi').count()
      return counterFaults(page, isOfVisitor(state) ? visitors : members)
    },
    'text overflow': checkWidths,
    'the focus by Tab': async (page, state) => (tabbed.has(state) ? tabStopFaults(page) : []),
    'axe in the dark': findDarkFaults,
    'boxes that scroll by a little, or collapse in WebKit': layoutFaults,
    'motion, though unwanted': findMotion,
    'width at 200 %': findZoomFaults,
    'forced colours': (page, { by, path }) => forcedColourFaults(page, CHOSEN[`${by} ${path}`]),
    'the focus by Tab beside the install card': async (page, state) => {
      if (!withCard.has(state)) return []
      await showInstallCard(page)
      return tabStopFaults(page)
    },
  }
  const context = await openContext(t.browser, { ...DESKTOP, reducedMotion: 'reduce' })
  context.setDefaultTimeout(15_000)
  assert.equal(await walkTemplates(t, context, states, checks), [])
  assert.ok(counted > (isWholeRun ? 20 : 5), `${counted} headers with counters`)
  await context.close()
})
