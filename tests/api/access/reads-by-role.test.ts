import { challengeAt } from '#features/challenges/challenge.server.ts'
import { ALBUM_LINK, createMemberLink } from '#features/profiles/member-links.server.ts'
import { latestYear, yearLink } from '#features/years/years.ts'
import { answerDifference, findEndpoint } from '#tests/support/answers/check-answer.ts'
import { insertLostCase } from '#tests/support/lost/open-case.ts'
import { WRITES } from '#tests/support/matrix/writes.ts'
import { PAGES } from '#tests/support/matrix/page-reads.ts'
import { READS } from '#tests/support/matrix/reads.ts'
import { type Role, ROLES } from '#tests/support/matrix/roles.ts'
import {
  readAddressesBeforeAstro,
  readInjectedRoutes,
  readPageRoutes,
  readPipelineParts,
} from '#tests/support/matrix/source-routes.ts'
import { routeOf } from '#tests/support/matrix/rows.ts'
import { createMatrixWorld, type MatrixWorld } from '#tests/support/matrix/world.ts'
import { readStoredRows } from '#tests/support/rows.ts'
import { DAY_SECONDS } from '#lib/time.ts'
import { assert, assertNone, serverDbSuite, type ServerDbWorld } from '#tests/support/suites.ts'

// Everything that is read, by everyone: the right status, and whose things the answer holds. And whether every route there
// is has a row, here or among the writes.

const ADMIN = 'admin@ejemplo.es'
const ALL = { ...READS, ...PAGES }

interface Context extends ServerDbWorld {
  /** Reading changes nothing, so all roles share a world; only the owner is banned in one of their own. */
  worldOf: (role: Role) => MatrixWorld
}
const reads = serverDbSuite<Context>('api/access/reads-by-role', {
  ADMIN_EMAIL: ADMIN,
  METRICS_TOKEN: 'un-secreto-de-prueba',
})

reads.before(async (t) => {
  const make = () => createMatrixWorld(t.db, t.server.dataDir, ADMIN)
  const [common, bannedOwners] = [await make(), await make()]
  t.worldOf = (role) => (role === 'bannedOwner' ? bannedOwners : common)
  for (const role of ROLES) await t.worldOf(role).cookieOf(role)
})

/** As a browser asks; of a stream the first words. */
async function ask({ server, worldOf }: Context, name: string, role: Role, path?: string) {
  const world = worldOf(role)
  const end = new AbortController()
  const response = await fetch(server.url + (path ?? ALL[name]!.path(world)), {
    redirect: 'manual',
    signal: end.signal,
    headers: { Cookie: await world.cookieOf(role) },
  })
  const { status } = response
  // Only an expired session is reported: caches may store the rest.
  if (role !== 'expired') assert.equal(response.headers.getSetCookie(), [], `${name} by ${role}`)
  const type = response.headers.get('content-type') ?? ''
  if (!type.startsWith('text/event-stream')) {
    const text = await response.text()
    const endpoint = await findEndpoint(routeOf(name))
    if (endpoint?.answers) assert.is(answerDifference(endpoint, { status, type, text }), null, `${name} by ${role}`)
    return { status, text }
  }
  const { value } = await response.body!.getReader().read()
  end.abort()
  return { status, text: new TextDecoder().decode(value) }
}

for (const [name, { statuses, marks }] of Object.entries(ALL))
  reads(name, async (t) => {
    const found: Partial<Record<Role, number>> = {}
    const held: Partial<Record<Role, string[]>> = {}
    for (const role of ROLES) {
      const { status, text } = await ask(t, name, role)
      const world = t.worldOf(role)
      found[role] = status
      held[role] = marks.map(({ of }) => of(world)).filter((mark) => text.includes(mark))
    }
    assert.equal(found, statuses)
    const meant = Object.fromEntries(
      ROLES.map((role) => [role, marks.filter(({ to }) => to.includes(role)).map(({ of }) => of(t.worldOf(role)))]),
    )
    assert.equal(held, meant)
  })

const ROWS = [...Object.keys(WRITES), ...Object.keys(ALL)].map(routeOf)

reads('every route of src/pages has a row, and every row has a route', () => {
  const there = [...readPageRoutes(), ...readInjectedRoutes()]
  assert.ok(there.length > 100, `${there.length} routes`)
  assertNone(
    there,
    (route) => !ROWS.includes(route),
    'routes without a row in tests/support/matrix: write one, in writes.ts or reads.ts',
  )
  const besides = PARTS_BEFORE_ASTRO.flatMap(([, rows]) => rows)
  assertNone(
    [...new Set(ROWS)],
    (row) => !there.includes(row) && !besides.includes(row),
    'rows of routes that are gone',
  )
})

