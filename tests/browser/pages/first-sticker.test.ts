import type { Locator, Page } from 'playwright'
import { PHONE } from '#tests/support/browser/chromium.ts'
import { readLayoutShift } from '#tests/support/browser/requests.ts'
import { dogForm, smallPhotos } from '#tests/support/dogs/dog-form.ts'
import { addDogWithFiles } from '#tests/support/dogs/dogs-fixture.ts'
import { lastMailTo } from '#tests/support/outbox.ts'
import { assert, pageSuite } from '#tests/support/suites.ts'

// A newcomer with a phone, from the breed's page that a search engine found to the own first sticker.

/** What a person takes, in seconds: to find and press something, to type a letter, to choose a photo, to change to the mail and back. */
const SECONDS = { tap: 1.5, letter: 0.3, photo: 4, mail: 8, glance: 3 }
const MAX_TAPS = 9
const MAX_SECONDS = 60
const MAX_LAYOUT_SHIFT = 0.02

const journey = pageSuite('first sticker', {}, PHONE)

journey.before(async (t) => {
  for (let n = 0; n < 3; n++) await addDogWithFiles(t.server.db, t.server.dataDir, null)
})

journey('takes nine taps and a minute at most, and nothing moves under the thumb', async ({ server, page, errors }) => {
  let taps = 0
  let seconds = 0
  const tap = async (target: Locator) => {
    await target.tap()
    taps++
    seconds += SECONDS.tap
  }
  const type = async (target: Locator, text: string) => {
    await target.pressSequentially(text)
    seconds += text.length * SECONDS.letter
  }
  const assertStill = async (name: string, at: Page = page) => {
    const shift = await readLayoutShift(at)
    assert.ok(shift <= MAX_LAYOUT_SHIFT, `${name} moved by ${shift}`)
  }

  await page.goto(`${server.url}/razas/beagle`)
  seconds += SECONDS.glance
  await assertStill('the breed')
  await tap(page.locator('[data-add-dog]', { hasText: '¿Tienes un Beagle?' }))
  const form = dogForm(page)
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), tap(form.getByText('Añadir fotos'))])
  await chooser.setFiles(await smallPhotos(1))
  taps++
  seconds += SECONDS.photo
  await form.locator('.df-gallery .df-tile img').waitFor()
  await tap(form.locator('.df-buttons [type=submit]'))
  await page.waitForURL('**/perfil')
  seconds += SECONDS.glance
  const email = page.getByLabel('Tu email')
  await assertStill('the way in')
  await tap(email)
  await type(email, 'lola@ejemplo.es')
  await tap(page.getByRole('button', { name: 'Recibir enlace mágico' }))
  const code = page.getByLabel('Código')
  await code.waitFor()
  taps++
  seconds += SECONDS.mail
  await type(code, lastMailTo(server.dataDir, 'lola@ejemplo.es').code)
  await page.waitForURL('**/perfil')
  await page.locator('.dog-card').first().waitFor()
  seconds += SECONDS.glance
  await assertStill('the profile')
  assert.ok(taps <= MAX_TAPS, `${taps} taps`)
  assert.ok(seconds <= MAX_SECONDS, `${seconds} s`)
  assert.equal(errors, [])
})
