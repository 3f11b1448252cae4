import { endAllSessions } from '#features/auth/sessions/member-sessions.server.ts'
import { DESKTOP, openContext } from '#tests/support/browser/chromium.ts'
import { signInMember, useSession } from '#tests/support/members.ts'
import { withRecentSignIn } from '#tests/support/seed.ts'
import { assert, browserSuite } from '#tests/support/suites.ts'

const tabs = browserSuite('browser/layout/session-tabs')

tabs(
  'every open tab follows a sign-out and a sign-in of another, without being touched',
  async ({ server, browser }) => {
    const ana = await signInMember(server)
    const context = await openContext(browser, DESKTOP)
    const [list, breeds] = [await context.newPage(), await context.newPage()]
    await breeds.goto(`${server.url}/razas`)
    await breeds.getByRole('link', { name: 'Iniciar sesión' }).first().waitFor()
    await useSession(context, server, ana)
    await list.goto(`${server.url}/perros`)
    await breeds.getByText(ana.email).waitFor()
    await list.getByRole('button', { name: 'Cerrar sesión' }).click()
    await breeds.getByText(ana.email).waitFor({ state: 'hidden' })
    await breeds.getByRole('link', { name: 'Iniciar sesión' }).first().waitFor()
    assert.not.match(await breeds.content(), ana.email)
    await context.close()
  },
)

tabs('a page that is seen again after its session ended elsewhere names nobody', async ({ server, browser }) => {
  const bea = await signInMember(server, 'bea@ejemplo.es')
  const context = await openContext(browser, DESKTOP)
  await useSession(context, server, bea)
  const page = await context.newPage()
  await page.goto(`${server.url}/perros`)
  await page.getByText(bea.email).waitFor()
  await endAllSessions(server.db, withRecentSignIn(bea))
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await page.getByText(bea.email).waitFor({ state: 'hidden' })
  await context.close()
})
