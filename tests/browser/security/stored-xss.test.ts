import type { Browser, Page } from 'playwright'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { buildSignInMail } from '#features/auth/sign-in/sign-in-mail.ts'
import { digestMail } from '#features/notifications/digest/digest-mail.ts'
import { ALL_FIELD_NAMES } from '#tests/support/malformed/valid-fields.ts'
import { ROUTES } from '#tests/support/malformed/routes.ts'
import { call, formOf } from '#tests/support/api.ts'
import { launchBrowser, openContext } from '#tests/support/browser/chromium.ts'
import { signInMember, type TestMember, useSession } from '#tests/support/members.ts'
import { XSS_PAYLOADS } from '#tests/support/xss/payloads.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { watchCspViolations } from '#tests/support/browser/csp-violations.ts'
import { type WrittenPayloads, expectedTexts, writePayloads } from '#tests/support/xss/written-payloads.ts'
import { withDatabase } from '#tests/support/seed.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { listFiles, readSource } from '#tests/support/sources.ts'
import { SHOWN_MARKS } from '#tests/support/xss/text-fields.ts'

// What people write is shown as they wrote it and never runs: not on a page, in an island, live, in a notice or a search.
// The content policy would stop most of it; here nothing may come that far, so a refusal fails the test too.
interface Shared {
  server: TestServer
  browser: Browser
  ana: TestMember
  luis: TestMember
  admin: TestMember
  world: WrittenPayloads
  dogs: { id: string; path: string; name: string }[]
  image: Buffer
}
const scripts = suite<Shared>('stored scripts')

const add = async (t: Shared, text: string, cookie: string, i = 0) => {
  const images = new Blob([t.image as BlobPart], { type: 'image/jpeg' })
  const fields = { name: `Perro ${i}`, breed: 'Beagle', description: text, relationship: 'owner' }
  return call(t.server, '/api/dogs', { method: 'POST', cookie, form: formOf({ ...fields, images }) })
}

scripts.before(async (t) => {
  t.server = await startServer({ ADMIN_EMAIL: 'admin@ejemplo.es' })
  t.browser = await launchBrowser()
  t.ana = await signInMember(t.server)
  t.luis = await signInMember(t.server, 'luis@ejemplo.es')
  t.admin = await signInMember(t.server, 'admin@ejemplo.es')
  t.image = await photo()
  t.dogs = []
  for (const [i, text] of XSS_PAYLOADS.entries()) {
    const { status, body } = await add(t, text, t.ana.cookie, i)
    assert.is(status, 201, `${text}: ${JSON.stringify(body)}`)
    // No name, breed or zone may hold such characters; an older row could.
    await withDatabase(t.server, (db) =>
      db.updateTable('dogs').set({ name: text, breed: text, zone: text }).where('id', '=', body.dog.id).execute(),
    )
    t.dogs.push({ ...body.dog, name: text })
  }
  for (const text of XSS_PAYLOADS)
    await call(t.server, `/api/dogs/${t.dogs[0]!.id}/comments`, {
      method: 'POST',
      cookie: t.luis.cookie,
      json: { content: text },
    })
  // No alias may hold such characters; an older row could.
  await withDatabase(t.server, (db) =>
    db.updateTable('profiles').set({ alias: XSS_PAYLOADS[2]!, alias_key: 'x' }).where('id', '=', t.luis.id).execute(),
  )
  await call(t.server, `/api/dogs/${t.dogs[0]!.id}/like`, { method: 'PUT', cookie: t.luis.cookie })
  t.world = await writePayloads(t.server, { ...t, dogs: t.dogs.slice(-4) })
})
scripts.after(async ({ server, browser }) => {
  await browser.close()
  await server.dispose()
})

const hasRun = (page: Page) => page.evaluate(() => 'ran' in window)

async function assertNothingRan(page: Page, what: string): Promise<void> {
  await page.waitForLoadState('load')
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  assert.is(await hasRun(page), false, what)
}

/** What anybody may open, then what each sees alone. */
function pagesOf(t: Shared): [who: TestMember | null, paths: string[]][] {
  const { ana, luis, admin, world, dogs } = t
  const profiles = [ana, luis, ...world.attackers].map(({ id }) => `/usuario/${id}`)
  const breeds = ['/razas', '/razas/beagle', '/razas/boxer']
  const common = ['/', '/perros?view=map', '/comunidad', ...breeds, ...profiles]
  // Ana's own first dogs are opened below.
  const open = [...common, ...world.paths]
  const own = ['/perfil', '/perfil?tab=razas', '/notificaciones', '/perfil/decisiones', '/perfil/cuenta']
  const report = `/denunciar?tipo=perro&id=${dogs[0]!.id}`
  const queue = ['denuncias', 'denuncias&orden=mas', 'denuncias&orden=cerradas', 'registro', 'perros', 'miembros']
  return [
    [null, open],
    [ana, [...own, ...world.hidden, dogs[0]!.path]],
    [luis, [...own, report, ...world.paths]],
    [admin, [...queue.map((tab) => `/admin?tab=${tab}`), '/notificaciones', ...breeds, ...world.paths]],
    ...world.attackers.map((who): [TestMember, string[]] => [who, own]),
  ]
}

