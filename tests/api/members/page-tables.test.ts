import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { TABLES_ON_NO_OWN_PAGE } from '#app/member-pages/member-triggers.ts'
import { call } from '#tests/support/api.ts'
import { isPostgresRun } from '#tests/support/db.ts'
import { addDog, type OwnPagesWorld, pagesOf, send, uncached } from '#tests/support/members-pages/own-pages-world.ts'
import { signInMember } from '#tests/support/members.ts'
import { startServer } from '#tests/support/server.ts'

const tables = suite('api/members/page-tables')
/** On PostgreSQL nothing is kept for a single member. */
const onSqlite = isPostgresRun ? tables.skip : tables

/** The tables that all of some requests for a page read; a statement of a job in the background is in one of them at most. */
async function tablesOf(
  { server }: Pick<OwnPagesWorld, 'server'>,
  log: string,
  path: string,
  cookie: string,
): Promise<string[]> {
  const rounds: Set<string>[] = []
  for (let round = 0; round < 3; round++) {
    writeFileSync(log, '')
    await call(server, `${uncached(path)}${round}`, { cookie })
    const statements = readFileSync(log, 'utf8')
    rounds.push(new Set([...statements.matchAll(/(?:from|join|FROM|JOIN) \\?"?(\w+)/g)].map(([, table]) => table!)))
  }
  return [...rounds[0]!].filter((table) => rounds.every((round) => round.has(table)))
}

onSqlite('no page reads a table whose changes it would not notice', async () => {
  const log = join(mkdtempSync(join(tmpdir(), 'perrario-statements-')), 'log')
  const imported = pathToFileURL(resolve('tests/support/statement-log.mjs'))
  const server = await startServer({ NODE_OPTIONS: `--import ${imported}`, STATEMENT_LOG: log })
  try {
    const t = { server } as OwnPagesWorld
    t.ana = await signInMember(server, 'ana@ejemplo.es')
    t.bea = await signInMember(server, 'bea@ejemplo.es')
    t.toby = await addDog(t, t.ana, 'Toby')
    t.luna = await addDog(t, t.bea, 'Luna', 'discoverer')
    await send(t, t.ana, 'POST', `/api/dogs/${t.luna.id}/ownership`)
    await send(t, t.bea, 'POST', `/api/dogs/${t.toby.id}/comments`, { content: '¡Qué orejas!' })
    const read = new Set<string>()
    for (const path of pagesOf(t)) for (const table of await tablesOf(t, log, path, t.ana.cookie)) read.add(table)
    assert.ok(read.has('sessions') && read.has('digests'), [...read].join())
    // The stream's position, which is filled in when a page is sent.
    read.delete('events')
    assert.equal(
      TABLES_ON_NO_OWN_PAGE.filter((table) => read.has(table)),
      [],
    )
  } finally {
    await server.dispose()
    rmSync(dirname(log), { recursive: true })
  }
})

tables.run()