/** What the pipeline answers before Astro (src/app/main.ts), by part. */
const PARTS_BEFORE_ASTRO: [part: string, rows: string[]][] = [
  ['env', []],
  // Visitors' pages, each as Astro made it: tests/api/server/page-cache.test.ts.
  ['cachedPages', []],
  ['files', ['GET /_astro/[name]', 'GET /sw.js', 'GET /manifest.webmanifest']],
  ['metrics', ['GET /metrics']],
  ['live', ['GET /api/events']],
  ['photos', ['GET /photos/[name]', 'GET /_ipx/[size]/photos/[name]']],
  ['astro', []],
  ['requestLog', []],
]

reads('every route before Astro has a row in the matrix', () => {
  assert.equal(
    readPipelineParts(),
    PARTS_BEFORE_ASTRO.map(([part]) => part),
    'a new part: say in BEFORE what it answers, and give that its rows',
  )
  const rows = PARTS_BEFORE_ASTRO.flatMap(([, rows]) => rows)
  assertNone(rows, (row) => !ROWS.includes(row))
  const addresses = readAddressesBeforeAstro()
  assert.ok(addresses.includes('/metrics'))
  assertNone(
    addresses,
    (address) => !ROWS.some((row) => row.split(' ')[1]!.startsWith(address)),
    'addresses that no row knows',
  )
})

reads('a prefetch writes nothing, whatever it asks for and as whom', async (t) => {
  // Sessions that would be renewed.
  await t.db
    .updateTable('sessions')
    .set((eb) => ({ expires_at: eb('expires_at', '-', 10 * DAY_SECONDS) }))
    .execute()
  const dump = () => readStoredRows(t.db)
  const before = await dump()
  const answered: Record<number, number> = {}
  for (const { path } of Object.values(ALL))
    for (const role of ROLES) {
      const world = t.worldOf(role)
      const headers = { Cookie: await world.cookieOf(role), 'Sec-Purpose': 'prefetch' }
      const { status, body } = await fetch(t.server.url + path(world), { redirect: 'manual', headers })
      await body?.cancel()
      answered[status] = (answered[status] ?? 0) + 1
    }
  assert.ok(answered[200]! > 0 && answered[503]! > 0)
  assert.equal(await dump(), before)
})

/** Where a block leaves a name: whose a dog is and what its search says, an alias that is taken, whom one would unblock. */
const ACROSS_BLOCKS =
  /^GET \/(?:api\/activity|api\/profile\/alias|\[breed\]\/\[dog\]|perro\/\[\.\.\.id\]|usuario\/\[id\](?: · .*)?)$/

reads('across a block nothing of the other is read but their dogs, and everything by others', async (t) => {
  const { owner, dog, loved, mark } = t.worldOf('holder')
  const [now, year] = [Date.now(), latestYear(Date.now())]
  await insertLostCase(t.db, dog, { help: `Collar ${mark}` })
  // The next round of badges would take the week's challenge back.
  await t.db.deleteFrom('jobs').where('topic', '=', 'badges').execute()
  const entry = { week: challengeAt(now)!.week, user_id: owner.id, dog_id: dog.id, joined_at: now }
  await t.db.insertInto('challenge_entries').values(entry).execute()
  const albumLink = `/me-falta?enlace=${await createMemberLink(t.db, owner, ALBUM_LINK)}`
  const ofYear = `/perfil/${year}?clave=${await createMemberLink(t.db, owner, yearLink(year), now)}`
  const links: Record<string, string> = { 'GET /me-falta': albumLink, 'GET /perfil/[year] · with a key': ofYear }
  const marks = [owner.alias, `/usuario/${owner.id}"`, ...['Hola', 'Morro', 'Collar'].map((word) => `${word} ${mark}`)]
  const findMarks = async (role: Role) => {
    const found: [string, string[]][] = []
    for (const name of Object.keys(ALL)) {
      const { text } = await ask(t, name, role, links[name])
      found.push([name, marks.filter((mark) => text.includes(mark))])
    }
    // In the account's list of whom they blocked one finds the name.
    return found.filter(([name, held]) => held.length > 0 && name !== 'GET /perfil/cuenta')
  }
  const others = await findMarks('holder')
  const kept = others.filter(([name]) => ACROSS_BLOCKS.test(name))
  assert.ok(kept.length > 4 && others.length > kept.length + 9, others.join('\n'))
  assert.equal(await findMarks('blocked'), kept)
  assert.equal(await findMarks('blocker'), kept)
  for (const role of ['holder', 'blocked', 'blocker'] as const) {
    const { text } = await ask(t, 'GET /api/dogs/[id]', role, `/api/dogs/${loved.id}`)
    assert.match(text, '"votes":1,"comments":1', role)
  }
})

reads('marks distinguish the roles: more than twenty appear for some roles only', () => {
  const marked = Object.values(ALL).flatMap(({ marks }) => marks)
  assert.ok(marked.filter(({ to }) => to.length > 0 && to.length < ROLES.length).length > 20)
})
