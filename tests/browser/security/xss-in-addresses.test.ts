import type { Page } from 'playwright'
import * as assert from 'uvu/assert'
import { openContext } from '#tests/support/browser/chromium.ts'
import { watchCspViolations } from '#tests/support/browser/csp-violations.ts'
import { ALL_FIELD_NAMES } from '#tests/support/malformed/valid-fields.ts'
import { ROUTES } from '#tests/support/malformed/routes.ts'
import { useSession } from '#tests/support/members.ts'
import { listFiles, readSource } from '#tests/support/sources.ts'
import { XSS_PAYLOADS } from '#tests/support/xss/payloads.ts'
import { parsePages } from '#tests/support/xss/parsed-pages.ts'
import { assertNothingRan, xssSuite, type XssWorld } from '#tests/support/xss/xss-suite.ts'

// What stands in an address is text and never runs. The content policy would stop most of it; here nothing may come that far,
// so a refusal fails the test too.
const scripts = xssSuite('scripts in addresses')

/** Names that addresses are read for: those the soak sends, and whatever else the sources ask for. */
const NAMES = [
  ...new Set([
    ...ALL_FIELD_NAMES,
    ...listFiles(['src'], ['.ts', '.tsx', '.astro']).flatMap((path) =>
      [...readSource(path).matchAll(/(?:searchParams\.(?:get|has)|\bparam)\('(\w+)'/g)].map(([, name]) => name!),
    ),
  ]),
]
/** With these a page shows more of itself. */
const VIEWS = [
  '/?tab=mine',
  '/perros?view=map',
  '/usuario/{ana}?tab=razas',
  '/perfil?tab=likes',
  '/perfil?tab=razas',
  '/perfil?editar=fallo',
  '/admin?tab=perros',
  '/admin?tab=denuncias',
  '/admin?tab=denuncias&que=hide&error=409',
  '/admin?tab=registro',
  '/admin?tab=acciones',
  '/denunciar?tipo=perro&id={dog}',
  '/denunciar?tipo=perro&id={dog}&error=422',
  '/login?error=x',
]

/** Pages whose scripts read the address themselves, besides the views above. */
const SCRIPTED = ['/', '/razas', '/buscar', '/comunidad']

const realPath = (t: XssWorld, path: string): string =>
  path
    .replace('/[breed]/[dog]', t.dogs[0]!.path)
    .replace('/usuario/[id]', `/usuario/${t.ana.id}`)
    .replace('[...id]', t.dogs[0]!.id)
    .replace('[raza]', 'beagle')
    .replace('{ana}', t.ana.id)
    .replace('{dog}', t.dogs[0]!.id)

/** Every page's address, and what shows more of some, with real ids. */
function realPaths(t: XssWorld): string[] {
  const pages = ROUTES.filter(({ method, path }) => method === 'GET' && !/^\/(api|_|photos)|\{|\.\w+$/.test(path))
  assert.ok(pages.length > 20)
  return [...new Set([...pages.map((page) => page.path), ...VIEWS].map((path) => realPath(t, path)))]
}

/** The address with a text under every name that it does not have already. */
function withTexts(t: XssWorld, path: string, textAt: (at: number) => string): string {
  const address = new URL(path, t.server.url)
  for (const [i, name] of NAMES.entries())
    if (!address.searchParams.has(name)) address.searchParams.set(name, textAt(i))
  return address.href
}

const payload = (at: number) => XSS_PAYLOADS[at % XSS_PAYLOADS.length]!

/** Opens an address and sees that nothing of it runs. */
async function open(page: Page, address: string, path: string): Promise<void> {
  await page.goto(address).catch((error: Error) => assert.match(error.message, 'Download is starting'))
  await assertNothingRan(page, path)
}

scripts('nothing that stands in an address runs, for a visitor or for the admin', async (t) => {
  const context = await openContext(t.browser)
  const refused = await watchCspViolations(context)
  const page = await context.newPage()
  const paths = realPaths(t)
  const reading = [...SCRIPTED, ...VIEWS.map((path) => realPath(t, path))]
  for (const [from, opened] of [
    [0, paths],
    [13, reading],
  ] as const)
    for (const path of opened)
      await open(
        page,
        withTexts(t, path, (i) => payload(i + from)),
        path,
      )
  const visitors = await parsePages(
    page,
    paths.map((path) => withTexts(t, path, (i) => payload(i + 13))),
  )
  await useSession(context, t.server, t.admin)
  const admins = await parsePages(
    page,
    paths.map((path) => withTexts(t, path, (i) => payload(i + 7))),
  )
  const found = [visitors, admins].flatMap((pages, who) =>
    pages.flatMap((each, i) => each.scripts.map((what) => `${['visitor', 'admin'][who]} ${paths[i]}: ${what}`)),
  )
  assert.equal(found, [])
  // Where the admin's page has scripts that the visitor's has not.
  const more = paths.filter((_, i) => admins[i]!.files.some((file) => !visitors[i]!.files.includes(file)))
  assert.ok(more.includes('/admin'), more.join(' '))
  for (const path of more)
    await open(
      page,
      withTexts(t, path, (i) => payload(i + 7)),
      path,
    )
  assert.equal([...new Set(refused)], [])
  await context.close()
})

scripts('a page that is not there is made of the same, whatever its address, and nothing of it runs', async (t) => {
  const context = await openContext(t.browser)
  const refused = await watchCspViolations(context)
  const page = await context.newPage()
  for (const part of ['', 'razas/', `${t.dogs[0]!.path.split('/')[1]}/`]) {
    const address = (text: string) => `${t.server.url}/${part}${encodeURIComponent(text)}`
    await page.goto(address('nadie'))
    // «nadie» resembles a breed, which its page proposes; the second resembles none; the others two and more.
    const names = [
      'nadie',
      'qqqqqqqqqqqq',
      '%',
      'podenko',
      'terier',
      'pastor',
      'javascript',
      'javascript ran 1',
      'math',
    ]
    const harmless = await parsePages(page, names.map(address))
    const pages = await parsePages(page, XSS_PAYLOADS.map(address))
    assert.equal(
      pages.flatMap((each) => each.scripts),
      [],
    )
    const others = XSS_PAYLOADS.filter((_, i) => !harmless.some(({ outline }) => outline === pages[i]!.outline))
    assert.ok(others.length < 4, `${part}: ${others.join('  ')}`)
    // What is answered otherwise; all at once; and alone the one that runs only where nothing stands before it.
    for (const text of [...others, XSS_PAYLOADS.join(' '), 'javascript:ran=1//']) {
      await page.goto(address(text))
      await assertNothingRan(page, part + text)
    }
  }
  assert.equal([...new Set(refused)], [])
  await context.close()
})
