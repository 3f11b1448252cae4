import type { Browser, BrowserContextOptions, Page } from 'playwright'
import { DESKTOP, launchBrowser, openContext, PHONE } from '#tests/support/browser/chromium.ts'
import {
  findLayoutShifts,
  findOtherFaces,
  readFrames,
  recordFrames,
  takeFrames,
} from '#tests/support/browser/painted-frames.ts'
import { waitUntilQuiet, waitUntilHydrated, watchRequests } from '#tests/support/browser/requests.ts'
import { call } from '#tests/support/api.ts'
import { signInMember, type TestMember, useSession } from '#tests/support/members.ts'
import { sample } from '#tests/support/sample.ts'
import { dog, member, seed } from '#tests/support/seed.ts'
import { assert, serverSuite, type ServerWorld } from '#tests/support/suites.ts'

// A member's page is theirs from the first paint on, and asks for little more.

interface Context extends ServerWorld {
  browser: Browser
  ana: TestMember
}
const frame = serverSuite<Context>('member frame')

const PATHS = ['/', '/perros', '/razas/beagle', '/beagle/toby', '/comunidad', '/razas', '/perfil', '/privacidad']
/** On a phone the album's sheets move by themselves where the page comes slowly, a visitor's too. */
const ALBUM_SHEETS = '.book'
const SIZES: Record<string, BrowserContextOptions> = { phone: PHONE, desktop: DESKTOP }

frame.before(async (t) => {
  // Letters as wide as phones draw them: hinted ones are rounded to whole pixels.
  t.browser = await launchBrowser(false, ['--font-render-hinting=none'])
  t.ana = await signInMember(t.server)
  await seed(
    t.server.db,
    member({ alias: 'Otra' }),
    dog({ name: 'Toby', breed: 'Beagle' }),
    dog({ name: 'Lola', breed: 'Beagle' }),
  )
})
frame.after(({ browser }) => browser.close())

async function open({ browser, server, ana }: Context, options: BrowserContextOptions): Promise<Page> {
  const context = await openContext(browser, { reducedMotion: 'reduce', ...options })
  await useSession(context, server, ana)
  return context.newPage()
}

/** The part of the frame that shows who reads: the sidebar's block, on a phone the header's bell. */
async function findFaceArea(page: Page) {
  const block = page.locator('[data-me-block=member]')
  const part = (await block.isVisible()) ? block : page.locator('[data-bell]')
  return (await part.boundingBox())!
}

for (const [size, options] of Object.entries(SIZES))
  frame(`no frame on a ${size} shows a visitor’s face, and nothing moves`, async (t) => {
    const page = await open(t, options)
    await recordFrames(page)
    for (const path of sample(PATHS, 4)) {
      await page.goto('about:blank')
      const stop = await takeFrames(page)
      await page.goto(t.server.url + path)
      await waitUntilHydrated(page)
      const shifts = await findLayoutShifts(page, ALBUM_SHEETS)
      const { count, faults } = await readFrames(page)
      const pictures = await stop()
      assert.equal(faults, [], path)
      assert.ok(count > 1, path)
      assert.equal(shifts, [], path)
      assert.ok(pictures.length > 0, path)
      assert.equal(await findOtherFaces(pictures, await page.screenshot(), await findFaceArea(page)), [], path)
    }
    await page.context().close()
  })

frame('the test sees a visitor’s face, and one that a script fills in', async (t) => {
  for (const options of Object.values(SIZES)) {
    const page = await open(t, options)
    await page.goto(`${t.server.url}/perros`)
    await waitUntilHydrated(page)
    const own = await page.screenshot()
    const area = await findFaceArea(page)
    await page.context().clearCookies()
    await recordFrames(page)
    await page.goto(`${t.server.url}/perros`)
    await waitUntilHydrated(page)
    assert.equal(await findOtherFaces([own, await page.screenshot()], own, area), [1])
    assert.ok((await readFrames(page)).faults.some((fault) => fault.startsWith('a visitor’s')))
    await useSession(page.context(), t.server, t.ana)
    await page.goto(`${t.server.url}/sin-conexion`)
    await page.locator('[data-bell]').waitFor()
    assert.equal((await readFrames(page)).faults, ['no member’s part'])
    await page.context().close()
  }
})

frame('without script a member gets their own frame', async (t) => {
  const page = await open(t, { ...DESKTOP, javaScriptEnabled: false })
  for (const path of PATHS) {
    await page.goto(t.server.url + path)
    const block = page.locator('[data-me-block]')
    assert.is(await block.count(), 1, path)
    assert.match(await block.innerText(), t.ana.email, path)
    assert.ok(await page.locator('[data-bell]').isVisible(), path)
    assert.is(await page.getByText('Iniciar sesión').count(), 0, path)
  }
  await page.context().close()
})

/** What a page load asks of the API, besides its stream of events. */
async function watchCalls(t: Context, options: BrowserContextOptions) {
  const page = await open(t, options)
  const requests = watchRequests(page)
  const load = async (path: string) => {
    requests.urls.length = 0
    await page.goto(t.server.url + path)
    await waitUntilQuiet(page, requests)
    // Answers are stored a moment after they have come.
    await page.waitForFunction(() => {
      const { liked = null }: { liked?: string[] | null } = JSON.parse(localStorage.getItem('perrario-liked') ?? '{}')
      return liked?.length === Number.parseInt(document.body.dataset.liked ?? '', 36)
    })
    return requests.urls
      .map((url) => url.slice(t.server.url.length))
      .filter((path) => /^\/(?:api|fragments)\/(?!events\?)/.test(path))
  }
  return { page, load }
}
const COUNTED = '/api/activity'

frame('a phone’s page asks for nothing once the browser has its member’s likes', async (t) => {
  const { page, load } = await watchCalls(t, PHONE)
  assert.equal(await load('/perros'), ['/api/likes'])
  for (const path of PATHS) assert.equal(await load(path), [], path)
  // A like on another device, which no open page hears of.
  await page.goto('about:blank')
  const { body } = await call(t.server, '/api/dogs?limit=1')
  await call(t.server, `/api/dogs/${body.dogs[0].id}/like`, { method: 'PUT', cookie: t.ana.cookie })
  assert.equal(await load('/perros'), ['/api/likes'])
  assert.equal(await load('/razas/beagle'), [])
  // Their own press is known.
  await page.locator('[data-like][aria-pressed=false]').first().click()
  // A page that is left before it has read the answer takes the like back, and asks again.
  await page.locator('[data-like][aria-disabled=true]').waitFor()
  await page.locator('[data-like][aria-disabled=true]').waitFor({ state: 'detached' })
  assert.equal(await load('/perros'), [])
  await page.context().close()
})

frame('a desktop’s page asks once, and only for what the header counts', async (t) => {
  const { page, load } = await watchCalls(t, DESKTOP)
  assert.equal(await load('/perros'), [`${COUNTED}?with=likes`])
  for (const path of PATHS) {
    const hasCounters = !['/razas/beagle', '/beagle/toby', '/perfil'].includes(path)
    assert.equal(await load(path), hasCounters ? [COUNTED] : [], path)
  }
  await page.context().close()
})
