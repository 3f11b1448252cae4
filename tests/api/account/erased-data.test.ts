import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { deleteAllExpired } from '#features/maintenance/retention.server.ts'
import { makeEstablishedMembers } from '#tests/support/reports/established-members.ts'
import { listHiddenItems } from '#tests/support/moderation/hidden-items.ts'
import { lastMailTo } from '#tests/support/outbox.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { accountDeletionBody } from '#tests/support/seed.ts'
import { readAllRows } from '#tests/support/rows.ts'
import { openServerDatabase, type ServerData } from '#tests/support/server-database.ts'
import { startServer } from '#tests/support/server.ts'
import { answered, assert, call, type Db, formOf, signInMember, suite, type TestMember } from '#tests/support/suites.ts'

const erased = suite('api/account/erased-data')

/** No connection stays open beside the server's: the files are as it left them. */
async function withDatabase<T>(server: ServerData, use: (db: Db) => Promise<T>): Promise<T> {
  await using db = openServerDatabase(server)
  return await use(db)
}

const holds = (value: unknown, text: string): boolean =>
  (value instanceof Uint8Array ? Buffer.from(value) : String(value)).includes(text)

/**
 * Files of the data folder, and tables of a PostgreSQL, that hold one of these, as `file: text`. Deleted rows may lie in free pages, so of
 * files it is the bytes. What PostgreSQL keeps of deleted rows until it uses their space again is not looked for (docs/privacy.md).
 */
async function findTraces(server: ServerData, texts: readonly string[]): Promise<string[]> {
  const dir = server.dataDir
  const found: string[] = []
  if (server.databaseUrl !== undefined)
    for (const [table, rows] of Object.entries(await withDatabase(server, readAllRows)))
      for (const text of texts)
        if (rows.some((row) => Object.values(row).some((value) => holds(value, text)))) found.push(`${table}: ${text}`)
  for (const name of readdirSync(dir, { recursive: true }).map(String)) {
    const file = join(dir, name)
    if (!statSync(file).isFile()) continue
    const bytes = readFileSync(file)
    for (const text of texts) if (bytes.includes(text)) found.push(`${relative(dir, file)}: ${text}`)
  }
  return found
}

