import type { Browser, Page } from 'playwright'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { call, formOf } from '#tests/support/api.ts'
import { launchBrowser, visit } from '#tests/support/browser.ts'
import { signedIn, type TestMember, useSession } from '#tests/support/members.ts'
import { PAYLOADS } from '#tests/support/payloads.ts'
import { photo } from '#tests/support/photo.ts'
import { watchPolicy } from '#tests/support/policy.ts'
import { withDatabase } from '#tests/support/seed.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

// What people write is shown as they wrote it and never runs: not on a page, in an island, live, in a notice or a search.
// The content policy would stop most of it; here nothing may come that far, so a refusal fails the test too.
interface Shared {
  server: TestServer
  browser: Browser
  ana: TestMember
  luis: TestMember
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
  t.server = await startServer({ ADMIN_EMAIL: 'ana@ejemplo.es' })
  t.browser = await launchBrowser()
  t.ana = await signedIn(t.server)
  t.luis = await signedIn(t.server, 'luis@ejemplo.es')
  t.image = await photo()
  t.dogs = []
  for (const [i, text] of PAYLOADS.entries()) {
    const { status, body } = await add(t, text, t.ana.cookie, i)
    assert.is(status, 201, `${text}: ${JSON.stringify(body)}`)
    // No name, breed or zone may hold such characters; an older row could.
    await withDatabase(t.server, (db) =>
      db.updateTable('dogs').set({ name: text, breed: text, zone: text }).where('id', '=', body.dog.id).execute(),
    )
    t.dogs.push({ ...body.dog, name: text })
  }
  for (const text of PAYLOADS)
    await call(t.server, `/api/dogs/${t.dogs[0]!.id}/comments`, {
      method: 'POST',
      cookie: t.luis.cookie,
      json: { content: text },
    })
  // No alias may hold such characters; an older row could.
  await withDatabase(t.server, (db) =>
    db.updateTable('profiles').set({ alias: PAYLOADS[2]!, alias_key: 'x' }).where('id', '=', t.luis.id).execute(),
  )
  await call(t.server, `/api/dogs/${t.dogs[0]!.id}/like`, { method: 'PUT', cookie: t.luis.cookie })
})
scripts.after(async ({ server, browser }) => {
  await browser.close()
  await server.dispose()
})

const hasRun = (page: Page) => page.evaluate(() => 'ran' in window)

async function nothingRan(page: Page, what: string): Promise<void> {
  await page.waitForLoadState('load')
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  assert.is(await hasRun(page), false, what)
}

for (const who of ['a visitor', 'the admin'] as const)
  scripts(`nothing stored runs, seen by ${who}`, async (t) => {
    const context = await visit(t.browser)
    const refused = await watchPolicy(context)
    if (who === 'the admin') await useSession(context, t.server, t.ana)
    const page = await context.newPage()
    const common = ['/', '/perros?view=map', '/comunidad', `/usuario/${t.ana.id}`, `/usuario/${t.luis.id}`]
    const own = ['/perfil', '/notificaciones', '/admin', '/admin?tab=perros', '/perfil/cuenta']
    for (const path of [...common, ...(who === 'the admin' ? own : []), ...t.dogs.slice(0, 6).map((dog) => dog.path)]) {
      await page.goto(t.server.url + path)
      await nothingRan(page, path)
    }
    await page.goto(t.server.url + t.dogs[0]!.path)
    assert.is(await page.getByRole('heading', { level: 1 }).innerText(), t.dogs[0]!.name)
    const said = (await page.locator('main').innerText()) + (await page.title())
    assert.ok(said.includes('<script>ran=1</script>'), 'it is shown as it was written')
    assert.equal(refused, [])
    await context.close()
  })

scripts('nothing runs that arrives live, nor in the bell', async (t) => {
  const context = await visit(t.browser)
  const refused = await watchPolicy(context)
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
  await nothingRan(page, 'bell')
  assert.equal(refused, [])
  await context.close()
})

scripts('nothing that stands in an address runs', async (t) => {
  const context = await visit(t.browser)
  const refused = await watchPolicy(context)
  const page = await context.newPage()
  const names: Record<string, string[]> = {
    '/': ['breed', 'size', 'sort', 'cursor', 'view', 'tab', 'buscar'],
    '/perros': ['breed', 'view', 'lat', 'lon', 'zoom', 'cursor'],
    '/razas': ['buscar', 'modo', 'orden', 'pagina', 'vista'],
    '/razas/beagle': ['desde', 'editar'],
    '/comunidad': ['cursor'],
    '/login': ['error', 'destino', 'email'],
    '/login/enlace': ['token'],
    '/baja': ['token'],
    '/denunciar': ['tipo', 'id', 'motivo', 'error'],
    '/perro/x': ['x'],
  }
  for (const [path, all] of Object.entries(names))
    for (const text of [PAYLOADS[1]!, PAYLOADS[3]!, PAYLOADS[5]!, PAYLOADS[8]!]) {
      await page.goto(`${t.server.url}${path}?${new URLSearchParams(all.map((name) => [name, text]))}`)
      await nothingRan(page, `${path} ${text}`)
    }
  for (const text of PAYLOADS.slice(0, 8)) {
    await page.goto(`${t.server.url}/${encodeURIComponent(text)}/${encodeURIComponent(text)}`)
    await nothingRan(page, text)
  }
  assert.equal(refused, [])
  await context.close()
})

scripts.run()
