import type { Page } from 'playwright'
import { axeFaults, axeFaultsInBothThemes } from './axe.ts'
import { DESKTOP, PHONE, openContext } from './chromium.ts'
import { showInstallCard, tabStopFaults } from './focus-walk.ts'
import { horizontalOverflow, largeTextFaults, textSpacingFaults } from './reflow.ts'
import { layoutFaults, type PageCheck, pickStates, type TemplateWorld, unfold, walkTemplates } from './template-walk.ts'
import { MADRID_MAP, type TemplateState } from './templates.ts'
import { isWholeRun, sample } from '#tests/support/sample.ts'
import { notchFaults, NOTCHED_SCREENS, type NotchedScreen, thumbFaults } from './touch-targets.ts'

const NARROW_WIDTHS = [320, 360, PHONE.viewport.width]
/** A phone whose browser enlarges the page to 200 %, as Safari's «aA» does. */
const ENLARGED_WIDTHS = [PHONE.viewport.width / 2]
/** Phones, and a desktop, where the sidebar grows with the text. */
const LARGE_TEXT_WIDTHS = [320, PHONE.viewport.width, DESKTOP.viewport.width]
/** Fewer targets than a page has, and than one that is not there, a list without entries or an open dialog. */
const [MIN_TARGETS, MIN_TARGETS_BARE] = [8, 4]
const isBare = ({ heading, path }: TemplateState): boolean =>
  heading === 'Perro no encontrado' ||
  /\/(?:avistamientos|opiniones)$|^\/encontrados\/./.test(path) ||
  ['/perfil?editar', '/perfil/seguridad'].includes(path)

async function spacingFaults(page: Page): Promise<string[]> {
  const { wide, cut } = await textSpacingFaults(page)
  return [...(wide ? [`${wide} px too wide`] : []), ...cut.map((what) => `cut off: ${what}`)]
}

async function narrowFaults(page: Page, widths: readonly number[]): Promise<string[]> {
  const found: string[] = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: 640 })
    if (await horizontalOverflow(page)) found.push(`${await horizontalOverflow(page)} px wider than ${width}`)
    const shown = await page.evaluate(() => document.documentElement.scrollWidth)
    if (shown !== width) found.push(`${shown} px wide at ${width}`)
  }
  await page.setViewportSize(PHONE.viewport)
  return found
}

/** The states that Tab goes through, with the install card at last, those that are looked at under a notch, and others. */
function chosenStates(t: TemplateWorld) {
  const { loved, found } = t.world
  const ofOwner = ['/', '/razas', loved.path, '/comunidad', '/perfil', MADRID_MAP].map((path) => `owner ${path}`)
  return {
    tabbed: pickStates(t, sample(['visitor /razas/beagle', ...ofOwner], 3)),
    withCard: pickStates(t, sample(['owner /', `owner ${loved.path}`], 1)),
    structured: pickStates(t, ['visitor /', 'visitor /razas/beagle']),
    notched: pickStates(t, ['owner /', `owner ${found.path}`, 'owner /comunidad']),
  }
}

/** A check of these states alone. */
const only =
  (states: ReadonlySet<TemplateState>, check: PageCheck): PageCheck =>
  async (page, state) =>
    states.has(state) ? check(page, state) : []

function phoneChecks(t: TemplateWorld): Record<string, PageCheck> {
  const { tabbed, withCard, notched, structured } = chosenStates(t)
  return {
    'focus by Tab': only(tabbed, tabStopFaults),
    // In the dark: templates-desktop.
    axe: async (page) => {
      await unfold(page)
      return isWholeRun ? axeFaultsInBothThemes(page) : axeFaults(page)
    },
    'boxes that scroll by a little, or collapse in WebKit': layoutFaults,
    'text spacing': spacingFaults,
    'narrow widths': (page) => narrowFaults(page, NARROW_WIDTHS),
    'text at 200 %': (page) => largeTextFaults(page, LARGE_TEXT_WIDTHS),
    'targets under 44 px, fields that iOS zooms into': async (page, state) => {
      if (tabbed.has(state) && state.readySelector) {
        // Tab has chosen marks, which lie over others.
        await page.reload()
        await page.locator(state.readySelector).first().waitFor()
      }
      return thumbFaults(page, isBare(state) ? MIN_TARGETS_BARE : MIN_TARGETS)
    },
    'targets under a notch': only(notched, (page) =>
      notchFaults(page, Object.keys(NOTCHED_SCREENS) as NotchedScreen[]),
    ),
    'focus by Tab beside the install card': only(withCard, async (page) => {
      await showInstallCard(page)
      return tabStopFaults(page)
    }),
    // Behind the targets: a map so narrow shows other piles from then on.
    'enlarged to 200 %': (page) => narrowFaults(page, ENLARGED_WIDTHS),
    'structured data': only(structured, async (page) => {
      const data = await page.locator('script[type="application/ld+json"]').textContent({ timeout: 5_000 })
      const context = JSON.parse(data!)['@context']
      return context === 'https://schema.org' ? [] : [`its context is ${context}`]
    }),
  }
}

/** Opens each state once on a phone, and looks at all there is to look at there. @returns what is wrong */
export async function walkOnPhone(
  t: TemplateWorld,
  states: readonly TemplateState[],
  options: { ignored?: RegExp } = {},
): Promise<string[]> {
  const context = await openContext(t.browser, { ...PHONE, reducedMotion: 'reduce' })
  context.setDefaultTimeout(15_000)
  const found = await walkTemplates(t, context, states, phoneChecks(t), options)
  await context.close()
  return found
}