/** Fails where the database does not hold all of these: the test must have something to look for. */
async function assertStored(server: ServerData, texts: readonly string[]): Promise<void> {
  const found = (await findTraces(server, texts)).filter((where) => !/^(?:outbox|photos|cache)\//.test(where))
  for (const text of texts)
    assert.ok(
      found.some((where) => where.endsWith(`: ${text}`)),
      text,
    )
}

/** Mails stay for a week, also the one that told of the deletion. */
const isNoMail = (trace: string) => !trace.startsWith('outbox/')

/** The daily deletion removes what SQLite left of rows in other pages (db/compact.ts). */
const passTime = (server: ServerData): Promise<unknown> =>
  withDatabase(server, (db) => deleteAllExpired(db, server.dataDir))

erased('no byte of the data contains a member who deleted their account', async () => {
  await using server = await startServer({ LOG: 'json' })
  const email = 'ana.irrepetible@ejemplo.es'
  const words = [
    'Palabras irrepetibles',
    'Descripción irrepetible',
    'Alias irrepetible',
    'Otro irrepetible',
    'Foto irrepetible',
  ]
  // As a person would: by mail, with a session in the browser, and traces in every feature.
  await call(server, '/api/auth/magic-link', { method: 'POST', json: { email } })
  const { code } = lastMailTo(server.dataDir, email)
  const entered = await answered(200, call(server, '/api/auth/code', { method: 'POST', json: { email, code } }))
  const id = entered.body.user.id as string
  const cookie = entered.headers.get('set-cookie')!.split(';')[0]!
  const bea = await signInMember(server, 'bea@ejemplo.es')
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
      alts: as === cookie ? words[4]! : 'Otra',
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
  await server.restart()
  await assertStored(server, [email, id, words[0]!, words[1]!, words[2]!, words[4]!])

  await say('/api/account', 'DELETE', await accountDeletionBody(server, cookie))
  assert.is((await call(server, `/usuario/${id}`)).status, 404)
  await server.stop()
  await passTime(server)
  const left = await findTraces(server, known)
  assert.equal(left.filter(isNoMail), [])
  assert.equal(readdirSync(join(server.dataDir, 'photos')).length, 1, 'Bea’s photo alone')

  // A site without a mail server stores its mails for the operator, for a week.
  assert.ok(left.length > 0)
  await withDatabase(server, (db) => deleteAllExpired(db, server.dataDir, Date.now() + 8 * 86_400_000))
  assert.equal(await findTraces(server, known), [])
  assert.not.match(server.output(), 'irrepetible')
})

erased('reports, decisions, answers, blocks and hidden items are erased too', async () => {
  const ADMIN = 'admin@ejemplo.es'
  await using server = await startServer({ ADMIN_EMAIL: ADMIN, TRUST_PROXY: '1' })
  const everyone: TestMember[] = []
  for (const name of ['ana', 'bea', 'eva', 'luis', 'pau', 'mar'])
    everyone.push(await signInMember(server, `${name}@ejemplo.es`))
  const [ana, bea, eva, luis] = everyone as [TestMember, TestMember, TestMember, TestMember]
  const others = everyone.slice(1)
  const admin = await signInMember(server, ADMIN)
  // Reports of the same day's accounts hide nothing by themselves.
  await withDatabase(server, (db) => db.updateTable('users').set({ created_at: 1 }).execute())
  const say = async (as: TestMember, path: string, method = 'POST', json?: unknown) => {
    const headers = { 'X-Forwarded-For': `203.0.113.${everyone.indexOf(as) + 1}` }
    const answer = await call(server, path, {
      method,
      cookie: as.cookie,
      headers,
      ...(json !== undefined && { json }),
    })
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const report = (as: TestMember, kind: string, id: string, words: string) =>
    say(as, '/api/reports', 'POST', { kind, id, reason: 'otra', words })
  const decide = async (kind: string, id: string, deed: string, reason: string) => {
    const { id: caseId, version } = await withDatabase(server, (db) =>
      db
        .selectFrom('cases')
        .select(['id', 'edited_at as version'])
        .where('kind', '=', kind as 'dog')
        .where('thing_id', '=', id)
        .executeTakeFirstOrThrow(),
    )
    await say(admin, `/api/admin/cases/${caseId}`, 'POST', { deed, reason, version, member: ana.id })
  }
  const add = async (as: TestMember, description: string) => {
    const images = new Blob([await photo()])
    const form = formOf({ name: 'Toby', breed: 'Beagle', relationship: 'owner', description, images })
    return (await call(server, '/api/dogs', { method: 'POST', cookie: as.cookie, form })).body.dog as {
      id: string
      images: { url: string }[]
    }
  }

  await say(ana, '/api/profile', 'PUT', { alias: 'Alias irrepetible', emoji: '🐶' })
  const [toby, luna] = [await add(ana, 'Descripción irrepetible'), await add(bea, 'Otra')]
  await add(ana, 'Se vende, irrepetible')
  await say(ana, `/api/dogs/${luna.id}/comments`, 'POST', {
    content: 'Vendo cachorros irrepetibles, 300 €',
  })
  const { comment: first } = await say(ana, `/api/dogs/${luna.id}/comments`, 'POST', {
    content: 'Palabras irrepetibles',
  })
  const { comment: second } = await say(ana, `/api/dogs/${luna.id}/comments`, 'POST', {
    content: 'Otras irrepetibles',
  })
  await withDatabase(server, (db) =>
    makeEstablishedMembers(
      db,
      others.map(({ id }) => id),
      luna.id,
    ),
  )
  for (const other of others) await report(other, 'comment', first.id, 'Acusación irrepetible')
  await report(bea, 'comment', second.id, 'Otra acusación irrepetible')
  await report(bea, 'profile', ana.id, 'Un perfil irrepetible')
  await report(luis, 'dog', toby.id, 'Un perro irrepetible')
  await report(luis, 'photo', toby.images[0]!.url, 'Una foto irrepetible')
  await report(ana, 'dog', luna.id, 'Denuncia irrepetible')
  await report(luis, 'dog', luna.id, 'Se queda')
  await say(ana, `/api/blocks/${eva.id}`, 'PUT')
  await say(luis, `/api/blocks/${ana.id}`, 'PUT')
  await decide('comment', second.id, 'dismiss', '')
  await decide('dog', toby.id, 'warn', 'Aviso irrepetible')
  await decide('dog', toby.id, 'note', 'Nota irrepetible')
  await decide('profile', ana.id, 'note', 'Otra nota irrepetible')
  await decide('profile', ana.id, 'ban', 'Veto irrepetible')
  await decide('profile', ana.id, 'hide', 'Motivo irrepetible')
  const warned = await withDatabase(server, (db) =>
    db.selectFrom('decisions').select('id').where('deed', '=', 'warn').executeTakeFirstOrThrow(),
  )
  await say(ana, `/api/decisions/${warned.id}/appeal`, 'POST', { text: 'Respuesta irrepetible' })
  for (const path of ['/admin?tab=denuncias', '/admin?tab=registro', '/admin?tab=acciones', '/notificaciones'])
    await call(server, path, { cookie: admin.cookie })
  await server.restart()
  const texts = [
    'Alias',
    'Descripción',
    'Se vende,',
    'cachorros irrepetibles',
    'Palabras irrepetibles',
    'Acusación',
    'Otra acusación',
    'Un perfil',
    'Un perro',
    'Una foto',
    'Denuncia',
    'Aviso',
    'Nota',
    'Otra nota',
    'Veto',
    'Motivo',
    'Respuesta',
  ].map((text) => (text.includes('irrepetible') ? text : `${text} irrepetible`))
  await assertStored(server, [ana.id, ...texts])

  await say(ana, '/api/account', 'DELETE', await accountDeletionBody(server, ana.cookie))
  for (const tab of ['denuncias', 'registro'])
    assert.is((await call(server, `/admin?tab=${tab}`, { cookie: admin.cookie })).status, 200)
  await server.stop()
  await passTime(server)
  assert.equal((await findTraces(server, [ana.email, ana.id, 'irrepetible'])).filter(isNoMail), [])
  await withDatabase(server, async (db) => {
    const log = await db.selectFrom('decisions').select(['deed', 'what', 'reason', 'admin_id']).execute()
    assert.equal(
      log.map(({ deed }) => deed).toSorted(),
      ['auto-hide', 'ban', 'dismiss', 'hide', 'hold', 'note', 'note', 'warn'],
      'that it was done stays',
    )
    for (const { what, reason } of log) assert.equal([what, reason], ['Algo de una cuenta eliminada', ''])
    assert.is(log.filter(({ admin_id }) => admin_id === admin.id).length, 6)
    const reports = await db.selectFrom('reports').select(['thing_id', 'user_id', 'words']).execute()
    assert.equal(reports, [{ thing_id: luna.id, user_id: luis.id, words: 'Se queda' }])
    const cases = await db.selectFrom('cases').select(['thing_id', 'reports']).execute()
    assert.equal(cases, [{ thing_id: luna.id, reports: 1 }])
    assert.equal(await listHiddenItems(db), [])
    for (const table of ['bans', 'blocks', 'decision_people'] as const)
      assert.equal(await db.selectFrom(table).selectAll().execute(), [], table)
  })
})
