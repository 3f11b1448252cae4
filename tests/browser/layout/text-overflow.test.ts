import type { Page } from 'playwright'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { call } from '#tests/support/api.ts'
import { findAnimations } from '#tests/support/browser/animations.ts'
import { axeFaults } from '#tests/support/browser/axe.ts'
import { DESKTOP, openContext } from '#tests/support/browser/chromium.ts'
import { centringFaults, counterFaults, waitForCounters, headerFaults } from '#tests/support/browser/header-faults.ts'
import { findWrappedHeaderParts, MIN_LETTERS_PER_LINE, findBrokenWords } from '#tests/support/browser/layout-checks.ts'
import { horizontalOverflow, textSpacingFaults } from '#tests/support/browser/reflow.ts'
import {
  layoutFaults,
  startTemplateWorld,
  type TemplateWorld,
  unfold,
  walkTemplates,
} from '#tests/support/browser/template-walk.ts'
import { FAILURE_STATES, type TemplateState } from '#tests/support/browser/templates.ts'
import { wordFaults } from '#tests/support/browser/text-overflow.ts'

// Every template as a visitor and as a member first sees it, opened once, at every kind of width, with names, zones and breeds
// as long as people write them: no word is broken that would fit, nothing is cut after fewer than eight letters, nothing lies
// over its neighbour or makes the page wider than the window, also with the text spaced out (WCAG 1.4.12). On a desktop in the dark axe has nothing to say, nothing moves
// unasked and nothing scrolls sideways at 200 % (WCAG 1.4.4). On a phone, in all states: browser/accessibility/templates.
const WIDTHS = { open: [320, 360, 390, 640, 769, 900, 1000, 1101, 1320, 1920], closed: [769, 1440] }

/** Phones' widths at which a browser may have a scrollbar, and how wide it is, CSS px. */
const PHONE_WIDTHS = [360, 390]
const SCROLLBAR = 15

/** Where content could lie to one side of its room: beside a closed sidebar, and on wide screens. */
const WIDE_WIDTHS = [1440, 1920]

/** Where text is spaced out as well: two columns of cards, the narrowest page beside a sidebar, a desktop. */
const SPACED_WIDTHS = [360, 769, 1320]

const sweep = suite('width sweep')
let t: TemplateWorld

sweep.before(async () => {
  t = await startTemplateWorld('long')
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

async function checkWidths(page: Page): Promise<string[]> {
  const faults: string[] = []
  const name = (at: string) => (fault: string) => `${at}: ${fault}`
  for (const sidebar of ['open', 'closed'] as const) {
    // As the server and the sidebar's own script say it.
    await page.evaluate((state) => (document.documentElement.dataset.sidebar = state), sidebar)
    for (const width of WIDTHS[sidebar]) {
      const at = `at ${width} px, the sidebar ${sidebar}`
      await page.setViewportSize({ width, height: 900 })
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

async function checkOnDesktop(page: Page): Promise<string[]> {
  await unfold(page)
  await waitForStrip(page)
  // What differs here from a phone in the light does so in the dark, too.
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  const found = await axeFaults(page)
  found.push(...(await layoutFaults(page)))
  found.push(...(await findAnimations(page)).map((what) => `moves, though unwanted: ${what}`))
  await page.setViewportSize({ width: 640, height: 400 })
  if (await horizontalOverflow(page)) found.push(`${await horizontalOverflow(page)} px too wide at 200 %`)
  await page.setViewportSize(DESKTOP.viewport)
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  return found
}

const isOfVisitor = ({ by }: TemplateState): boolean => by === 'visitor'

sweep('every template from 320 to 1920 px, and whole on a desktop', async () => {
  const states = Object.values(t.templates).flatMap((template) => {
    const whole = template.filter((state) => !FAILURE_STATES.includes(state))
    return [...new Map(whole.map((state) => [isOfVisitor(state), state] as const).reverse()).values()]
  })
  const context = await openContext(t.browser, { ...DESKTOP, reducedMotion: 'reduce' })
  const { body: today } = await call(t.server, '/api/today')
  assert.ok(today.dogs > 1 && today.likes > 0)
  const visitors = [new RegExp(`^${today.likes} likes? nuevos?$`), new RegExp(`^${today.dogs} perros nuevos$`)]
  const members = [/^\d+ likes? nuevos?$/, /^\d+ perros? nuevos?$/]
  let counted = 0
  const check = (expected: readonly RegExp[]) => async (page: Page) => {
    await waitForCounters(page)
    counted += await page.locator('.top .hi').count()
    return [...(await counterFaults(page, expected)), ...(await checkWidths(page)), ...(await checkOnDesktop(page))]
  }
  const [ofVisitors, ofMembers] = [states.filter(isOfVisitor), states.filter((state) => !isOfVisitor(state))]
  assert.equal(await walkTemplates(t, context, ofVisitors, check(visitors)), [])
  assert.equal(await walkTemplates(t, context, ofMembers, check(members)), [])
  assert.ok(counted > 20, `${counted} headers with counters`)
  await context.close()
})

sweep.run()
