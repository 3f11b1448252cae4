import type { Page } from 'playwright'
import * as assert from 'uvu/assert'
import { buildSignInMail } from '#features/auth/sign-in/sign-in-mail.ts'
import { lostAlertMail } from '#features/lost/alerts/alert-mail.ts'
import { buildQuestionMail } from '#features/lost/question-mail.ts'
import { digestMail } from '#features/notifications/digest/digest-mail.ts'
import { call } from '#tests/support/api.ts'
import { openContext } from '#tests/support/browser/chromium.ts'
import { watchCspViolations } from '#tests/support/browser/csp-violations.ts'
import { type TestMember, useSession } from '#tests/support/members.ts'
import { type ParsedPage, parsePages } from '#tests/support/xss/parsed-pages.ts'
import { XSS_PAYLOADS } from '#tests/support/xss/payloads.ts'
import { SHOWN_MARKS } from '#tests/support/xss/text-fields.ts'
import { expectedTexts } from '#tests/support/xss/written-payloads.ts'
import { assertNothingRan, xssSuite, type XssWorld } from '#tests/support/xss/xss-suite.ts'

// What people write is shown as they wrote it and never runs: not on a page, in an island, live, in a notice or a search.
// The content policy would stop most of it; here nothing may come that far, so a refusal fails the test too.
const scripts = xssSuite('stored scripts')

interface Visit {
  who: TestMember | null
  /** Opened in the browser. */
  open: string[]
  /** Parsed: what others open is made of the same scripts. */
  parse: string[]
}

/** What anybody may open, then what each sees alone. */
function visitsOf(t: XssWorld): Visit[] {
  const { ana, luis, admin, world, dogs } = t
  const profiles = [ana, luis, ...world.attackers].map(({ id }) => `/usuario/${id}`)
  const breeds = ['/razas', '/razas/beagle', '/razas/boxer']
  const common = ['/', '/perros?view=map', '/comunidad', ...breeds, ...profiles]
  const own = ['/perfil', '/perfil?tab=razas', '/notificaciones', '/perfil/cuenta', '/perfil/seguridad']
  const report = `/denunciar?tipo=perro&id=${dogs[0]!.id}`
  const queue = [
    'denuncias',
    'denuncias&clase=avistamiento',
    'denuncias&orden=mas',
    'denuncias&orden=cerradas',
    'registro',
    'perros',
    'miembros',
  ]
  const lost = {
    open: world.lost.flatMap(({ open }) => open),
    owner: world.lost.flatMap(({ owner }) => owner),
    finder: world.lost.flatMap(({ finder }) => finder),
  }
  const [attacker, another] = world.attackers as [TestMember, TestMember]
  return [
    { who: null, open: [...common, '/perdidos', ...world.paths, ...lost.open], parse: [] },
    { who: ana, open: [...own, ...world.hidden, dogs[0]!.path, ...lost.owner], parse: lost.open },
    { who: luis, open: [report, world.paths[0]!, ...lost.finder], parse: [...own, ...world.paths.slice(1)] },
    {
      who: admin,
      open: [...queue.map((tab) => `/admin?tab=${tab}`), breeds[1]!, world.paths[0]!],
      parse: ['/notificaciones', ...breeds, ...world.paths.slice(1)],
    },
    { who: attacker, open: own, parse: [] },
    { who: another, open: ['/perfil'], parse: own.slice(1) },
  ]
}

scripts('nothing stored runs on any page for anybody, and every field is shown as it was written', async (t) => {
  let seen = ''
  const context = await openContext(t.browser)
  const refused = await watchCspViolations(context)
  const page = await context.newPage()
  const undirected = new Set<string>()
  for (const { who, open, parse } of visitsOf(t)) {
    const name = who?.email ?? 'a visitor'
    if (who) await useSession(context, t.server, who)
    const further: string[] = []
    for (const path of open) {
      const response = await page.goto(t.server.url + path)
      assert.ok(response!.status() < 500, `${path}: ${response!.status()}`)
      await assertNothingRan(page, `${name} ${path}`)
      seen += await page.content()
      for (const one of await page.evaluate(findUndirected, FREE_TEXTS)) undirected.add(`${path} ${one}`)
      const next = page.locator('a.more[rel=next]')
      if (path.startsWith('/admin') && (await next.count())) further.push((await next.first().getAttribute('href'))!)
    }
    for (const [path, parsed] of await parseAll(t, page, [...parse, ...further])) {
      assert.ok(parsed.status < 500, `${path}: ${parsed.status}`)
      assert.equal(parsed.scripts, [], `${name} ${path}`)
      seen += parsed.html
    }
  }
  await context.close()
  assert.equal([...undirected], [], 'texts of people that do not say their own direction (dir="auto", bdi)')
  assert.equal([...new Set(refused)], [])
  assert.equal(
    expectedTexts(SHOWN_MARKS).filter((mark) => !seen.includes(mark)),
    [],
    'written, and on no page: is it shown elsewhere?',
  )
})

