import { moveBy } from '#features/lost/place.server.ts'
import type { GeoPoint } from '#lib/geo.ts'
import { PAGES } from '#tests/support/matrix/page-reads.ts'
import { READS } from '#tests/support/matrix/reads.ts'
import { type Role, ROLES } from '#tests/support/matrix/roles.ts'
import { type MatrixRow, methodOf } from '#tests/support/matrix/rows.ts'
import { WRITES } from '#tests/support/matrix/writes.ts'
import { createMatrixWorld, type MatrixWorld } from '#tests/support/matrix/world.ts'
import { unzip } from '#tests/support/zip.ts'
import { assert, call, serverDbSuite, type ServerDbWorld, update } from '#tests/support/suites.ts'

// No answer to anybody but the owner holds the exact place where a dog was lost: over every route of the access matrix, whoever asks.

const ADMIN = 'admin@ejemplo.es'

/** A place that must stay secret, with digits that stand nowhere else. */
interface SecretPlace extends GeoPoint {
  /** Stores it, as who it belongs to does. */
  plant: (t: Context, world: MatrixWorld) => Promise<void>
}
const LOST: SecretPlace = {
  lat: 40.458731,
  lon: -3.791357,
  plant: async ({ server, db }, { dog, cookieOf }) => {
    const json = { since: Date.now(), lat: LOST.lat, lon: LOST.lon, help: 'Tiene miedo.', chip: true }
    const { status } = await call(server, `/api/dogs/${dog.id}/lost`, {
      method: 'PUT',
      cookie: await cookieOf('owner'),
      json,
    })
    assert.is(status, 200)
    // At 3 decimals the circle's centre must not be the place by chance.
    const { lat, lon } = moveBy(LOST, { north: 250, east: 250 })
    await db.updateTable('lost_cases').set({ shown_lat: lat, shown_lon: lon }).where('dog_id', '=', dog.id).execute()
    await update(db, 'lost_history', { dog_id: dog.id }, { circle_lat: lat, circle_lon: lon })
  },
}
const PLACES: readonly SecretPlace[] = [LOST]

/** The degrees with three decimals or more, cut or rounded, and their decimals alone. */
function spellingsOf({ lat, lon }: GeoPoint): RegExp {
  const parts = [lat, lon].flatMap((degrees) => {
    const [, decimals = ''] = String(Math.abs(degrees)).split('.')
    const whole = Math.trunc(Math.abs(degrees))
    const cut = `${whole}[.,]${decimals.slice(0, 3)}`
    const rounded = Math.abs(degrees).toFixed(3).replace('.', '[.,]')
    return [`(?<!\\d)(?:${cut}|${rounded})`, decimals]
  })
  return new RegExp(parts.join('|'))
}
const SECRETS = new RegExp(PLACES.map((place) => spellingsOf(place).source).join('|'))

interface Context extends ServerDbWorld {
  world: MatrixWorld
}
const places = serverDbSuite<Context>('api/lost/exact-place', {
  ADMIN_EMAIL: ADMIN,
  METRICS_TOKEN: 'un-secreto-de-prueba',
})
places.before(async (t) => {
  t.world = await createMatrixWorld(t.db, t.server.dataDir, ADMIN)
  for (const role of ROLES) if (role !== 'bannedOwner') await t.world.cookieOf(role)
  for (const { plant } of PLACES) await plant(t, t.world)
})

/** What is answered, with its headers; of an archive the files, of a stream the first words, of a picture nothing. */
async function readAnswer({ server, world }: Context, { path, send }: MatrixRow, name: string, role: Role) {
  const end = new AbortController()
  const { json, form, body, headers } = (await send?.(world, role)) ?? {}
  const response = await fetch(server.url + path(world), {
    method: methodOf(name).replace('ALL', 'POST'),
    redirect: 'manual',
    signal: end.signal,
    headers: {
      Cookie: await world.cookieOf(role),
      ...(json !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    body: json === undefined ? (form ?? body ?? null) : JSON.stringify(json),
  })
  const head = JSON.stringify([...response.headers])
  const type = response.headers.get('content-type') ?? ''
  if (type.startsWith('image/')) return response.arrayBuffer().then(() => head)
  if (type === 'application/zip') {
    return head + [...(await unzip(new Uint8Array(await response.arrayBuffer()))).values()].map(String).join('\n')
  }
  if (!type.startsWith('text/event-stream')) return head + (await response.text())
  const { value } = await response.body!.getReader().read()
  end.abort()
  return head + new TextDecoder().decode(value)
}

const FOREIGN = ROLES.filter((role) => role !== 'owner' && role !== 'bannedOwner')
/** For writes, which change the world: one role of each kind. */
const WRITERS: readonly Role[] = ['visitor', 'member', 'blocked', 'admin']

places('the spellings find a place however it is written', () => {
  for (const text of ['40.458731', 'lat=40.459', '40,4587', '"lon":-3.791', '-3.79136', '458731'])
    assert.match(text, SECRETS)
  for (const text of ['140.458', '40.46', '40.4610', '-3.7884', '3.79']) assert.not.match(text, SECRETS)
})

places('the owner reads the place, which shows that it is there to be found', async (t) => {
  const page = { statuses: {} as never, marks: [], path: (w: MatrixWorld) => `/perdidos/${w.dog.id}` }
  assert.match(await readAnswer(t, page, 'GET /perdidos', 'owner'), SECRETS)
  assert.match(await readAnswer(t, READS['GET /api/account/export']!, 'GET', 'owner'), SECRETS)
  const shown = await call(t.server, `/api/dogs/${t.world.dog.id}`)
  assert.is(shown.body.dog.lost.zone.length > 0, true, 'others see that it is lost')
})

places('nothing that is read has the place for anybody else', async (t) => {
  const leaks: string[] = []
  for (const [name, row] of Object.entries({ ...READS, ...PAGES }))
    for (const role of FOREIGN) if (SECRETS.test(await readAnswer(t, row, name, role))) leaks.push(`${name} by ${role}`)
  assert.equal(leaks, [])
})

places('no answer to a write of anybody else has the place', async (t) => {
  const leaks: string[] = []
  for (const [name, row] of Object.entries(WRITES))
    for (const role of WRITERS) if (SECRETS.test(await readAnswer(t, row, name, role))) leaks.push(`${name} by ${role}`)
  assert.equal(leaks, [])
})

places('nothing that other members and their devices are told has the place', async ({ db, world }) => {
  const told = [
    await db.selectFrom('events').selectAll().execute(),
    await db.selectFrom('notifications').selectAll().where('user_id', '!=', world.owner.id).execute(),
  ]
  assert.not.match(JSON.stringify(told), SECRETS)
})
