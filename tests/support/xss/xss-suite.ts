import type { Browser, Page } from 'playwright'
import { addComment } from '#features/comments/comments.server.ts'
import { call, formOf } from '#tests/support/api.ts'
import { launchBrowser } from '#tests/support/browser/chromium.ts'
import { signInMember, type TestMember } from '#tests/support/members.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { XSS_PAYLOADS } from './payloads.ts'
import { type WrittenPayloads, writePayloads } from './written-payloads.ts'
import { update } from '#tests/support/rows.ts'
import { assert, suite } from '#tests/support/suites.ts'

export interface XssWorld {
  server: TestServer
  browser: Browser
  ana: TestMember
  luis: TestMember
  admin: TestMember
  world: WrittenPayloads
  dogs: { id: string; path: string; name: string }[]
  image: Buffer
}

const add = async (t: XssWorld, text: string, cookie: string, i = 0) => {
  const images = new Blob([t.image as BlobPart], { type: 'image/jpeg' })
  const fields = { name: `Perro ${i}`, breed: 'Beagle', description: text, relationship: 'owner' }
  return call(t.server, '/api/dogs', { method: 'POST', cookie, form: formOf({ ...fields, images }) })
}

/** A suite over one server where every field holds payloads, and a browser to look at them. */
export function xssSuite(name: string) {
  const scripts = suite<XssWorld>(name)
  scripts.before(async (t) => {
    t.server = await startServer({ ADMIN_EMAIL: 'admin@ejemplo.es' })
    t.browser = await launchBrowser()
    t.ana = await signInMember(t.server)
    t.luis = await signInMember(t.server, 'luis@ejemplo.es')
    t.admin = await signInMember(t.server, 'admin@ejemplo.es')
    t.image = await photo()
    t.dogs = []
    for (const [i, text] of XSS_PAYLOADS.entries()) {
      const { status, body } = await add(t, text, t.ana.cookie, i)
      assert.is(status, 201, `${text}: ${JSON.stringify(body)}`)
      // No name, breed or zone may hold such characters; an older row could.
      await t.server.db
        .updateTable('dogs_all')
        .set({ name: text, breed: text, zone: text })
        .where('id', '=', body.dog.id)
        .execute()
      t.dogs.push({ ...body.dog, name: text })
    }
    // More than a member may write in a minute.
    for (const text of XSS_PAYLOADS) await addComment(t.server.db, t.luis, t.dogs[0]!.id, text)
    // No alias may hold such characters; an older row could.
    await update(t.server.db, 'profiles_all', { id: t.luis.id }, { alias: XSS_PAYLOADS[2]!, alias_key: 'x' })
    await call(t.server, `/api/dogs/${t.dogs[0]!.id}/like`, { method: 'PUT', cookie: t.luis.cookie })
    t.world = await writePayloads(t.server, { ...t, dogs: t.dogs.slice(-4) })
  })
  scripts.after(async ({ server, browser }) => {
    await browser.close()
    await server.dispose()
  })
  return scripts
}

const hasRun = (page: Page) => page.evaluate(() => 'ran' in window)

export async function assertNothingRan(page: Page, what: string): Promise<void> {
  await page.waitForLoadState('load')
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  assert.is(await hasRun(page), false, what)
}
