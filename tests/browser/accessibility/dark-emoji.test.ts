import type { Locator } from 'playwright'
import sharp from 'sharp'
import * as assert from 'uvu/assert'
import { openOnPhone, phoneSuite } from '#tests/support/browser/phone-suite.ts'

// Members choose any emoji, a dark one as well, and the dark theme must show it wherever it stands.
const phone = phoneSuite('dark emoji')

/** WCAG 1.4.11: between graphics and what is around them. */
const MIN_CONTRAST = 3
/** Fewer of its pixels are glints, not a shape. */
const MIN_SHARE = 0.08

/** Relative luminance (WCAG 2). */
function luminance(red: number, green: number, blue: number): number {
  const [r, g, b] = [red, green, blue].map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** Which share of the pixels painted there stands out from their ground, the most common of their colours. */
async function outstandingShare(target: Locator): Promise<number> {
  const { data } = await sharp(await target.screenshot())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const values: number[] = []
  for (let i = 0; i < data.length; i += 3) values.push(luminance(data[i]!, data[i + 1]!, data[i + 2]!))
  const counts = new Map<number, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  const [ground] = [...counts].toSorted((a, b) => b[1] - a[1])[0]!
  const contrast = (value: number) => (Math.max(value, ground) + 0.05) / (Math.min(value, ground) + 0.05)
  return values.filter((value) => contrast(value) >= MIN_CONTRAST).length / values.length
}

phone('a dark emoji is seen in the dark: bar, menu, ranking, comments, people, search, what is followed', async (t) => {
  await t.server.db.updateTable('profiles_all').set({ emoji: '🐾' }).where('id', '=', t.ana.id).execute()
  const headers = { Cookie: t.ana.cookie, Origin: t.server.url, 'Content-Type': 'application/json' }
  const comment = { method: 'POST', headers, body: JSON.stringify({ content: 'Guapo' }) }
  assert.is((await fetch(`${t.server.url}/api/dogs/${t.toby.id}/comments`, comment)).status, 201)
  await t.server.db
    .insertInto('follows')
    .values({ user_id: t.ana.id, kind: 'breed', target_id: 'beagle', created_at: Date.now() })
    .execute()
  const page = await openOnPhone(t, 'member', { colorScheme: 'dark' })
  const found: string[] = []
  const places = {
    [t.toby.path]: ['.tabbar .emo', '.people .ava', '.comp .ava', '.comment .ava'],
    '/comunidad': ['.ranking .ava'],
    [`/buscar?q=${t.ana.alias}`]: ['.hit-pic.round'],
    '/perfil': ['[data-profile=emoji]'],
    '/perfil/siguiendo': ['.follows .ava'],
  }
  for (const [path, selectors] of Object.entries(places)) {
    await page.goto(t.server.url + path)
    for (const selector of selectors) {
      const target = page.locator(selector, { hasText: '🐾' }).first()
      await target.scrollIntoViewIfNeeded()
      const share = await outstandingShare(target)
      if (share < MIN_SHARE) found.push(`${path} ${selector}: ${share.toFixed(3)}`)
    }
  }
  await page.goto(t.server.url)
  await page.getByRole('button', { name: 'Abrir el menú' }).click()
  await page.waitForFunction(() => document.querySelector('#side')!.getBoundingClientRect().right <= innerWidth)
  for (const selector of ['.side nav .emo', '.side .me .ava']) {
    const share = await outstandingShare(page.locator(selector).first())
    if (share < MIN_SHARE) found.push(`menu ${selector}: ${share.toFixed(3)}`)
  }
  assert.equal(found, [])
})
