import type { Browser, Page } from 'playwright'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { launchBrowser, openContext } from '#tests/support/browser/chromium.ts'
import { waitForCounters, headerFaults, centringFaults } from '#tests/support/browser/header-faults.ts'
import { findWrappedHeaderParts, MIN_LETTERS_PER_LINE, findBrokenWords } from '#tests/support/browser/layout-checks.ts'
import type { Role } from '#tests/support/matrix/roles.ts'
import { createMatrixWorld, type MatrixWorld } from '#tests/support/matrix/world.ts'
import { dog, seed, withDatabase } from '#tests/support/seed.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { FAILURE_STATES, type TemplateState, listTemplates } from '#tests/support/browser/templates.ts'
import { wordFaults } from '#tests/support/browser/text-overflow.ts'

// Every template at every kind of width, with names, zones and breeds as long as people write them: no word is broken that would
// fit, nothing is cut after fewer than eight letters, nothing lies over its neighbour or makes the page wider than the window.
const WIDTHS = { open: [320, 360, 390, 640, 769, 900, 1000, 1101, 1320, 1920], closed: [769, 1440] }

/** Phones' widths at which a browser may have a scrollbar, and how wide it is, CSS px. */
const PHONE_WIDTHS = [360, 390]
const SCROLLBAR = 15

const faultsOf = async (page: Page): Promise<string[]> => [
  ...(await wordFaults(page)),
  ...(await page.evaluate(findWrappedHeaderParts)),
  ...(await page.evaluate(findBrokenWords, MIN_LETTERS_PER_LINE)),
  ...(await headerFaults(page)),
]

/** Where content could lie to one side of its room: beside a closed sidebar, and on wide screens. */
const WIDE_WIDTHS = [1440, 1920]

const t = {} as { server: TestServer; browser: Browser; world: MatrixWorld; looks: TemplateState[] }
const sweep = suite('width sweep')

sweep.before(async () => {
  t.server = await startServer({ ADMIN_EMAIL: 'admin@ejemplo.es' })
  t.browser = await launchBrowser()
  await withDatabase(t.server, async (db) => {
    t.world = await createMatrixWorld(db, t.server.dataDir, 'admin@ejemplo.es')
    const people = { owner_id: t.world.owner.id, user_id: t.world.owner.id }
    const zone = 'Villanueva de la Cañada, Comunidad de Madrid'
    await seed(
      db,
      dog({ ...people, name: 'Maximiliano', age: 34, age_unit: 'meses', breed: 'Staffordshire Bull Terrier', zone }),
      dog({ ...people, name: 'Bartolomé', age: 11, age_unit: 'meses', breed: 'Bichón Maltés', zone: 'Guadalajara' }),
      dog({
        ...people,
        name: 'Don Bartolomé de las Montañas',
        age: 19,
        age_unit: 'años',
        breed: 'Beagle',
        zone: 'Vigo',
      }),
      dog({
        ...people,
        name: 'Luna',
        age: 8,
        age_unit: 'meses',
        breed: 'Perro de Montaña de los Pirineos',
        zone: 'Comunidad Valenciana',
      }),
    )
    t.looks = Object.values(await listTemplates(db, t.world)).flatMap((looks) => {
      const whole = looks.filter((look) => !FAILURE_STATES.includes(look))
      // Of each template what a visitor and what a member first sees of it.
      return [...new Map(whole.map((look) => [look.by === 'visitor', look] as const).reverse()).values()]
    })
    for (const { by } of t.looks) await t.world.cookieOf(by)
  })
})
sweep.after(async () => {
  await t.browser.close()
  await t.server.dispose()
})

for (const sidebar of ['open', 'closed'] as const)
  sweep(`every template from 320 to 1920 px, the sidebar ${sidebar}`, async () => {
    const faults: string[] = []
    const context = await openContext(t.browser, { viewport: { width: 1320, height: 900 }, reducedMotion: 'reduce' })
    const page = await context.newPage()
    for (const { path, by, heading } of t.looks) {
      await context.clearCookies()
      await context.addCookies(await cookies(by, sidebar))
      await page.goto(t.server.url + path)
      assert.is((await page.locator('h1').first().textContent())!.trim(), heading, path)
      await waitForCounters(page)
      for (const width of WIDTHS[sidebar]) {
        await page.setViewportSize({ width, height: 900 })
        for (const fault of await faultsOf(page)) faults.push(`${path} (${by}) at ${width} px: ${fault}`)
        if (WIDE_WIDTHS.includes(width))
          for (const fault of await centringFaults(page)) faults.push(`${path} (${by}) at ${width} px: ${fault}`)
        if (!PHONE_WIDTHS.includes(width)) continue
        // A scrollbar takes its width from the page, but not from what media queries measure.
        await page.evaluate((px) => (document.documentElement.style.paddingRight = `${px}px`), SCROLLBAR)
        for (const fault of await faultsOf(page)) faults.push(`${path} (${by}) at ${width} px, scrollbar: ${fault}`)
        await page.evaluate(() => (document.documentElement.style.paddingRight = ''))
      }
    }
    assert.equal(faults, [])
    await context.close()
  })

async function cookies(by: Role, sidebar: string) {
  const [name, value] = (await t.world.cookieOf(by)).split('=') as [string, string?]
  return [
    { name: 'perrario-sidebar', value: sidebar, url: t.server.url },
    ...(value ? [{ name, value, url: t.server.url }] : []),
  ]
}

sweep.run()
