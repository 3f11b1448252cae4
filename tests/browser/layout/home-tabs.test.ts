import type { BrowserContextOptions, Page } from 'playwright'
import { DESKTOP, PHONE } from '#tests/support/browser/chromium.ts'
import { signInMember, type TestMember } from '#tests/support/members.ts'
import { visit } from '#tests/support/browser/page-pool.ts'
import { assert, browserSuite, type BrowserWorld } from '#tests/support/suites.ts'

// The home screen is three pages: the list, its map, the own album. Their tabs, on a desktop and in a member's bottom bar.
type World = BrowserWorld & { ana: TestMember }
const home = browserSuite<World>('home tabs')

const HOME_PAGES = { '/': 'Perros', '/perros': 'Perros', '/perros?view=map': 'Perros', '/?tab=mine': 'Mi álbum' }
const OTHER_PAGES = ['/razas', '/comunidad', '/perfil', '/buscar', '/terminos']
const TABS = ['Perros', 'Mi álbum', 'Comunidad', 'Mi perfil', 'Razas']

home.before(async (t) => void (t.ana = await signInMember(t.server)))

const open = (t: World, path: string, options: BrowserContextOptions, member: boolean) =>
  visit(t, path, { reducedMotion: 'reduce', ...options }, member ? t.ana : undefined)
const words = (text: string) => text.split('\n').filter((word) => /\p{L}/u.test(word))

/** The tabs above pages and in their bottom bars, by what the server answers: no script changes them. */
const readTabs = (page: Page, paths: readonly string[]) =>
  page.evaluate(async (paths) => {
    const label = (one: Element | null) =>
      one?.textContent
        .trim()
        .split(/\s*\n\s*/)
        .at(-1)!
        // A member's own emoji stands before the words.
        .replace(/^[^\p{L}]+/u, '') ?? null
    const read = async (path: string) => {
      const html = await (await fetch(path)).text()
      const served = new DOMParser().parseFromString(html, 'text/html')
      const links = [...served.querySelectorAll<HTMLAnchorElement>('.home-tabs a')]
      const bar = served.querySelector('.tabbar')!
      return {
        path,
        tabs: links.map(label),
        hrefs: links.map((link) => link.getAttribute('href')),
        current: links.filter((link) => link.ariaCurrent === 'page').map(label),
        bar: [...bar.children].map(label),
        barCurrent: label(bar.querySelector('[aria-current]')),
      }
    }
    return Promise.all(paths.map(read))
  }, paths)

for (const member of [false, true])
  home(`a desktop has the five tabs on the home screen alone, ${member ? 'a member' : 'a visitor'}`, async (t) => {
    const { page } = await open(t, '/', DESKTOP, member)
    const tabs = page.locator('.home-tabs')
    assert.equal(await tabs.locator('a').allInnerTexts(), TABS)
    const hrefs = ['/perros', '/?tab=mine', '/comunidad', '/perfil', '/razas']
    for (const served of await readTabs(page, Object.keys(HOME_PAGES))) {
      const current = [HOME_PAGES[served.path as keyof typeof HOME_PAGES]]
      assert.equal([served.tabs, served.current, served.hrefs], [TABS, current, hrefs], served.path)
    }
    for (const served of await readTabs(page, OTHER_PAGES)) assert.equal(served.tabs, [], served.path)
    await tabs.getByRole('link', { name: 'Mi álbum', exact: true }).click()
    await page.waitForURL(`${t.server.url}/?tab=mine`)
    assert.equal(await tabs.locator('[aria-current=page]').allInnerTexts(), ['Mi álbum'])
  })

home('the bottom bar keeps its places on every page; a member’s second one is their own album', async (t) => {
  for (const member of [false, true]) {
    const bar = ['Perros', member ? 'Mi álbum' : 'Razas', 'Añadir', 'Comunidad', 'Mi perfil']
    const { page } = await open(t, '/', PHONE, member)
    assert.equal(words(await page.locator('.tabbar').innerText()), bar)
    assert.is(await page.locator('.home-tabs').isVisible(), false)
    for (const served of await readTabs(page, [...Object.keys(HOME_PAGES), ...OTHER_PAGES]))
      assert.equal(served.bar, bar, served.path)
    const current = { '/': 'Perros', '/perros?view=map': 'Perros', '/comunidad': 'Comunidad', '/perfil': 'Mi perfil' }
    const albums = member ? { '/?tab=mine': 'Mi álbum', '/razas': 'Mi álbum' } : { '/razas': 'Razas' }
    for (const [path, tab] of Object.entries({ ...current, ...albums }))
      assert.is((await readTabs(page, [path]))[0]!.barCurrent, tab, path)
  }
})

