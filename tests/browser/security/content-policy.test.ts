import { DESKTOP, openContext } from '#tests/support/browser/chromium.ts'
import { attachPhotos, dogForm, smallPhotos } from '#tests/support/dogs/dog-form.ts'
import { call, formOf } from '#tests/support/api.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { signInMember, type TestMember, useSession } from '#tests/support/members.ts'
import { watchCspViolations } from '#tests/support/browser/csp-violations.ts'
import { openWatchedPage } from '#tests/support/browser/page-faults.ts'
import { waitForWorker, waitUntilTrue } from '#tests/support/browser/service-worker.ts'
import { waitUntilIdle } from '#tests/support/map/map-suite.ts'
import { dog, member, seed } from '#tests/support/seed.ts'
import { assert, browserSuite, type BrowserWorld } from '#tests/support/suites.ts'

// The content policy refuses nothing of ours in what opens on pages, and everything that was put into one; nothing is asked of
// other origins. On the pages themselves: browser/accessibility/templates-visitor, templates-member.
interface Shared extends BrowserWorld {
  ana: TestMember
  toby: string
}
const policy = browserSuite<Shared>('content policy', { ADMIN_EMAIL: 'ana@ejemplo.es' })

policy.before(async (t) => {
  t.ana = await signInMember(t.server)
  const form = formOf({
    name: 'Toby',
    breed: 'Beagle',
    zone: 'Sevilla',
    relationship: 'owner',
    images: [new Blob([await photo()], { type: 'image/jpeg' }), new Blob([await photo()], { type: 'image/jpeg' })],
  })
  const { body, status } = await call(t.server, '/api/dogs', { method: 'POST', form, cookie: t.ana.cookie })
  assert.is(status, 201, JSON.stringify(body))
  const { dog: toby } = body
  t.toby = toby.path
  await call(t.server, `/api/dogs/${toby.id}/comments`, {
    method: 'POST',
    json: { content: '¡Guapo!' },
    cookie: t.ana.cookie,
  })
  await seed(t.server.db, member({ alias: 'Luis' }), dog({ name: 'Luna', zone: 'Bilbao' }))
})

policy(
  'refuses nothing in dialogs, pickers, the lightbox, the form, the map and the bell, nor do they ask others',
  async (t) => {
    const context = await openContext(t.browser, { ...DESKTOP, serviceWorkers: 'allow', reducedMotion: 'reduce' })
    await useSession(context, t.server, t.ana)
    const { page, waitUntilQuiet, faults } = await openWatchedPage(context, t.server.url)
    const missing: string[] = []
    page.on('response', (response) => response.status() >= 400 && missing.push(response.url()))

    await page.goto(`${t.server.url}/#anadir-perro`)
    await dogForm(page).locator('form').waitFor()
    await attachPhotos(dogForm(page), await smallPhotos(2))
    await waitUntilQuiet()
    await page.keyboard.press('Escape')

    await page.goto(`${t.server.url}/perfil?editar`)
    await page.getByRole('button', { name: 'Cambiar emoji' }).click()
    await page.locator('em-emoji-picker [role=option]').first().waitFor()
    const face = page.locator('em-emoji-picker #root')
    assert.is(
      await face.evaluate((root) => getComputedStyle(root).position),
      'relative',
      'the picker has its own style',
    )

    await page.goto(t.server.url + t.toby)
    await page.locator('.comments textarea, [data-comments] textarea, textarea').first().click()
    await page.locator('textarea').first().fill('Hola')
    await page.locator('[data-bell]').click()
    await page.getByRole('dialog').or(page.locator('[popover]')).first().waitFor({ state: 'attached' })
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Ver a pantalla completa' }).click()
    await page.locator('.yarl__container').waitFor()

    await page.goto(`${t.server.url}/perros?view=map`)
    await waitUntilIdle(page)
    await waitUntilQuiet()
    await page.goto(`${t.server.url}/notificaciones`)
    await waitForWorker(page)
    await waitUntilQuiet()
    // The seeded dog has no photo's file.
    assert.equal([missing.filter((url) => !url.includes('/_ipx/')), faults()], [[], []])
    await context.close()
  },
)

policy('refuses scripts, handlers and styles that were put into a page', async (t) => {
  const context = await openContext(t.browser)
  const refused = await watchCspViolations(context)
  const page = await context.newPage()
  await page.goto(t.server.url)
  await page.evaluate(() => {
    const box = document.body.appendChild(document.createElement('div'))
    box.innerHTML = `<img src="data:," onerror="window.ran=1"><b style="color:red">x</b>
      <a href="javascript:window.ran=2" id="bad">x</a><iframe srcdoc="<script>parent.ran=3</script>"></iframe>`
    const script = document.createElement('script')
    script.textContent = 'window.ran=4'
    document.body.append(script)
    const foreign = document.createElement('script')
    foreign.src = 'https://otro.example/x.js'
    document.body.append(foreign)
    box.querySelector<HTMLElement>('#bad')!.click()
    const base = document.createElement('base')
    base.href = 'https://otro.example/'
    document.head.append(base)
  })
  // A test's own evaluation may do what a page may not: this one comes after it.
  await page.evaluate(() =>
    setTimeout(() => {
      try {
        document.title = String(new Function('return 1')())
      } catch (error) {
        document.title = (error as Error).name
      }
    }),
  )
  await page.waitForFunction(() => ['EvalError', '1'].includes(document.title))
  const evaluated = await page.title()
  await waitUntilTrue('six refusals', async () => refused.length >= 6)
  assert.is(await page.evaluate(() => (window as { ran?: number }).ran), undefined)
  assert.is(evaluated, 'EvalError')
  const kinds = new Set(refused.map((what) => what.split(' ')[1]))
  for (const kind of ['script-src-attr', 'style-src-attr', 'script-src-elem', 'base-uri', 'script-src'])
    assert.ok(kinds.has(kind), `${kind} of ${[...kinds].join(', ')}`)
  await context.close()
})
