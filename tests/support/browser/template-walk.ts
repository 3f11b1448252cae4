import type { Browser, BrowserContext, Page } from 'playwright'
import { launchBrowser } from './chromium.ts'
import { findSlightOverflow, findWebKitCollapses, MIN_SCROLL_PX } from './layout-checks.ts'
import { listTemplates, type Template, type TemplateState } from './templates.ts'
import { createMatrixWorld, type MatrixWorld } from '#tests/support/matrix/world.ts'
import type { Role } from '#tests/support/matrix/roles.ts'
import { dog, seed, withDatabase } from '#tests/support/seed.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

const ADMIN = 'admin@ejemplo.es'

/** A server whose pages are walked through, template by template, and the browser that does so. */
export interface TemplateWorld {
  server: TestServer
  browser: Browser
  templates: Record<string, Template>
  world: MatrixWorld
  dispose: () => Promise<void>
}

const longNamedDogs = (ownerId: string) => {
  const owned = { owner_id: ownerId, user_id: ownerId }
  const zone = 'Villanueva de la Cañada, Comunidad de Madrid'
  const [terrier, pyrenees] = ['Staffordshire Bull Terrier', 'Perro de Montaña de los Pirineos']
  return [
    dog({ ...owned, name: 'Maximiliano', age: 34, age_unit: 'meses', breed: terrier, zone }),
    dog({ ...owned, name: 'Bartolomé', age: 11, age_unit: 'meses', breed: 'Bichón Maltés', zone: 'Guadalajara' }),
    dog({ ...owned, name: 'Don Bartolomé de las Montañas', age: 19, age_unit: 'años', zone: 'Vigo' }),
    dog({ ...owned, name: 'Luna', age: 8, age_unit: 'meses', breed: pyrenees, zone: 'Comunidad Valenciana' }),
  ]
}

/** The templates over one community; `names` are ordinary, or names, zones and breeds as long as people write them. */
export async function startTemplateWorld(names: 'ordinary' | 'long'): Promise<TemplateWorld> {
  const server = await startServer({ ADMIN_EMAIL: ADMIN })
  const browser = await launchBrowser()
  const { templates, world } = await withDatabase(server, async (db) => {
    const world = await createMatrixWorld(db, server.dataDir, ADMIN)
    // Not the newest, which stands for all of them where a visitor is invited.
    const found = { owner_id: null, discoverer_id: world.owner.id, created_at: Date.now() - 60_000 }
    const [longNamed] = await seed(db, dog({ ...found, name: 'Bartolomé de las Montañas' }))
    if (names === 'long') await seed(db, ...longNamedDogs(world.owner.id))
    const templates = await listTemplates(db, world)
    // What a discoverer can do, under a long name.
    const dogPage = '[breed]/[dog].astro'
    templates[dogPage] = [...templates[dogPage]!, { path: longNamed.path, by: 'owner', heading: longNamed.name }]
    for (const { by } of Object.values(templates).flat()) await world.cookieOf(by)
    return { templates, world }
  })
  return {
    server,
    browser,
    templates,
    world,
    dispose: async () => {
      await browser.close()
      await server.dispose()
    },
  }
}

async function useRole({ server, world }: TemplateWorld, context: BrowserContext, role: Role): Promise<void> {
  const [name, value] = (await world.cookieOf(role)).split('=') as [string, string?]
  await context.clearCookies()
  if (value) await context.addCookies([{ name, value, url: server.url, httpOnly: true, sameSite: 'Lax' }])
}

/**
 * Opens every state once, as whoever it is for, and runs `check` on the page as it then stands.
 * @returns what `check` finds, named by page
 */
export async function walkTemplates(
  t: TemplateWorld,
  context: BrowserContext,
  states: readonly TemplateState[],
  check: (page: Page) => Promise<string[]>,
): Promise<string[]> {
  const page = await context.newPage()
  // The album to print has 434 pictures.
  page.setDefaultNavigationTimeout(60_000)
  const faults: string[] = []
  for (const by of new Set(states.map((one) => one.by))) {
    await useRole(t, context, by)
    for (const { path, heading } of states.filter((one) => one.by === by)) {
      await page.goto(t.server.url + path)
      const h1 = await page.locator('h1').first().textContent({ timeout: 5_000 })
      if (h1?.trim() !== heading) faults.push(`${path} (${by}): its heading is «${h1?.trim()}», not «${heading}»`)
      // Islands wake once the photos are there.
      await page.waitForFunction(
        () => !document.querySelector('astro-island[client=load][ssr],astro-island[client=settled][ssr]'),
      )
      for (const fault of await check(page)) faults.push(`${path} (${by}): ${fault}`)
    }
  }
  await page.close()
  return faults
}

/** Opens what folds out on the page but the menu, which lies over it: `browser/accessibility/dialogs-member` has that. */
export const unfold = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const folded of document.querySelectorAll<HTMLDetailsElement>('details:not(.menu)')) folded.open = true
  })

/** What other engines would show wrongly, or every one of them. */
export const layoutFaults = async (page: Page): Promise<string[]> => [
  ...(await page.evaluate(findSlightOverflow, MIN_SCROLL_PX)),
  ...(await page.evaluate(findWebKitCollapses)),
]