/** Names, breeds and zones are of Latin letters, and what the admin writes of a breed is Spanish. */
const OTHER_TEXTS = /^·(name|breed|emoji|\w*zone|email|nombre_|temperamento|pelaje|pais_|proposito_)/
const FREE_TEXTS = expectedTexts(SHOWN_MARKS).filter((mark) => !OTHER_TEXTS.test(mark))

/** Where one of the marked texts is shown without a direction of its own. */
const findUndirected = (marks: readonly string[]): string[] => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const found: string[] = []
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const mark = marks.find((text) => node.nodeValue!.includes(text))
    const holder = node.parentElement!
    if (mark && !holder.closest('[dir=auto], bdi, label, .sr, noscript, script, style, template, textarea'))
      found.push(`${mark} in ${holder.tagName} ${holder.className}`)
  }
  return found
}

/** These pages, and where the queue and the log go on. */
async function parseAll(t: XssWorld, page: Page, paths: readonly string[]): Promise<[path: string, ParsedPage][]> {
  const all: [string, ParsedPage][] = []
  const waiting = [...paths]
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const [parsed] = await parsePages(page, [t.server.url + path])
    all.push([path, parsed!])
    const next = path.startsWith('/admin') && (await page.evaluate(findNext, parsed!.html))
    if (next) waiting.push(next)
  }
  return all
}

/** Where a list goes on, by its markup. */
const findNext = (html: string) =>
  new DOMParser().parseFromString(html, 'text/html').querySelector('a.more[rel=next]')?.getAttribute('href')

/** What a dog's page says in its markup, and how many of its elements stand in the head though none of them should. */
const readDogPage = (html: string) => {
  const page = new DOMParser().parseFromString(html, 'text/html')
  const meta = (which: string) => page.querySelector(`meta[${which}]`)?.getAttribute('content') ?? ''
  return {
    heading: page.querySelector('h1')!.textContent.replace(/\s+/g, ' ').trim(),
    title: page.title,
    shared: meta('property="og:title"'),
    descriptions: ['name="description"', 'property="og:description"'].map(meta),
    others: page.querySelectorAll('head > :not(meta, link, title, script[src], style)').length,
    islands: [...page.querySelectorAll('astro-island')].map(
      (island) => JSON.parse(island.getAttribute('props') ?? '{}') as object,
    ).length,
  }
}

scripts('heading, title, share tags and what islands are given say what was written', async (t) => {
  const context = await openContext(t.browser)
  const refused = await watchCspViolations(context)
  const page = await context.newPage()
  await page.goto(t.server.url)
  const dogs = t.dogs.slice(0, -4)
  const words = (text: string) => text.replace(/\s+/g, ' ').trim()
  for (const [i, parsed] of (
    await parsePages(
      page,
      dogs.map(({ path }) => t.server.url + path),
    )
  ).entries()) {
    const { name } = dogs[i]!
    assert.equal(parsed.scripts, [], name)
    const { heading, title, shared, descriptions, others, islands } = await page.evaluate(readDogPage, parsed.html)
    assert.is(heading, words(name))
    assert.ok(title.startsWith(`${name}, `), `${title} ${name}`)
    assert.ok(shared.startsWith(`${name}, `), name)
    for (const description of descriptions) assert.ok(description.startsWith(`${name}: `), name)
    assert.is(others, 0, 'nothing else is in the head')
    assert.ok(islands > 0)
  }
  // The list's island reads its dogs from the cards, and draws them again.
  await page.locator('astro-island:not([ssr]) .dogs').waitFor()
  const names = await page.locator('.dogs .dog-card h3').allTextContents()
  assert.ok(names.map(words).includes(words(t.dogs[3]!.name)), names.join(', '))
  // Each of these alone is what its scripts are given.
  for (const { path } of t.dogs.slice(0, 4)) {
    await page.goto(t.server.url + path)
    await assertNothingRan(page, path)
  }
  assert.equal([...new Set(refused)], [])
  await context.close()
})

scripts('no mail runs anything, where nothing forbids it', async (t) => {
  const context = await openContext(t.browser)
  const page = await context.newPage()
  for (const text of [...XSS_PAYLOADS, XSS_PAYLOADS.join(' ')]) {
    const line = { title: text, content: text, path: `/${text}` }
    const { html } = digestMail('https://perrario.example', { alias: text, items: [line], unseen: 2, token: text })
    for (const mail of [
      html,
      buildQuestionMail({ dogName: text, link: `https://perrario.example/${text}` }).html,
      lostAlertMail('https://perrario.example', {
        alias: text,
        name: text,
        path: `/${text}`,
        photo: null,
        zone: text,
        since: Date.now(),
        km: 5,
        token: text,
      }).html,
      buildSignInMail({ link: `https://perrario.example/${text}`, code: '123456', minutes: 15 }).html,
    ]) {
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
