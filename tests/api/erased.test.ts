import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openDatabase } from '#db/client.ts'
import { sweepAll } from '#features/care/sweep.server.ts'
import { call, formOf } from '#tests/support/api.ts'
import { signedIn } from '#tests/support/members.ts'
import { lastMailTo } from '#tests/support/outbox.ts'
import { photo } from '#tests/support/photo.ts'
import { startServer } from '#tests/support/server.ts'

const erased = suite('erased')

/** Files under `dir` whose bytes hold one of these, as `file: text`. Deleted rows may lie in free pages, so bytes it is. */
function traces(dir: string, texts: readonly string[]): string[] {
  const found: string[] = []
  for (const name of readdirSync(dir, { recursive: true }).map(String)) {
    const file = join(dir, name)
    if (!statSync(file).isFile()) continue
    const bytes = readFileSync(file)
    for (const text of texts) if (bytes.includes(text)) found.push(`${relative(dir, file)}: ${text}`)
  }
  return found
}

erased('a member who deleted their account is in no byte of the data', async () => {
  const server = await startServer({ LOG: 'json' })
  const email = 'ana.irrepetible@ejemplo.es'
  const words = ['Palabras irrepetibles', 'Descripción irrepetible', 'Alias irrepetible', 'Otro irrepetible']
  try {
    // As a person would: by mail, with a session in the browser, and traces in every feature.
    await call(server, '/api/auth/magic-link', { method: 'POST', json: { email } })
    const { code } = lastMailTo(server.dataDir, email)
    const entered = await call(server, '/api/auth/code', { method: 'POST', json: { email, code } })
    assert.is(entered.status, 200)
    const id = entered.body.user.id as string
    const token = entered.headers.get('set-cookie')!.split(';')[0]!
    const cookie = token
    const bea = await signedIn(server, 'bea@ejemplo.es')
    const say = async (path: string, method: string, json?: unknown, as = cookie) => {
      const { status, body } = await call(server, path, { method, cookie: as, ...(json !== undefined && { json }) })
      assert.ok(status < 300, `${method} ${path}: ${status}`)
      return body
    }
    const alias = entered.body.user.alias as string
    for (const name of [words[3], words[2]]) await say('/api/profile', 'PUT', { alias: name, emoji: '🐶' })
    const add = async (as: string) => {
      const fields = {
        name: 'Toby',
        breed: 'Beagle',
        relationship: 'owner',
        description: as === cookie ? words[1]! : 'Otra',
      }
      const form = formOf({ ...fields, images: new Blob([await photo()]) })
      const { body } = await call(server, '/api/dogs', { method: 'POST', cookie: as, form })
      return body.dog as { id: string; path: string; images: { url: string }[] }
    }
    const [toby, luna] = [await add(cookie), await add(bea.cookie)]
    for (const [as, one] of [
      [cookie, luna],
      [bea.cookie, toby],
    ] as const) {
      await say(`/api/dogs/${one.id}/like`, 'PUT', undefined, as)
      await say(`/api/dogs/${one.id}/comments`, 'POST', { content: as === cookie ? words[0] : 'Hola' }, as)
    }
    await call(server, '/perfil', { cookie })
    await call(server, `/usuario/${id}`)
    await call(server, toby.path)
    const known = [email, id, alias, ...words]
    const db = join(server.dataDir, 'perrario.db')
    await server.restart()
    for (const text of [email, id, words[0]!, words[1]!, words[2]!])
      assert.ok(readFileSync(db).includes(text), `the test must have something to look for: ${text}`)

    await say('/api/account', 'DELETE', { dogs: 'delete' })
    assert.is((await call(server, `/usuario/${id}`)).status, 404)
    await server.stop()
    const left = traces(server.dataDir, known)
    assert.equal(
      left.filter((each) => !each.startsWith('outbox/')),
      [],
    )
    assert.equal(readdirSync(join(server.dataDir, 'photos')).length, 1, 'Bea’s photo alone')

    // A site without mail keeps its mails for whoever runs it, for a week.
    assert.ok(left.length > 0)
    const opened = openDatabase(db)
    await sweepAll(opened, server.dataDir, Date.now() + 8 * 86_400_000)
    await opened.destroy()
    assert.equal(traces(server.dataDir, known), [])
    assert.not.match(server.output(), 'irrepetible')
    assert.ok(existsSync(db))
  } finally {
    await server.dispose()
  }
})

erased.run()
