import type { Page } from 'playwright'
import type { Dog } from '#features/dogs/dogs.ts'
import { axeFaults } from '#tests/support/browser/axe.ts'
import { signInMember, type TestMember, useSession } from '#tests/support/members.ts'
import { dog, seed } from '#tests/support/seed.ts'
import { waitUntilQuiet, watchRequests } from '#tests/support/browser/requests.ts'
import { assert, pageSuite, type PageWorld } from '#tests/support/suites.ts'

interface World extends PageWorld {
  toby: Dog
  ana: TestMember
  luis: TestMember
}

const likes = pageSuite<World>('likes')

likes.before(async (t) => {
  t.ana = await signInMember(t.server, 'ana@ejemplo.es')
  t.luis = await signInMember(t.server, 'luis@ejemplo.es')
})
likes.before.each(async (t) => {
  // No photos: the rows have no files.
  ;[t.toby] = await seed(t.server.db, dog({ name: 'Toby', owner_id: t.ana.id, photos: 0 }))
})
likes.after.each(({ errors }) => assert.equal(errors, []))

const heart = (page: Page, id: string, state: string) => page.locator(`[data-like="${id}"]${state}`)
const LIKED = '[aria-pressed=true]'
const NOT_LIKED = '[aria-pressed=false]'
const READY = '[aria-disabled=false]'
const count = (page: Page, id: string) => heart(page, id, '').locator('[data-like-count]').innerText()
const stored = async ({ server }: World, id: string) =>
  (await (await fetch(`${server.url}/api/dogs/${id}`)).json()).dog.likes

likes('a visitor is asked to sign in, and nothing changes', async (t) => {
  const { page, server, toby } = t
  await page.goto(server.url + toby.path)
  await heart(page, toby.id, NOT_LIKED).click()
  const dialog = page.getByRole('dialog', { name: 'Inicia sesión para dar un like' })
  await dialog.waitFor()
  assert.ok(await dialog.getByRole('button', { name: 'Iniciar sesión' }).isVisible())
  assert.equal(await axeFaults(page), [])
  await dialog.getByRole('button', { name: 'Ahora no' }).click()
  await dialog.waitFor({ state: 'hidden' })
  assert.is(await count(page, toby.id), '0')
  assert.is(await stored(t, toby.id), 0)
})

likes('a visitor who signs in for it likes the dog, and is led back', async (t) => {
  const { page, server, toby, context, ana } = t
  await page.goto(server.url + toby.path)
  await heart(page, toby.id, NOT_LIKED).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Iniciar sesión' }).click()
  await page.waitForURL(`${server.url}/login`)
  await useSession(context, server, ana)
  await page.goto(`${server.url}/perfil`)
  await page.getByRole('link', { name: 'Volver a Toby' }).click()
  await heart(page, toby.id, LIKED).waitFor()
  assert.is(await stored(t, toby.id), 1)
})

likes('a member likes on the dog’s page, sees the tongue, and takes it back', async (t) => {
  const { page, server, toby, context, ana } = t
  await useSession(context, server, ana)
  await page.goto(server.url + toby.path)
  assert.ok(await page.getByText('Aún no le gusta a nadie').isVisible())
  // It shows for a second, which a busy machine spends on the press.
  const tongue = page.locator('.like-shown.tongue svg').waitFor()
  await heart(page, toby.id, NOT_LIKED).click()
  await heart(page, toby.id, LIKED).waitFor()
  await tongue
  assert.is(await count(page, toby.id), '1')
  await page.getByRole('button', { name: `Le gusta a ${ana.alias}` }).waitFor()
  await page.locator('.like-shown').waitFor({ state: 'detached' })
  assert.is(await stored(t, toby.id), 1)
  await page.reload()
  await heart(page, toby.id, LIKED + READY).click()
  await page.getByText('Quitado!').waitFor()
  await heart(page, toby.id, NOT_LIKED + READY).waitFor()
  await page.getByText('Aún no le gusta a nadie').waitFor()
  await page.locator('.like-shown').waitFor({ state: 'detached' })
  assert.is(await stored(t, toby.id), 0)
})

likes('the heart rests after a press: a second one in between does nothing', async (t) => {
  const { page, server, toby, context, ana } = t
  await useSession(context, server, ana)
  await page.goto(server.url + toby.path)
  const sent: string[] = []
  page.on('request', (request) => request.url().endsWith('/like') && sent.push(request.method()))
  await heart(page, toby.id, NOT_LIKED).evaluate((button: HTMLElement) => {
    button.click()
    button.click()
    button.click()
  })
  await heart(page, toby.id, LIKED + '[aria-disabled=true]').waitFor()
  await heart(page, toby.id, LIKED + READY).waitFor()
  assert.equal(sent, ['PUT'])
})

