import type { Browser, BrowserContext, Page } from 'playwright'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { axeFaults, axeFaultsInBothThemes } from '#tests/support/browser/axe.ts'
import { withoutDogsTable } from '#tests/support/missing-table.ts'
import { DESKTOP, launchBrowser, PHONE, openContext } from '#tests/support/browser/chromium.ts'
import { createMatrixWorld, type MatrixWorld } from '#tests/support/matrix/world.ts'
import { findSlightOverflow, findWebKitCollapses, MIN_SCROLL_PX } from '#tests/support/browser/layout-checks.ts'
import { findAnimations } from '#tests/support/browser/animations.ts'
import type { Role } from '#tests/support/matrix/roles.ts'
import { textSpacingFaults, horizontalOverflow } from '#tests/support/browser/reflow.ts'
import { withDatabase } from '#tests/support/seed.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { listFiles } from '#tests/support/sources.ts'
import { FAILURE_STATES, type TemplateState, listTemplates } from '#tests/support/browser/templates.ts'

// Every page there is, in all of its states on a phone and in one on a desktop, in light and dark: axe has nothing to say,
// nothing scrolls sideways at 320 px, at 200 % and with text spaced out (WCAG 1.4.10, 1.4.4, 1.4.12), nothing moves unasked,
// and no box scrolls by a little or would be without height in WebKit.
const ADMIN = 'admin@ejemplo.es'
const t = {} as {
  server: TestServer
  browser: Browser
  world: MatrixWorld
  looks: TemplateState[]
  first: TemplateState[]
  files: string[]
}
const pages = suite('templates')

pages.before(async () => {
  t.server = await startServer({ ADMIN_EMAIL: ADMIN })
  t.browser = await launchBrowser()
  await withDatabase(t.server, async (db) => {
    t.world = await createMatrixWorld(db, t.server.dataDir, ADMIN)
    const byFile = await listTemplates(db, t.world)
    t.files = Object.keys(byFile)
    t.looks = Object.values(byFile)
      .flat()
      .filter((look) => !FAILURE_STATES.includes(look))
    t.first = Object.values(byFile).flatMap(([look]) => (look && !FAILURE_STATES.includes(look) ? [look] : []))
    for (const { by } of t.looks) await t.world.cookieOf(by)
  })
})
pages.after(async () => {
  await t.browser.close()
  await t.server.dispose()
})

pages('there is a look at every template', () => {
  // A fragment is no page but a part of one.
  const templates = listFiles(['src/pages'], ['.astro'])
    .map((path) => path.slice('src/pages/'.length))
    .filter((path) => !path.startsWith('fragments/'))
  assert.equal(t.files.toSorted(), templates.toSorted())
})

/** Runs `look` on every page, as whoever it is for, and gives back what it finds, named by page. */
async function checkStates(
  context: BrowserContext,
  looks: readonly TemplateState[],
  look: (page: Page) => Promise<string[]>,
) {
  const page = await context.newPage()
  const faults: string[] = []
  for (const by of new Set(looks.map((one) => one.by))) {
    await useRole(context, by)
    for (const { path, heading } of looks.filter((one) => one.by === by)) {
      await page.goto(t.server.url + path)
      const h1 = await page.locator('h1').first().textContent({ timeout: 5_000 })
      if (h1?.trim() !== heading) faults.push(`${path} (${by}): its heading is «${h1?.trim()}», not «${heading}»`)
      // Islands wake once the photos are there.
      await page.waitForFunction(
        () => !document.querySelector('astro-island[client=load][ssr],astro-island[client=settled][ssr]'),
      )
      // What folds out is looked at, too; the menu, which lies over the page, in browser/accessibility/dialogs-member.
      await page.evaluate(() => {
        for (const folded of document.querySelectorAll<HTMLDetailsElement>('details:not(.menu)')) folded.open = true
      })
      for (const fault of await look(page)) faults.push(`${path} (${by}): ${fault}`)
    }
  }
  return faults
}

async function useRole(context: BrowserContext, role: Role): Promise<void> {
  await context.clearCookies()
  const [name, value] = (await t.world.cookieOf(role)).split('=') as [string, string?]
  if (value) await context.addCookies([{ name, value, url: t.server.url, httpOnly: true, sameSite: 'Lax' }])
}

/** What other engines would show wrongly, or every one of them. */
const layoutFaults = async (page: Page): Promise<string[]> => [
  ...(await page.evaluate(findSlightOverflow, MIN_SCROLL_PX)),
  ...(await page.evaluate(findWebKitCollapses)),
]

/** On a phone in both lights, where all that is small is smallest. */
async function checkOnPhone(page: Page): Promise<string[]> {
  const found = await axeFaultsInBothThemes(page)
  found.push(...(await layoutFaults(page)))
  const { wide, cut } = await textSpacingFaults(page)
  if (wide) found.push(`${wide} px too wide with its text spaced out`)
  found.push(...cut.map((what) => `cut off with its text spaced out: ${what}`))
  await page.setViewportSize({ width: 320, height: 640 })
  if (await horizontalOverflow(page)) found.push(`${await horizontalOverflow(page)} px wider than 320`)
  await page.setViewportSize(PHONE.viewport)
  return found
}

pages('on a phone', async () => {
  const context = await openContext(t.browser, { ...PHONE, reducedMotion: 'reduce' })
  assert.equal(await checkStates(context, t.looks, checkOnPhone), [])
  await context.close()
})

pages('on a phone, while the database fails', async () => {
  const context = await openContext(t.browser, { ...PHONE, reducedMotion: 'reduce' })
  await withoutDogsTable(t.server, async () =>
    assert.equal(await checkStates(context, FAILURE_STATES, checkOnPhone), []),
  )
  await context.close()
})

pages('on a desktop, in its first state', async () => {
  const context = await openContext(t.browser, { ...DESKTOP, colorScheme: 'dark', reducedMotion: 'reduce' })
  const faults = await checkStates(context, t.first, async (page) => {
    // What differs here from a phone in the light does so in the dark, too.
    const found = await axeFaults(page)
    found.push(...(await layoutFaults(page)))
    found.push(...(await findAnimations(page)).map((what) => `moves, though unwanted: ${what}`))
    await page.setViewportSize({ width: 640, height: 400 })
    if (await horizontalOverflow(page)) found.push(`${await horizontalOverflow(page)} px too wide at 200 %`)
    await page.setViewportSize(DESKTOP.viewport)
    return found
  })
  assert.equal(faults, [])
  await context.close()
})

pages.run()
