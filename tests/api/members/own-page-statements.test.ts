import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isPostgresRun } from '#tests/support/db.ts'
import { addDog } from '#tests/support/members-pages/own-pages-world.ts'
import { assert, call, signInMember, startServer, suite } from '#tests/support/suites.ts'

const ownPages = suite('api/members/own-page-statements')
/** On PostgreSQL nothing is remembered of a member. */
const onSqlite = isPostgresRun ? ownPages.skip : ownPages

/** Statements of an own page beyond those of the same profile as visitors see it (issue 12). */
const MAX_MORE = 3
const PATHS = ['/perfil', '/?tab=mine', '/perfil/cuenta', '/notificaciones']

onSqlite('a member’s own pages take at most three statements more than their profile takes for a visitor', async () => {
  const log = join(mkdtempSync(join(tmpdir(), 'perrario-statements-')), 'log')
  const imported = pathToFileURL(resolve('tests/support/statement-log.mjs'))
  const server = await startServer({ NODE_OPTIONS: `--import ${imported}`, STATEMENT_LOG: log })
  /** Of three first renders the one with the fewest: jobs in the background run some as well. */
  const countStatements = async (path: string, cookieOf: () => Promise<string | undefined>): Promise<number> => {
    const counts: number[] = []
    for (let round = 0; round < 3; round++) {
      const cookie = await cookieOf()
      // What is remembered of the member is read here, and that another process has written is noticed.
      await call(server, '/perros', { ...(cookie && { cookie }) })
      writeFileSync(log, '')
      assert.is((await call(server, path, { ...(cookie && { cookie }) })).status, 200)
      counts.push(readFileSync(log, 'utf8').split('\n').filter(Boolean).length)
    }
    return Math.min(...counts)
  }
  try {
    const ana = await signInMember(server)
    await addDog({ server }, ana, 'Toby')
    // Each sign-in writes, which empties the cache, and opens a session without pages.
    const signIn = async () => (await signInMember(server)).cookie
    const visitor = await countStatements(`/usuario/${ana.id}`, async () => void (await signIn()))
    assert.ok(visitor > 5, `${visitor}`)
    for (const path of PATHS) {
      const own = await countStatements(path, signIn)
      assert.ok(own <= visitor + MAX_MORE, `${path}: ${own}, visitor ${visitor}`)
    }
  } finally {
    await server.dispose()
    rmSync(dirname(log), { recursive: true })
  }
})
