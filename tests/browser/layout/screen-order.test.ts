import type { BrowserContextOptions, Page } from 'playwright'
import { DESKTOP, PHONE, openContext } from '#tests/support/browser/chromium.ts'
import { signInMember, useSession } from '#tests/support/members.ts'
import { dog, seed } from '#tests/support/seed.ts'
import { assert, browserSuite, type BrowserWorld } from '#tests/support/suites.ts'

// What stands above, below and over what, on screens whose order the specification names.
type World = BrowserWorld & { path: string }
const order = browserSuite<World>('order of screens')

order.before(async (t) => {
  const [toby] = await seed(t.server.db, dog({ name: 'Toby', breed: 'Beagle' }))
  t.path = toby.path
})

async function openPage({ browser }: World, options: BrowserContextOptions): Promise<Page> {
  const context = await openContext(browser, { reducedMotion: 'reduce', ...options })
  return context.newPage()
}
const boxOf = async (page: Page, selector: string) => (await page.locator(selector).first().boundingBox())!

for (const [name, options] of Object.entries({ phone: PHONE, desktop: DESKTOP })) {
  let opened: Page | undefined
  /** One page for all tests of this width. */
  const open = async (t: World) => (opened ??= await openPage(t, options))

  order(
    `a breed's pictures, button and lead come first, its tiles follow, its facts come below, ${name}`,
    async (t) => {
      const page = await open(t)
      await page.goto(`${t.server.url}/razas/beagle`)
      const [button, lead] = [await boxOf(page, '.hero .btn.pri'), await boxOf(page, '.hero .lead')]
      const tiles = await boxOf(page, '.tiles')
      const facts = (await page.getByRole('heading', { name: 'Datos curiosos' }).boundingBox())!
      const last = (await page.locator('.tiles').last().boundingBox())!
      assert.ok(button.y + button.height <= lead.y, `${button.y} + ${button.height}, ${lead.y}`)
      assert.ok(lead.height < (name === 'phone' ? 110 : 60), `a lead of ${lead.height} px`)
      assert.ok(lead.y + lead.height <= tiles.y + 1, `${lead.y} + ${lead.height}, ${tiles.y}`)
      assert.ok(last.y + last.height <= facts.y + 1, `${last.y} + ${last.height}, ${facts.y}`)
    },
  )

  order(`the message of a mail sent lies beside the field of its code, ${name}`, async (t) => {
    const page = await open(t)
    await page.goto(`${t.server.url}/login`)
    await page.getByLabel('Tu email').fill(`${name}@ejemplo.es`)
    await page.getByRole('button', { name: 'Recibir enlace mágico' }).click()
    const toast = page.locator('.toast', { hasText: '¡Enlace mágico enviado!' })
    const field = page.locator('input[autocomplete="one-time-code"]')
    await toast.waitFor()
    await field.waitFor()
    const [over, under] = [(await toast.boundingBox())!, (await field.boundingBox())!]
    const apart =
      over.y + over.height <= under.y ||
      under.y + under.height <= over.y ||
      over.x + over.width <= under.x ||
      under.x + under.width <= over.x
    assert.ok(apart, JSON.stringify({ over, under }))
  })

  order(`a dog that nobody likes says 0, ${name}`, async (t) => {
    const page = await open(t)
    await page.goto(t.server.url + t.path)
    assert.is(await page.locator('[data-likers]').innerText(), '0 Aún no le gusta a nadie')
  })
}

order('a member without dogs is offered to add one on their own tab', async (t) => {
  const page = await openPage(t, DESKTOP)
  await useSession(page.context(), t.server, await signInMember(t.server))
  await page.goto(`${t.server.url}/perfil`)
  const offer = page.locator('main').getByText('Añadir perro', { exact: true })
  await offer.first().click()
  await page.getByRole('dialog').waitFor()
})
