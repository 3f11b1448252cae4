import type { Page } from 'playwright'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { axeFaultsInBothThemes } from '#tests/support/browser/axe.ts'
import { PHONE, openContext } from '#tests/support/browser/chromium.ts'
import { textSpacingFaults, horizontalOverflow } from '#tests/support/browser/reflow.ts'
import {
  layoutFaults,
  startTemplateWorld,
  type TemplateWorld,
  unfold,
  walkTemplates,
} from '#tests/support/browser/template-walk.ts'
import { FAILURE_STATES } from '#tests/support/browser/templates.ts'
import { withoutDogsTable } from '#tests/support/missing-table.ts'
import { listFiles } from '#tests/support/sources.ts'

// Every page there is, in all of its states, opened once on a phone, in light and dark: axe has nothing to say, nothing
// scrolls sideways at 320, 360 and 390 px and with text spaced out (WCAG 1.4.10, 1.4.12), and no box scrolls by a little or
// would be without height in WebKit. On a desktop: browser/layout/text-overflow.
const pages = suite('templates')
let t: TemplateWorld

pages.before(async () => {
  t = await startTemplateWorld('ordinary')
})
pages.after(() => t.dispose())

pages('every template has its states', () => {
  // A fragment is no page but a part of one.
  const templates = listFiles(['src/pages'], ['.astro'])
    .map((path) => path.slice('src/pages/'.length))
    .filter((path) => !path.startsWith('fragments/'))
  assert.equal(Object.keys(t.templates).toSorted(), templates.toSorted())
})

const NARROW_WIDTHS = [320, 360, PHONE.viewport.width]

async function checkOnPhone(page: Page): Promise<string[]> {
  await unfold(page)
  const found = await axeFaultsInBothThemes(page)
  found.push(...(await layoutFaults(page)))
  const { wide, cut } = await textSpacingFaults(page)
  if (wide) found.push(`${wide} px too wide with its text spaced out`)
  found.push(...cut.map((what) => `cut off with its text spaced out: ${what}`))
  for (const width of NARROW_WIDTHS) {
    await page.setViewportSize({ width, height: 640 })
    if (await horizontalOverflow(page)) found.push(`${await horizontalOverflow(page)} px wider than ${width}`)
    const shown = await page.evaluate(() => document.documentElement.scrollWidth)
    if (shown !== width) found.push(`${shown} px wide at ${width}`)
  }
  await page.setViewportSize(PHONE.viewport)
  return found
}

pages('on a phone', async () => {
  const context = await openContext(t.browser, { ...PHONE, reducedMotion: 'reduce' })
  const states = Object.values(t.templates).flat()
  const whole = states.filter((state) => !FAILURE_STATES.includes(state))
  assert.equal(await walkTemplates(t, context, whole, checkOnPhone), [])
  await context.close()
})

pages('on a phone, while the database fails', async () => {
  const context = await openContext(t.browser, { ...PHONE, reducedMotion: 'reduce' })
  await withoutDogsTable(t.server, async () =>
    assert.equal(await walkTemplates(t, context, FAILURE_STATES, checkOnPhone), []),
  )
  await context.close()
})

pages.run()
