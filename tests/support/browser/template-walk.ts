import type { Browser, BrowserContext, Page } from 'playwright'
import { launchBrowser } from './chromium.ts'
import { findSlightOverflow, findWebKitCollapses, MIN_SCROLL_PX } from './layout-checks.ts'
import { cookieFaults, openWatchedPage, policyFaults } from './page-faults.ts'
import { listTemplates, type Template, type TemplateState } from './templates.ts'
import { createMatrixWorld, type MatrixWorld } from '#tests/support/matrix/world.ts'
import type { Role } from '#tests/support/matrix/roles.ts'
import { isWholeRun } from '#tests/support/sample.ts'
import { dog, seed } from '#tests/support/seed.ts'
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

/**
 * The templates over one community, with ordinary names and with names, zones and breeds as long as people write them. Its site
 * has an address, so its pages have structured data, too.
 */
export async function startTemplateWorld(): Promise<TemplateWorld> {
  const server = await startServer({ ADMIN_EMAIL: ADMIN, SITE_URL: 'http://perrario.example' })
  const browser = await launchBrowser()
  const { db } = server
  const world = await createMatrixWorld(db, server.dataDir, ADMIN)
  // Not the newest, which stands for all of them where a visitor is invited.
  const found = { owner_id: null, discoverer_id: world.owner.id, created_at: Date.now() - 60_000 }
  const [longNamed] = await seed(db, dog({ ...found, name: 'Bartolomé de las Montañas' }))
  await seed(db, dog({ ...found, discoverer_id: null, zone: 'Madrid', created_at: 1 }))
  await seed(db, ...longNamedDogs(world.owner.id))
  const templates = await listTemplates(db, world)
  // What a discoverer can do, under a long name.
  const dogPage = '[breed]/[dog].astro'
  templates[dogPage] = [...templates[dogPage]!, { path: longNamed.path, by: 'owner', heading: longNamed.name }]
  for (const { by } of Object.values(templates).flat()) await world.cookieOf(by)
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

/** A check of a page as it stands in one of its states: each of its faults in a few words. */
export type PageCheck = (page: Page, state: TemplateState) => Promise<string[]>

interface WalkOptions {
  /** Errors of this kind are what these states are about. */
  ignored?: RegExp
}

/** Its pictures are 434: a page that looks the same without them costs Chromium eight seconds less. */
const WITHOUT_DRAWINGS = '/razas/imprimir'

/** @param expected one that ends in «…» is the heading's beginning */
const isHeading = (h1: string | undefined, expected: string): boolean =>
  expected.endsWith('…') ? h1?.startsWith(expected.slice(0, -1)) === true : h1 === expected

/**
 * Opens every state once, as its role, and runs all checks on the page, one after another. Of every page is also checked that
 * it has the content policy, which refuses nothing, that it asks nothing of other origins, logs no error and sets no cookie.
 * @returns what is wrong, named by template, state and check
 */
export async function walkTemplates(
  t: TemplateWorld,
  context: BrowserContext,
  states: readonly TemplateState[],
  checks: Readonly<Record<string, PageCheck>>,
  { ignored }: WalkOptions = {},
): Promise<string[]> {
  const { page, waitUntilQuiet, faults: takeFaults } = await openWatchedPage(context, t.server.url)
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  const templateOf = (state: TemplateState) =>
    Object.keys(t.templates).find((template) => t.templates[template]!.includes(state))
  const found: string[] = []
  for (const by of new Set(states.map((one) => one.by))) {
    await useRole(t, context, by)
    for (const state of states.filter((one) => one.by === by)) {
      const { path, heading, readySelector } = state
      const note = (check: string, faults: readonly string[]) =>
        found.push(...faults.map((fault) => `${templateOf(state)}, ${path} (${by}), ${check}: ${fault}`))
      const isBare = path.startsWith(WITHOUT_DRAWINGS)
      await devtools.send('Network.setBlockedURLs', { urls: isBare ? ['*/retratos/*'] : [] })
      const answer = await page.goto(t.server.url + path)
      const h1 = (await page.locator('h1').first().textContent({ timeout: 5_000 }))?.trim()
      note('heading', isHeading(h1, heading) ? [] : [`«${h1}», not «${heading}»`])
      await waitUntilQuiet()
      if (readySelector) await page.locator(readySelector).first().waitFor()
      for (const [name, check] of Object.entries(checks))
        note(name, await check(page, state).catch((error: Error) => [error.message.slice(0, 400)]))
      note('content policy', policyFaults(answer))
      note('content policy, other origins, errors', takeFaults(isBare ? /ERR_BLOCKED_BY_CLIENT/ : ignored))
      note('cookies', await cookieFaults(context, by !== 'visitor'))
    }
  }
  await page.close()
  return found
}

/** The states of these names, `role path`. @throws Error where there is none of that name */
export function pickStates(t: TemplateWorld, names: readonly string[]): Set<TemplateState> {
  const states = Object.values(t.templates).flat()
  return new Set(
    names.map((name) => {
      const state = states.find(({ by, path }) => `${by} ${path}` === name)
      if (!state) throw new Error(`no state «${name}» of a template`)
      return state
    }),
  )
}

/** The states of a walk: in a whole run all that `isWanted`, otherwise the first of each template. */
export function selectStates(t: TemplateWorld, isWanted: (state: TemplateState) => boolean): TemplateState[] {
  return Object.values(t.templates).flatMap((template) => {
    const states = template.filter(isWanted)
    return isWholeRun ? states : states.slice(0, 1)
  })
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
