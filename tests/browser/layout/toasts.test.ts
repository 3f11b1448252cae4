import type { Page } from 'playwright'
import { launchBrowser, openContext } from '#tests/support/browser/chromium.ts'
import { serveBundle } from '#tests/support/browser/bundle.ts'
import type { toast } from '#ui/toast/toast.client.ts'
import { assert, suite } from '#tests/support/suites.ts'

declare global {
  var say: typeof toast
}

const HTML = `<!doctype html><html lang="es"><title>toasts</title>
<button id="before">antes</button><form><input></form><input id="other"><dialog id="modal"><button>dentro</button></dialog>
<script type="module">
  import '#ui/styles/tokens.css'
  import '#ui/styles/base.css'
  import { toast } from '#ui/toast/toast.client.ts'
  window.say = toast
</script>`

const bundle = await serveBundle(HTML)
const browser = await launchBrowser()

const toasts = suite<{ page: Page }>('toasts')
toasts.before.each(async (t) => {
  const context = await openContext(browser, { viewport: { width: 1320, height: 900 }, reducedMotion: 'reduce' })
  t.page = await context.newPage()
  // The test turns the clock by hand.
  await t.page.clock.install()
  await t.page.goto(bundle.url)
  await t.page.waitForFunction(() => 'say' in globalThis)
  // The first move of a mouse is no movement: there is nothing it came from.
  await t.page.mouse.move(1, 1)
  await t.page.clock.pauseAt(Date.now() + 3_600_000)
})
toasts.after.each(async ({ page }) => page.context().close())
toasts.after(async () => {
  await browser.close()
  await bundle.dispose()
})

const shown = (page: Page) => page.locator('.toast:not([data-leaving]):not([inert]) b').allTextContents()
const error = { title: 'Error de red', text: 'No se pudo conectar con el servidor.', kind: 'error' as const }

toasts('a dialog-style toast stays 5 s', async ({ page }) => {
  await page.evaluate((options) => void say(options), error)
  const words = page.locator('[role=alert] .toast .toast-words > *')
  assert.equal(await words.allTextContents(), ['Error de red', 'No se pudo conectar con el servidor.'])
  await page.clock.runFor(4999)
  assert.equal(await shown(page), ['Error de red'])
  await page.clock.runFor(1)
  assert.equal(await shown(page), [])
})

toasts('one dialog-style toast at a time: the newer replaces the older', async ({ page }) => {
  await page.evaluate(() => {
    say({ title: 'Perro asociado', text: 'Uno' })
    say({ title: 'Error de autenticación', text: 'Dos', kind: 'error' })
  })
  assert.equal(await shown(page), ['Error de autenticación'])
})

toasts('stacked toasts: three shown, 4 s, 356 px wide, 14 px apart', async ({ page }) => {
  await page.evaluate(() => {
    for (const title of ['uno', 'dos', 'tres', 'cuatro']) say({ title })
  })
  assert.equal((await shown(page)).sort(), ['cuatro', 'dos', 'tres'])
  const boxOf = async (title: string) => (await page.locator('.toast', { hasText: title }).boundingBox())!
  assert.is((await boxOf('cuatro')).width, 356)
  await page.locator('.toast', { hasText: 'cuatro' }).hover()
  const [front, second] = [await boxOf('cuatro'), await boxOf('tres')]
  assert.is(Math.round(front.y - (second.y + second.height)), 14)
  await page.mouse.move(0, 0)
  await page.clock.runFor(3999)
  assert.is((await shown(page)).length, 3)
  await page.clock.runFor(1)
  assert.equal(await shown(page), [])
})

toasts('what is good news is a status, what went wrong an alert', async ({ page }) => {
  await page.evaluate(() => {
    say({ title: 'Perfil actualizado', kind: 'success' })
    say({ title: 'Error al guardar el perfil', kind: 'error' })
  })
  assert.is(await page.locator('[role=status] .toast b').innerText(), 'Perfil actualizado')
  assert.is(await page.locator('[role=alert] .toast b').innerText(), 'Error al guardar el perfil')
})

toasts('time stands still while the pointer or the focus is on it', async ({ page }) => {
  await page.evaluate(() => void say({ title: 'Perfil actualizado' }))
  await page.locator('.toast').hover()
  await page.clock.runFor(60_000)
  assert.equal(await shown(page), ['Perfil actualizado'])
  await page.mouse.move(0, 0)
  await page.locator('.toast').focus()
  await page.clock.runFor(60_000)
  assert.equal(await shown(page), ['Perfil actualizado'])
  await page.locator('#before').focus()
  await page.clock.runFor(4000)
  assert.equal(await shown(page), [])
})

