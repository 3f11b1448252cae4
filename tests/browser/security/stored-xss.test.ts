import * as assert from 'uvu/assert'
import { buildSignInMail } from '#features/auth/sign-in/sign-in-mail.ts'
import { digestMail } from '#features/notifications/digest/digest-mail.ts'
import { call } from '#tests/support/api.ts'
import { openContext } from '#tests/support/browser/chromium.ts'
import { watchCspViolations } from '#tests/support/browser/csp-violations.ts'
import { type TestMember, useSession } from '#tests/support/members.ts'
import { XSS_PAYLOADS } from '#tests/support/xss/payloads.ts'
import { SHOWN_MARKS } from '#tests/support/xss/text-fields.ts'
import { expectedTexts } from '#tests/support/xss/written-payloads.ts'
import { assertNothingRan, xssSuite, type XssWorld } from '#tests/support/xss/xss-suite.ts'

// What people write is shown as they wrote it and never runs: not on a page, in an island, live, in a notice or a search.
// The content policy would stop most of it; here nothing may come that far, so a refusal fails the test too.
const scripts = xssSuite('stored scripts')

/** What anybody may open, then what each sees alone. */
function pagesOf(t: XssWorld): [who: TestMember | null, paths: string[]][] {
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

scripts.run()