likes('what the server refuses is put back', async (t) => {
  const { page, server, toby, context, ana, errors } = t
  await useSession(context, server, ana)
  await page.goto(server.url + toby.path)
  const { promise: asked, resolve: answer } = Promise.withResolvers<void>()
  await page.route('**/like', async (route) => {
    await asked
    await route.abort()
  })
  await heart(page, toby.id, NOT_LIKED).click()
  await heart(page, toby.id, LIKED).waitFor()
  assert.is(await count(page, toby.id), '1')
  answer()
  await heart(page, toby.id, NOT_LIKED + READY).waitFor()
  assert.is(await count(page, toby.id), '0')
  assert.ok(errors.splice(0).some((line) => line.includes('No se pudo guardar el like')))
})

likes('a session that ended: put back, and asked to sign in', async (t) => {
  const { page, server, toby, context, ana, errors } = t
  await useSession(context, server, ana)
  await page.goto(server.url + toby.path)
  await context.clearCookies()
  await heart(page, toby.id, NOT_LIKED).click()
  await page.getByRole('dialog', { name: 'Inicia sesión para dar un like' }).waitFor()
  assert.is(await heart(page, toby.id, NOT_LIKED).count(), 1)
  assert.is(await count(page, toby.id), '0')
  // The browser itself logs a 401.
  assert.ok(errors.splice(0).every((line) => line.includes('401')))
})

likes(
  'hearts of the grid: liked without opening the dog, still liked on the breed’s page, gone at sign-out',
  async (t) => {
    const { page, server, toby, context } = t
    await useSession(context, server, await signInMember(server, 'eva@ejemplo.es'))
    await page.goto(`${server.url}/perros`)
    await page.waitForSelector('main astro-island:not([ssr])', { state: 'attached' })
    await heart(page, toby.id, NOT_LIKED).click()
    await heart(page, toby.id, LIKED + READY).waitFor()
    assert.is(await count(page, toby.id), '1')
    assert.is(new URL(page.url()).pathname, '/perros')
    await page.locator('.like-shown').waitFor({ state: 'detached' })
    await page.goto(`${server.url}/razas/beagle`)
    await heart(page, toby.id, LIKED).waitFor()
    await page.goto(`${server.url}/perros`)
    await heart(page, toby.id, LIKED).waitFor()
    assert.equal(await axeFaults(page, { within: '.dogs' }), [])
    await page.getByRole('button', { name: 'Cerrar sesión' }).click()
    await page.waitForURL(`${server.url}/`)
    await heart(page, toby.id, NOT_LIKED).waitFor()
    assert.is(await page.evaluate(() => localStorage.getItem('perrario-liked')), null)
    assert.is(await stored(t, toby.id), 1)
  },
)

likes('the likers stand in a dialog', async (t) => {
  const { page, server, toby, ana, luis } = t
  for (const { cookie } of [ana, luis])
    assert.is(
      (await fetch(`${server.url}/api/dogs/${toby.id}/like`, { method: 'PUT', headers: { Cookie: cookie } })).status,
      200,
    )
  await page.goto(server.url + toby.path)
  await page.getByRole('button', { name: 'Les gusta a' }).click()
  const dialog = page.getByRole('dialog', { name: 'Usuarios a los que les gusta' })
  await dialog.getByRole('link').first().waitFor()
  const links = await dialog.getByRole('link').evaluateAll((all) => all.map((link) => link.getAttribute('href')))
  assert.equal(links.sort(), [`/usuario/${ana.id}`, `/usuario/${luis.id}`].sort())
  assert.ok(await dialog.getByRole('link', { name: ana.alias }).isVisible())
  assert.equal(await axeFaults(page), [])
})

likes('a dog’s page loads no React for its heart', async ({ page, server, toby, context, ana }) => {
  await useSession(context, server, ana)
  const scripts: string[] = []
  page.on('request', (request) => request.resourceType() === 'script' && scripts.push(request.url()))
  const requests = watchRequests(page)
  await page.goto(server.url + toby.path)
  await waitUntilQuiet(page, requests)
  assert.ok(scripts.length > 0)
  assert.equal(
    scripts.filter((url) => /react|LikeButton|feedback/i.test(url)),
    [],
  )
})
