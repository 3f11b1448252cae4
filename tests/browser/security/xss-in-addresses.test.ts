import type { Page } from 'playwright'
import * as assert from 'uvu/assert'
import { openContext } from '#tests/support/browser/chromium.ts'
import { watchCspViolations } from '#tests/support/browser/csp-violations.ts'
import { ALL_FIELD_NAMES } from '#tests/support/malformed/valid-fields.ts'
import { ROUTES } from '#tests/support/malformed/routes.ts'
import { useSession } from '#tests/support/members.ts'
import { listFiles, readSource } from '#tests/support/sources.ts'
import { XSS_PAYLOADS } from '#tests/support/xss/payloads.ts'
import { assertNothingRan, xssSuite } from '#tests/support/xss/xss-suite.ts'

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
  '/denunciar?tipo=perro&id={dog}',
  '/denunciar?tipo=perro&id={dog}&error=422',
  '/login?error=x',
]

for (const who of ['a visitor', 'the admin'] as const)
  scripts(`nothing that stands in an address runs, for ${who}`, async (t) => {
    const context = await openContext(t.browser)
    const refused = await watchCspViolations(context)
    if (who === 'the admin') await useSession(context, t.server, t.admin)
    const page = await context.newPage()
    // The album to print has 434 pictures.
    page.setDefaultNavigationTimeout(60_000)
    const pages = ROUTES.filter(({ method, path }) => method === 'GET' && !/^\/(api|_|photos)|\{|\.\w+$/.test(path))
    assert.ok(pages.length > 20)
    const dog = t.dogs[0]!
    const real = (path: string) =>
      path
        .replace('/[breed]/[dog]', dog.path)
        .replace('/usuario/[id]', `/usuario/${t.ana.id}`)
        .replace('[...id]', dog.id)
        .replace('[raza]', 'beagle')
        .replace('{ana}', t.ana.id)
        .replace('{dog}', dog.id)
    for (const path of new Set([...pages.map((page) => page.path), ...VIEWS].map(real)))
      for (const from of who === 'the admin' ? [7] : [0, 13]) {
        const address = new URL(path, t.server.url)
        for (const [i, name] of NAMES.entries())
          if (!address.searchParams.has(name))
            address.searchParams.set(name, XSS_PAYLOADS[(i + from) % XSS_PAYLOADS.length]!)
        await page.goto(address.href).catch((error: Error) => assert.match(error.message, 'Download is starting'))
        await assertNothingRan(page, path)
      }
    assert.equal([...new Set(refused)], [])
    await context.close()
  })

/**
 * What the pages at these addresses are made of: their elements by tag and attributes' names, and where they lead to a script.
 * Nothing of them is run.
 */
const outlines = (page: Page, addresses: readonly string[]): Promise<string[]> =>
  page.evaluate(async (addresses) => {
    const outline = async (address: string) => {
      const html = await (await fetch(address)).text()
      const elements = [...new DOMParser().parseFromString(html, 'text/html').querySelectorAll('*')]
      const isScript = ({ value }: Attr) => /^\s*javascript:/i.test(value)
      return elements
        .map((one) => [
          one.tagName,
          ...[...one.attributes].map((each) => each.name + (isScript(each) ? `="${each.value}"` : '')),
        ])
        .map((words) => words.join(' '))
        .join('\n')
    }
    return Promise.all(addresses.map(outline))
  }, addresses)

scripts('a page that is not there is made of the same, whatever its address, and nothing of it runs', async (t) => {
  const context = await openContext(t.browser)
  const refused = await watchCspViolations(context)
  const page = await context.newPage()
  for (const part of ['', 'razas/', `${t.dogs[0]!.path.split('/')[1]}/`]) {
    const address = (text: string) => `${t.server.url}/${part}${encodeURIComponent(text)}`
    await page.goto(address('nadie'))
    // «nadie» resembles a breed, which its page proposes; the second resembles none.
    const harmless = new Set(await outlines(page, ['nadie', 'qqqqqqqqqqqq', '%'].map(address)))
    const pages = await outlines(page, XSS_PAYLOADS.map(address))
    const others = XSS_PAYLOADS.filter((_, i) => !harmless.has(pages[i]!))
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

scripts.run()