toasts('a pointer that rests where a toast appears does not hold it, one that moves on it does', async ({ page }) => {
  for (const style of ['stack', 'dialog'] as const) {
    const say = (title: string) =>
      page.evaluate(({ title, style }) => void globalThis.say({ title, style, duration: 2000 }), { title, style })
    await say('¡Enlace copiado!')
    // As browsers tell of a pointer that something came under: it entered, and has not moved.
    await page.locator(`.toasts-${style}`).evaluate((region) => region.dispatchEvent(new PointerEvent('pointerenter')))
    await page.clock.runFor(1999)
    assert.equal(await shown(page), ['¡Enlace copiado!'], style)
    await page.clock.runFor(1)
    assert.equal(await shown(page), [], style)
    await page.clock.runFor(300)

    await say('Otra')
    await page.locator('.toast', { hasText: 'Otra' }).hover()
    await page.clock.runFor(60_000)
    assert.equal(await shown(page), ['Otra'], style)
    await page.mouse.move(0, 0)
    await page.clock.runFor(2300)
    assert.equal(await shown(page), [], style)
  }
})

toasts('what ignores the pointer goes after its time, and waits for the focus alone', async ({ page }) => {
  const say = () =>
    page.evaluate(
      () => void globalThis.say({ title: '¡Enlace copiado!', text: 'Dos', duration: 2000, ignoresPointer: true }),
    )
  await say()
  await page.locator('.toast').hover()
  await page.clock.runFor(2000)
  assert.equal(await shown(page), [])
  await page.mouse.move(0, 0)
  await page.clock.runFor(300)
  await say()
  await page.keyboard.press('F8')
  await page.clock.runFor(60_000)
  assert.equal(await shown(page), ['¡Enlace copiado!'])
  await page.locator('#before').focus()
  await page.clock.runFor(2000)
  assert.equal(await shown(page), [])
})

toasts('F8 goes to it, Escape dismisses it and gives the focus back', async ({ page }) => {
  await page.locator('#before').focus()
  await page.evaluate(() => void say({ title: 'Perfil actualizado' }))
  await page.keyboard.press('F8')
  assert.ok(await page.locator('.toast').evaluate((toast) => toast === document.activeElement))
  await page.keyboard.press('Escape')
  assert.equal(await shown(page), [])
  assert.is(await page.evaluate(() => document.activeElement?.id), 'before')
})

toasts('typing in the form that an error is about, or sending it again, dismisses it', async ({ page }) => {
  const say = () =>
    page.evaluate(() => {
      const form = document.querySelector('form')!
      form.addEventListener('submit', (event) => event.preventDefault())
      globalThis.say({ title: 'Introduce un email válido', kind: 'error', form })
      globalThis.say({ title: 'Perfil actualizado' })
    })
  await say()
  await page.locator('#other').fill('hola')
  assert.equal((await shown(page)).sort(), ['Introduce un email válido', 'Perfil actualizado'])
  await page.locator('form input').fill('ana@ejemplo.es')
  assert.equal(await shown(page), ['Perfil actualizado'])
  await say()
  await page.locator('form input').press('Enter')
  assert.not.ok((await shown(page)).includes('Introduce un email válido'))
})

toasts('its button dismisses it', async ({ page }) => {
  await page.evaluate(() => void say({ title: 'Perfil actualizado' }))
  await page.getByRole('button', { name: 'Cerrar aviso' }).click()
  assert.equal(await shown(page), [])
})

toasts('a swipe of 20 px dismisses, a shorter one does not', async ({ page }) => {
  await page.evaluate(() => void say({ title: 'Perfil actualizado' }))
  const box = (await page.locator('.toast').boundingBox())!
  const swipe = async (distance: number) => {
    await page.mouse.move(box.x + 100, box.y + 28)
    await page.mouse.down()
    await page.mouse.move(box.x + 100 + distance, box.y + 28, { steps: 3 })
    await page.mouse.up()
  }
  await swipe(19)
  assert.equal(await shown(page), ['Perfil actualizado'])
  await swipe(20)
  assert.equal(await shown(page), [])
})

toasts('over a modal dialog they can still be reached', async ({ page }) => {
  await page.evaluate(() => document.querySelector<HTMLDialogElement>('#modal')!.showModal())
  await page.evaluate((options) => void say(options), error)
  await page.getByRole('button', { name: 'Cerrar aviso' }).click()
  assert.equal(await shown(page), [])
})

toasts('a toast outlives the dialog it was shown over', async ({ page }) => {
  await page.evaluate((options) => {
    document.querySelector<HTMLDialogElement>('#modal')!.showModal()
    say(options)
    document.querySelector<HTMLDialogElement>('#modal')!.close()
  }, error)
  await page.locator('.toast').waitFor({ state: 'visible' })
  assert.ok(await page.locator('body > section .toast').isVisible())
})
