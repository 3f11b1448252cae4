import type { Page } from 'playwright'
import { axeFaultsInBothThemes } from '#tests/support/browser/axe.ts'
import { DESKTOP, PHONE } from '#tests/support/browser/chromium.ts'
import { fitsWidth } from '#tests/support/browser/reflow.ts'
import { signInMember, type TestMember, useSession } from '#tests/support/members.ts'
import { dog, member, seed } from '#tests/support/seed.ts'
import { takePage, visit } from '#tests/support/browser/page-pool.ts'
import { assert, browserSuite, type BrowserWorld } from '#tests/support/suites.ts'

interface Site extends BrowserWorld {
  ana: TestMember
  /** Whose album Ana compares hers with. */
  luis: string
  /** A dog of Ana's from the summer. */
  toby: string
}
const albums = browserSuite<Site>('compared albums')

albums.before(async (t) => {
  t.ana = await signInMember(t.server)
  const { db } = t.server

  await db.updateTable('profiles_all').set({ alias: 'Ana' }).where('id', '=', t.ana.id).execute()
  const [luis] = await seed(db, member({ alias: 'Luis' }), dog({ breed: 'Teckel' }), dog({ breed: 'Beagle' }))
  const [toby] = await seed(
    db,
    dog({ breed: 'Beagle', name: 'Toby', owner_id: t.ana.id, created_at: Date.parse('2026-07-01') }),
    dog({ breed: 'Whippet', discoverer_id: t.ana.id }),
  )
  t.luis = luis.id
  t.toby = toby.path
})

/** Whether the page fits once the transition to it has ended. */
async function fits(page: Page): Promise<boolean> {
  for (let i = 0; i < 20 && !(await fitsWidth(page)); i++) await page.waitForTimeout(100)
  return fitsWidth(page)
}

const ignoreFiles = (errors: string[]) => errors.filter((text) => !text.includes('Failed to load resource'))

for (const javaScriptEnabled of [true, false])
  for (const device of [PHONE, DESKTOP])
    albums(
      `a member filters their album and compares it ${javaScriptEnabled ? '' : 'without script '}at ${device.viewport.width} px`,
      async (t) => {
        const { page, errors } = await visit(t, '/?tab=mine', { ...device, javaScriptEnabled }, t.ana)
        if (device === PHONE) await page.locator('.fold summary').click()
        await page.getByRole('link', { name: 'Descubiertos 1' }).click()
        await page.getByRole('heading', { name: '1 raza encontrada' }).waitFor()
        assert.match(page.url(), /album=descubiertos/)
        await page.getByRole('link', { name: /Whippet/ }).waitFor()
        assert.is(await page.locator('.glued, .pg .slot').count(), 1)
        if (javaScriptEnabled) assert.equal(await axeFaultsInBothThemes(page), [])
        assert.ok(await fits(page))
        await page.goto(`${t.server.url}/usuario/${t.luis}?tab=razas`)
        await page.getByRole('link', { name: 'Comparar con mi álbum' }).click()
        await page.getByRole('heading', { name: 'Tu álbum y el de Luis' }).waitFor()
        await page.getByText('Luis la tiene, a ti te falta.').waitFor()
        await page.getByRole('link', { name: /Teckel/ }).waitFor()
        assert.is(await page.locator('#album-tools').count(), 0)
        await page.getByRole('link', { name: 'Le faltan 1' }).click()
        await page.getByRole('link', { name: /Whippet/ }).waitFor()
        await page.getByRole('link', { name: 'Te faltan 1' }).click()
        await page.getByRole('link', { name: /Teckel/ }).waitFor()
        assert.is(await page.getByRole('link', { name: /Beagle/ }).count(), 0)
        if (javaScriptEnabled) assert.equal(await axeFaultsInBothThemes(page), [])
        assert.ok(await fits(page))
        assert.equal(ignoreFiles(errors), [])
      },
    )

for (const javaScriptEnabled of [true, false])
  albums(`a member sends what they lack, and takes it back ${javaScriptEnabled ? '' : 'without script'}`, async (t) => {
    const { page, errors } = await takePage(t.browser, { ...PHONE, javaScriptEnabled })
    const visitor = await takePage(t.browser, { ...PHONE, javaScriptEnabled })
    await useSession(page.context(), t.server, t.ana)
    await page.goto(`${t.server.url}/perfil?tab=razas`)
    await page.getByRole('link', { name: 'Mira lo que me falta' }).click()
    await page.getByRole('button', { name: /Crear (mi|otro) enlace/ }).click()
    const address = await page.locator('.album-link-address').innerText()
    assert.match(address, /^http.+\/me-falta\?enlace=[\w-]{43}$/)
    if (javaScriptEnabled) assert.equal(await axeFaultsInBothThemes(page), [])
    assert.ok(await fits(page))
    await visitor.page.goto(address)
    await visitor.page.getByRole('heading', { name: 'A Ana le faltan 439 razas' }).waitFor()
    await visitor.page.getByRole('link', { name: 'Página siguiente' }).click()
    await visitor.page.getByText('Páginas 3 y 4 de').waitFor()
    if (javaScriptEnabled) assert.equal(await axeFaultsInBothThemes(visitor.page), [])
    assert.ok(await fits(visitor.page))
    await page.getByRole('button', { name: 'Retirar el enlace' }).click()
    await page.getByRole('button', { name: 'Crear mi enlace' }).waitFor()
    await visitor.page.goto(address)
    await visitor.page.getByRole('heading', { name: 'Este enlace no existe o ya no funciona' }).waitFor()
    assert.equal([...ignoreFiles(errors), ...ignoreFiles(visitor.errors)], [])
  })

albums('an owner puts the season’s frame on a dog without script, and takes it off', async (t) => {
  const plain = await takePage(t.browser, { ...PHONE, javaScriptEnabled: false })
  await useSession(plain.page.context(), t.server, t.ana)
  await plain.page.goto(t.server.url + t.toby)
  await plain.page.getByRole('button', { name: 'Verano' }).click()
  await plain.page.getByRole('img', { name: 'Marco: Verano' }).waitFor()
  await plain.page.getByRole('status').filter({ hasText: 'Marco puesto: así lo ven todos.' }).waitFor()

  const { page, errors } = await visit(t, '/', DESKTOP)
  await page.locator('article').filter({ hasText: 'Toby' }).getByRole('img', { name: 'Marco: Verano' }).waitFor()
  await useSession(page.context(), t.server, t.ana)
  await page.goto(t.server.url + t.toby)
  assert.equal(await axeFaultsInBothThemes(page), [])
  await page.getByRole('button', { name: 'Sin marco' }).click()
  await page.getByRole('img', { name: 'Marco: Verano' }).waitFor({ state: 'detached' })
  await page.getByRole('status').filter({ hasText: 'Marco quitado.' }).waitFor()
  // An old address says nothing that is not so any more.
  await page.goto(`${t.server.url}${t.toby}?marco=puesto`)
  await page.getByRole('button', { name: 'Sin marco' }).waitFor()
  assert.is(await page.getByText('Marco puesto').count(), 0)
  assert.equal(ignoreFiles(errors), [])
})
