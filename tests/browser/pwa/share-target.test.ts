import { PHONE } from '#tests/support/browser/chromium.ts'
import { dogForm, smallPhotos } from '#tests/support/dogs/dog-form.ts'
import { type FaultProxy, startFaultProxy } from '#tests/support/browser/fault-proxy.ts'
import {
  openBehindProxy,
  openContextWithWorker,
  waitUntilTrue,
  withoutNetworkErrors,
} from '#tests/support/browser/service-worker.ts'
import { signInMember } from '#tests/support/members.ts'
import { startServer } from '#tests/support/server.ts'
import { assert, browserSuite } from '#tests/support/suites.ts'

// Photos that the system's share menu hands to the installed app, and what is left of them and of a member.
const pwa = browserSuite<{ front: FaultProxy }>('share target')

pwa.before.each(async (t) => {
  t.front = await startFaultProxy(t.server.url)
})
pwa.after.each(({ front }) => front.dispose())

pwa('a photo shared with Perrario opens the form with it, also where there is no network', async (t) => {
  const { front } = t
  const [photo] = await smallPhotos(1)
  for (const isOnline of [true, false]) {
    const { context, page, errors } = await openBehindProxy(t, '/razas', PHONE)
    if (!isOnline) front.down()
    // As the system sends it: a form posted to the manifest’s share target.
    await page.evaluate(() => {
      const share = document.createElement('form')
      Object.assign(share, { method: 'post', action: '/compartir', enctype: 'multipart/form-data', id: 'share' })
      share.innerHTML = '<input type="file" name="fotos">'
      document.body.append(share)
    })
    await page.locator('#share input').setInputFiles(photo!)
    await page.locator('#share').evaluate((share: HTMLFormElement) => share.submit())
    await dogForm(page).locator('.df-gallery .df-tile img').waitFor()
    assert.is(await dogForm(page).locator('.df-gallery li').count(), 1)
    assert.is(new URL(page.url()).search, '', 'the address says nothing of it any more')
    // Opened again it is the draft’s, not another copy.
    await page.reload()
    await page.locator('[data-add-dog]:visible').first().click()
    await dogForm(page).getByText('Borrador recuperado').waitFor()
    assert.is(await dogForm(page).locator('.df-gallery li').count(), 1)
    assert.equal(withoutNetworkErrors(errors), [])
    front.up()
    await context.close()
  }
})

pwa('where the shared photo got lost, the form opens and says so', async ({ browser, front }) => {
  const context = await openContextWithWorker(browser, { ...PHONE, serviceWorkers: 'block' })
  const page = await context.newPage()
  await page.goto(`${front.url}/?compartido=no#anadir-perro`)
  await dogForm(page).locator('form').waitFor()
  await page.getByText('La foto no ha llegado').waitFor()
  await page.getByText('Elígela aquí desde tu galería.').waitFor()
  await context.close()
})

pwa('on a site without dogs a visitor’s shared photo opens the form, and never the sign-in', async ({ browser }) => {
  const empty = await startServer()
  const context = await openContextWithWorker(browser, { ...PHONE, serviceWorkers: 'block' })
  try {
    const page = await context.newPage()
    await page.addInitScript(() => {
      const pressed: string[] = []
      Object.assign(window, { pressed })
      document.addEventListener('click', ({ target }) => pressed.push((target as Element).tagName), true)
    })
    await page.goto(`${empty.url}/perros`)
    assert.is(await page.locator('a[data-add-dog][href="/login"]:visible').count(), 1, 'the link of the empty list')
    await page.goto(`${empty.url}/?compartido=no#anadir-perro`)
    await dogForm(page).locator('form').waitFor()
    const pressed = await page.evaluate(() => (window as unknown as { pressed: string[] }).pressed)
    assert.equal([...new Set(pressed)], ['BUTTON'])
    assert.is(new URL(page.url()).pathname, '/')
  } finally {
    await context.close()
    await empty.dispose()
  }
})

pwa('signing out leaves nothing of what a member typed or shared on the device', async (t) => {
  const { page } = await openBehindProxy(t, '/perros', { who: await signInMember(t.server, 'zonas@ejemplo.es') })
  await page.evaluate(async () => {
    await fetch('/api/places?q=Canariote')
    await (await caches.open('perrario-compartido')).put('/compartida-1', new Response('foto'))
  })
  const left = () =>
    page.evaluate(async () => {
      const caught: string[] = []
      for (const name of await caches.keys())
        for (const { url } of await (await caches.open(name)).keys())
          if (/Canariote|compartida-1/.test(url)) caught.push(url)
      return caught
    })
  await waitUntilTrue('both are cached', async () => (await left()).length === 2)
  await page.evaluate(async () => void (await fetch('/api/auth/sign-out', { method: 'POST' })))
  await waitUntilTrue('both are gone', async () => (await left()).length === 0)
})
