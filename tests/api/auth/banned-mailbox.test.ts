import { ban } from '#features/moderation/bans.server.ts'
import { CookieJar } from '#tests/support/auth/cookie-jar.ts'
import { runCommand } from '#tests/support/operator-command.ts'
import { lastMailTo } from '#tests/support/outbox.ts'
import { accountDeletionBody } from '#tests/support/seed.ts'
import { operatorEnv } from '#tests/support/server.ts'
import { answered, assert, call, contentOf, serverSuite, signInMember } from '#tests/support/suites.ts'

const EMAIL = 'ana@ejemplo.es'
const BANNED_MESSAGE =
  /^Hasta el \d+ de \w+ de \d{4} no puedes abrir otra cuenta: la que eliminaste no podía publicar\.$/

const api = serverSuite('api/auth/banned-mailbox')

api(
  'a banned member who deletes the account and confirms the same mailbox is refused, by code and by link',
  async ({ server }) => {
    const { id, cookie } = await signInMember(server, EMAIL)
    await ban(server.db, id, { until: Date.now() + 7 * 86_400_000, reason: 'Insultos' })
    const json = await accountDeletionBody(server, cookie)
    assert.is((await call(server, '/api/account', { method: 'DELETE', cookie, json })).status, 204)

    // Whoever does not hold the mailbox learns nothing.
    const asked = await call(server, '/api/auth/magic-link', { method: 'POST', json: { email: EMAIL } })
    assert.equal(contentOf(asked), [202, { sent: true }])
    const { code, link } = lastMailTo(server.dataDir, EMAIL)
    const byCode = await answered(403, call(server, '/api/auth/code', { method: 'POST', json: { email: EMAIL, code } }))
    assert.match(byCode.body.detail, BANNED_MESSAGE)
    assert.is(byCode.headers.get('content-type'), 'application/problem+json; charset=utf-8')

    const jar = new CookieJar()
    const pressed = await jar.load(`${server.url}/api/auth/link`, {
      method: 'POST',
      body: new URLSearchParams({ token: new URL(link).searchParams.get('token')! }),
    })
    assert.is(pressed.status, 303)
    const page = await (await jar.load(new URL(pressed.headers.get('location')!, server.url).href)).text()
    assert.match(page, /no puedes abrir otra cuenta/)

    const order = await runCommand('admin', ['readmit', ` ${EMAIL.toUpperCase()}`], operatorEnv(server))
    assert.is(order.code, 0, order.output)
    const back = await call(server, '/api/auth/code', { method: 'POST', json: { email: EMAIL, code } })
    assert.is(back.status, 200, 'the code was not spent')
  },
)
