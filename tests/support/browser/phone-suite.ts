import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright'
import type { Dog } from '#features/dogs/dogs.ts'
import { launchBrowser, openContext, PHONE, watchErrors } from '#tests/support/browser/chromium.ts'
import { signInMember, type TestMember, useSession } from '#tests/support/members.ts'
import { dog, member, seed } from '#tests/support/seed.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { assert, suite } from '#tests/support/suites.ts'

export interface PhoneWorld {
  server: TestServer
  browser: Browser
  ana: TestMember
  toby: Dog
  context: BrowserContext
  errors: string[]
}
/** A suite over one server whose tests each open a page on a phone and end without errors. */
export function phoneSuite(name: string) {
  const phone = suite<PhoneWorld>(name)

  phone.before(async (t) => {
    t.server = await startServer()
    t.browser = await launchBrowser()
    t.ana = await signInMember(t.server)
    const of = { zone: 'Madrid', age: 3, age_unit: 'años', weight: 8, size: 'mediano' } as const
    const [, , toby] = await seed(
      t.server.db,
      member({ alias: 'Luis' }),
      dog({ ...of, name: 'Viento', breed: 'Galgo español' }),
      dog({ ...of, name: 'Toby', owner_id: null, discoverer_id: t.ana.id, photos: 3, description: 'Muy bueno.' }),
      ...Array.from({ length: 8 }, () => dog({ ...of })),
    )
    t.toby = toby
    const luis = await signInMember(t.server, 'luis@ejemplo.es')
    const headers = { Cookie: luis.cookie, Origin: t.server.url }
    await fetch(`${t.server.url}/api/dogs/${toby.id}/like`, { method: 'PUT', headers })
  })
  phone.after(async (t) => {
    await t.browser.close()
    await t.server.dispose()
  })

  phone.after.each(async (t) => {
    await t.context.close()
    // Seeded dogs have no files, so their photos are 404.
    const errors = t.errors.filter((error) => !error.includes('404'))
    t.errors = []
    assert.equal(errors, [])
  })
  return phone
}

export async function openOnPhone(
  t: PhoneWorld,
  who: 'visitor' | 'member',
  options: BrowserContextOptions = {},
): Promise<Page> {
  t.context = await openContext(t.browser, { ...PHONE, reducedMotion: 'reduce', ...options })
  if (who === 'member') await useSession(t.context, t.server, t.ana)
  const page = await t.context.newPage()
  t.errors = watchErrors(page)
  return page
}