scripts('nothing stored runs on any page for anybody, and every field is shown as it was written', async (t) => {
  let seen = ''
  const all: string[] = []
  for (const [who, paths] of pagesOf(t)) {
    const context = await openContext(t.browser)
    const refused = await watchCspViolations(context)
    if (who) await useSession(context, t.server, who)
    const page = await context.newPage()
    for (const path of paths)
      for (let next: string | null = path; next;) {
        const { status } = (await page.goto(t.server.url + next).then((response) => ({ status: response!.status() })))!
        assert.ok(status < 500, `${next}: ${status}`)
        await assertNothingRan(page, `${who?.email ?? 'a visitor'} ${next}`)
        seen += await page.content()
        // The queue and the log go on.
        next = await page.locator('a.more[rel=next]').evaluateAll((links) => links[0]?.getAttribute('href') ?? null)
        if (!path.startsWith('/admin')) next = null
      }
    all.push(...refused)
    await context.close()
  }
  assert.equal([...new Set(all)], [])
  assert.equal(
    expectedTexts(SHOWN_MARKS).filter((mark) => !seen.includes(mark)),
    [],
    'written, and on no page: is it shown elsewhere?',
  )
})

scripts('heading, title, share tags and what islands are given say what was written', async (t) => {
  const context = await openContext(t.browser)
  const refused = await watchCspViolations(context)
  const page = await context.newPage()
  for (const { path, name } of t.dogs.slice(0, 12)) {
    await page.goto(t.server.url + path)
    await assertNothingRan(page, path)
    assert.is(await page.getByRole('heading', { level: 1 }).innerText(), name.replace(/\s+/g, ' '))
    assert.ok((await page.title()).startsWith(`${name}, `), name)
    const meta = (which: string) => page.locator(`meta[${which}]`).getAttribute('content')
    assert.ok((await meta('property="og:title"'))!.startsWith(`${name}, `), name)
    for (const which of ['name="description"', 'property="og:description"'])
      assert.ok((await meta(which))!.startsWith(`${name}: `), name)
    assert.is(
      await page.locator('head > :not(meta, link, title, script[src], style)').count(),
      0,
      'nothing else is in the head',
    )
    const given = await page
      .locator('astro-island')
      .evaluateAll((islands) => islands.map((island) => JSON.parse(island.getAttribute('props') ?? '{}') as object))
    assert.ok(given.length > 0)
  }
  assert.equal([...new Set(refused)], [])
  await page.goto(t.server.url)
  const props = await page
    .locator('astro-island[props]')
    .evaluateAll((all) => all.map((one) => one.getAttribute('props')!))
  assert.ok(
    props.some((text) => JSON.stringify(JSON.parse(text)).includes(JSON.stringify(t.dogs[3]!.name).slice(1, -1))),
  )
  await context.close()
})

scripts('no mail runs anything, where nothing forbids it', async (t) => {
  const context = await openContext(t.browser)
  const page = await context.newPage()
  for (const text of [...XSS_PAYLOADS, XSS_PAYLOADS.join(' ')]) {
    const line = { title: text, content: text, path: `/${text}` }
    const { html } = digestMail('https://perrario.example', { alias: text, lines: [line], unseen: 2, token: text })
    for (const mail of [html, buildSignInMail({ link: `https://perrario.example/${text}`, code: '123456' }).html]) {
      // With the page's own address, and no policy of the site's.
      await page.setContent(mail)
      await assertNothingRan(page, text)
      assert.is(await page.locator('script, img, iframe, svg, form, [onload], [onerror], [onfocus]').count(), 0, text)
    }
    assert.ok(
      (await page.setContent(html), await page.locator('body').innerText()).includes(text.slice(0, 20).trim()),
      text,
    )
  }
  await context.close()
})

scripts('nothing runs that arrives live, nor in the bell', async (t) => {
  const context = await openContext(t.browser)
  const refused = await watchCspViolations(context)
  await useSession(context, t.server, t.ana)
  const page = await context.newPage()
  await page.goto(t.server.url + t.dogs[0]!.path)
  const text = '<img src=x onerror=ran=1> en directo'
  const { status } = await call(t.server, `/api/dogs/${t.dogs[0]!.id}/comments`, {
    method: 'POST',
    cookie: t.luis.cookie,
    json: { content: text },
  })
  assert.is(status, 201)
  await page.locator('[data-bell]').click()
  await page.getByText('en directo').first().waitFor()
  await assertNothingRan(page, 'bell')
  assert.equal(refused, [])
  await context.close()
})

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