home('the menu of a member’s phone leads where the bar does not', async (t) => {
  const { page } = await open(t, '/', PHONE, true)
  await page.getByRole('button', { name: 'Abrir el menú' }).click()
  const links = page.getByRole('navigation', { name: 'Más' }).getByRole('link')
  const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')!))
  for (const href of ['/mensajes', '/perfil/siguiendo', '/perdidos', '/perfil/cuenta', '/privacidad'])
    assert.ok(hrefs.includes(href), href)
  for (const href of hrefs) assert.is((await page.request.get(t.server.url + href)).status(), 200, href)
  await page.setViewportSize(DESKTOP.viewport)
  assert.is(await links.count(), 0)
})

home('the album’s switch leads a member to their own album and back, the search with it', async (t) => {
  const { page, errors } = await open(t, '/razas?buscar=beagle', DESKTOP, true)
  await page.locator('#album-modes').getByRole('link', { name: 'Mía' }).click()
  await page.waitForURL(/\/\?tab=mine/)
  assert.is(await page.locator('h1').innerText(), 'Mi Pokédex de Razas')
  assert.is(await page.locator('#album-q').inputValue(), 'beagle')
  assert.is(await page.locator('#album-modes [aria-current]').innerText(), 'Mía')
  // Without a dog there is no rank.
  assert.is(await page.locator('.mine dd').last().innerText(), '—')
  await page.locator('#album-q').fill('pastor aleman')
  await page.locator('.found', { hasText: '1 raza encontrada' }).waitFor()
  await page.locator('#album-modes').getByRole('link', { name: 'Comunidad' }).click()
  await page.waitForURL(/\/razas/)
  assert.is(await page.locator('h1').innerText(), 'Colección de Razas')
  assert.equal(errors, [])
})

home('tabs and filters keep their rows at every width of a desktop', async (t) => {
  const { page } = await open(t, '/?sort=votes-desc', DESKTOP, true)
  for (const sidebar of ['open', 'closed'])
    for (const width of [1261, 1320, 1440]) {
      await page.evaluate((state) => (document.documentElement.dataset.sidebar = state), sidebar)
      await page.setViewportSize({ width, height: 800 })
      const rows = await page.evaluate(() => {
        const middleOf = (one: Element) => {
          const { top, height } = one.getBoundingClientRect()
          return Math.round(top + height / 2)
        }
        const rowsOf = (selector: string) => new Set([...document.querySelectorAll(selector)].map(middleOf)).size
        const views = middleOf(document.querySelector('.filters .views')!)
        const hasNeighbour = [...document.querySelectorAll('.filters label')].some(
          (select) => Math.abs(middleOf(select) - views) < 5,
        )
        return { tabs: rowsOf('.home-tabs a'), sorts: rowsOf('.filters .sorts a'), hasNeighbour }
      })
      assert.equal(rows, { tabs: 1, sorts: 1, hasNeighbour: true }, `${width} px, the sidebar ${sidebar}`)
    }
  await page.goto(`${t.server.url}/?tab=mine`)
  await page.setViewportSize({ width: 769, height: 800 })
  const tops = await page
    .locator('.home-tabs a')
    .evaluateAll((all) => all.map((tab) => tab.getBoundingClientRect().top))
  assert.equal(new Set(tops).size, 1, 'the own album')
})

for (const member of [false, true])
  home(
    `the bottom bar shows its labels whole at 200 % of the text: ${member ? 'a member' : 'a visitor'}`,
    async (t) => {
      const { page } = await open(t, '/', PHONE, member)
      for (const [width, percent] of [
        [390, 100],
        [390, 200],
        [320, 200],
      ] as const) {
        await page.setViewportSize({ width, height: 844 })
        await page.evaluate((size) => (document.documentElement.style.fontSize = `${size}%`), percent)
        const tabs = await page.locator('.tabbar > *').evaluateAll((all) =>
          all.map((tab) => {
            const { left, right } = tab.getBoundingClientRect()
            const isCut = tab.scrollWidth > tab.clientWidth || right > tab.parentElement!.getBoundingClientRect().right
            return { label: tab.textContent.trim(), isCut, left, right }
          }),
        )
        assert.is(tabs.length, 5)
        for (const [i, { label, isCut, left }] of tabs.entries()) {
          const isBeside = left >= (tabs[i - 1]?.right ?? 0) - 1
          assert.ok(!isCut && isBeside, `${label} at ${width} px, ${percent} %`)
        }
      }
    },
  )
