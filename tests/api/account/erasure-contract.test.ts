import { deleteAllExpired } from '#features/maintenance/retention.server.ts'
import { makeEstablishedMembers } from '#tests/support/reports/established-members.ts'
import { type Card, cardFaults, requestCards } from '#tests/support/erasure/cards.ts'
import { COLUMNS } from '#tests/support/erasure/columns.ts'
import { readColumnText } from '#tests/support/erasure/column-text.ts'
import { ACTION_SEQUENCES } from '#tests/support/erasure/action-sequences.ts'
import { ACTIONS } from '#tests/support/erasure/actions.ts'
import { retentionReason } from '#tests/support/erasure/retained.ts'
import {
  collectAddresses,
  createFinder,
  type CanaryHit,
  recordPhotoAddresses,
  photoFaults,
  fetchAll,
  scanFiles,
  warmCaches,
} from '#tests/support/erasure/scan.ts'
import { type Cast, createCookie, createWorld, type World } from '#tests/support/erasure/world.ts'
import { openServerDatabase } from '#tests/support/server-database.ts'
import { assert, assertNone, dog, member, pluck, seed, serverSuite, type ServerWorld } from '#tests/support/suites.ts'

// What is deleted or erased is nowhere; what is hidden or waits is for its people and the admin alone. One member for each
// order of actions leaves a word of their own wherever a person can write, and two marked photos; then every table, file,
// address, stream, feed, export and bell is read.

const ADMIN = 'admin@ejemplo.es'

interface Contract extends ServerWorld {
  cast: Cast
  worlds: World[]
  find: (where: string, text: string) => CanaryHit[]
  /** `column canary` of what ever stood there. */
  seen: Set<string>
  /** Pictures for sharing, as they were before anything was done. */
  cards: Map<World, Card[]>
}
const contract = serverSuite<Contract>('api/account/erasure-contract', {
  ADMIN_EMAIL: ADMIN,
  TRUST_PROXY: '1',
  SITE_URL: 'http://perrario.ejemplo',
  LOG: 'json',
})

/** A device without real keys goes when a message is sent to it, on a slow machine before the last world is there. */
const FLEETING_COLUMNS = ['push_subscriptions.endpoint', 'push_subscriptions.p256dh', 'push_subscriptions.auth']
function recordHits({ seen }: Contract, hits: readonly CanaryHit[]): void {
  for (const { where, canary } of hits) seen.add(`${where} ${canary}`)
}

contract.before(async (t) => {
  const { dataDir } = t.server
  const db = openServerDatabase(t.server)
  const [admin, luis, eva, kira] = await seed(
    db,
    member({ email: ADMIN, alias: 'Admin' }),
    member({ alias: 'Luis' }),
    member({ alias: 'Eva' }),
    dog(),
  )
  const ids = (await seed(db, ...Array.from({ length: 5 }, () => member()))).map(({ id }) => id)
  await makeEstablishedMembers(db, ids, kira.id)
  const cookies = { luis: await createCookie(db, luis.id), admin: await createCookie(db, admin.id) }
  const crowdCookies = await Promise.all(ids.map((id) => createCookie(db, id)))
  t.cast = { db, dataDir, luis, eva, kira, admin, cookies, crowd: crowdCookies }
  t.worlds = []
  t.seen = new Set()
  for (const [number, steps] of ACTION_SEQUENCES.entries()) {
    const world = await createWorld(t.cast, number + 1, steps)
    t.worlds.push(world)
    const find = createFinder([world])
    for (const column of FLEETING_COLUMNS) recordHits(t, find(column, await readColumnText(db, column)))
  }
  t.find = createFinder(t.worlds)
})
contract.after(async (t) => {
  await t.cast.db.destroy()
})

/** Every word of the contract in every column. */
async function findInTables({ cast, find }: Contract): Promise<CanaryHit[]> {
  const hits: CanaryHit[] = []
  for (const column of Object.keys(COLUMNS)) hits.push(...find(column, await readColumnText(cast.db, column)))
  return hits
}
const recordStates = async (t: Contract) => recordHits(t, await findInTables(t))
const describeHit = ({ world, canary, where }: CanaryHit) => `${world.name}: ${canary} in ${where}`
const isGone = ({ world, canary }: CanaryHit) => world.states.get(canary) === 'gone'

contract('before any action, every authorised reader finds every marker', async (t) => {
  await recordStates(t)
  await warmCaches(t.server, t.worlds)
  const said = await fetchAll(t.server, collectAddresses(t.worlds.slice(0, 3)))
  const found = [...said].flatMap(([where, text]) => t.find(where, text))
  for (const world of t.worlds.slice(0, 3))
    for (const canary of world.states.keys())
      assert.ok(
        found.some((each) => each.world === world && each.canary === canary),
        `to look for: ${canary}`,
      )
})

contract('content hidden from the start is in no event of anybody', async (t) => {
  const waiting = t.worlds.filter(({ token }) => token)
  assert.ok(waiting.length > 5)
  const events = await readColumnText(t.cast.db, 'events.data')
  const isOfDog = ({ world, canary }: CanaryHit) => waiting.includes(world) && world.states.get(canary) === 'held'
  assert.equal(t.find('events.data', events).filter(isOfDog).map(describeHit), [])
  t.cards = await requestCards(t.server, t.worlds)
  assert.ok([...t.cards.values()].flat().every(({ bytes }) => bytes.length > 5000))
})

contract('every sequence of actions succeeds', async (t) => {
  for (let step = 0; step < Math.max(...ACTION_SEQUENCES.map(({ length }) => length)); step++) {
    for (const world of t.worlds) {
      const action = world.steps[step]
      if (action) await ACTIONS[action]!({ server: t.server, cast: t.cast, world })
    }
    await recordStates(t)
    await recordPhotoAddresses(t.cast, t.worlds)
  }
})

contract('no address of a photo answers once the photo is deleted or hidden', async (t) => {
  const known = t.worlds.reduce((sum, { addresses }) => sum + addresses.size, 0)
  assert.is(known, 2 * t.worlds.length, 'what is put back has the address of before')
  for (const cookie of [undefined, t.cast.cookies.luis])
    assert.equal(await photoFaults(t.server, t.cast, t.worlds, cookie), [])
})

contract('share images show public content in its present state, and nothing else', async (t) => {
  assert.equal(await cardFaults(t.server, t.cast, t.worlds, t.cards), [])
})

contract('other members and visitors read no deleted, hidden or private content', async (t) => {
  const addresses = collectAddresses(t.worlds)
  const faults: string[] = []
  for (const cookie of [undefined, t.cast.cookies.luis]) {
    const said = await fetchAll(t.server, addresses, cookie)
    const found = [...said].flatMap(([where, text]) => t.find(where, text))
    if (cookie) {
      const bell = await readColumnText(t.cast.db, 'notifications.content', t.cast.luis.id)
      found.push(...t.find('the bell of another member', bell))
    }
    const isPublic = ({ world, canary }: CanaryHit) => world.states.get(canary) === 'shown'
    // What Luis wrote about a dog that is hidden now stays his own: his export has it, nobody else's.
    const isLuisOwn = ({ world, canary, where }: CanaryHit) =>
      cookie === t.cast.cookies.luis &&
      where === '/api/account/export' &&
      canary === 'answered' &&
      world.states.get(canary) === 'held'
    // Luis looks for the dog that Ana has seen: he alone has her sightings, until she or her account is gone.
    const isToldToLuis = ({ world, canary, where }: CanaryHit) =>
      cookie === t.cast.cookies.luis &&
      canary === 'sighting' &&
      world.states.get(canary) !== 'gone' &&
      (where === '/api/account/export' || where.endsWith(`/${world.luna.id}/sightings`))
    const isAllowed = (each: CanaryHit) => isPublic(each) || isLuisOwn(each) || isToldToLuis(each)
    faults.push(...found.filter((each) => !isAllowed(each)).map(describeHit))
    for (const world of t.worlds)
      for (const [canary, state] of world.states)
        if (state === 'shown' && !found.some((each) => each.world === world && each.canary === canary))
          faults.push(`${world.name}: ${canary} is nowhere, though it is shown`)
  }
  assert.equal([...new Set(faults)], [])
})

contract('no table contains deleted content', async (t) => {
  const found = await findInTables(t)
  const left = found.filter((each) => isGone(each) && !retentionReason(each.world, each.where, each.canary))
  assert.equal(left.map(describeHit), [])
})

contract('no notification contains deleted content, except its author’s own', async (t) => {
  const left: CanaryHit[] = []
  for (const { id, alias } of [t.cast.luis, t.cast.eva, t.cast.admin])
    left.push(...t.find(`the bell of ${alias}`, await readColumnText(t.cast.db, 'notifications_all.content', id)))
  assert.ok(left.length > 10, 'something to look for')
  assert.equal(left.filter(isGone).map(describeHit), [])
})

contract('content that members delete themselves is gone for them and for the admin', async (t) => {
  const own = t.worlds.filter(({ isModerated, hasAccount }) => !isModerated && hasAccount)
  assert.ok(own.length > 4)
  const faults: CanaryHit[] = []
  for (const world of own) {
    const said = await fetchAll(t.server, collectAddresses([world]), world.cookie)
    faults.push(
      ...[...said]
        .flatMap(([where, text]) => t.find(where, text))
        .filter((each) => each.world === world && isGone(each)),
    )
  }
  const pages = [
    '/admin',
    '/admin?tab=perros',
    '/admin?tab=denuncias',
    '/admin?tab=registro',
    '/admin?tab=acciones',
    '/notificaciones',
  ]
  const said = await fetchAll(t.server, new Map(pages.map((path) => [path, own[0]!])), t.cast.cookies.admin)
  const seen = [...said].flatMap(([where, text]) => t.find(where, text))
  faults.push(...seen.filter((each) => own.includes(each.world) && isGone(each)))
  assert.equal(faults.map(describeHit), [])
})

contract('every word of every column occurs as a marker', (t) => {
  const meant = Object.entries(COLUMNS).flatMap(([column, words]) =>
    typeof words === 'string' ? [] : words.map((word) => `${column} ${word}`),
  )
  assertNone(meant, (each) => !t.seen.has(each))
  const foreign = [...t.seen].filter((each) => typeof COLUMNS[each.split(' ')[0]!] === 'string')
  assert.equal(foreign, [], 'a person can write there')
})

contract('no byte of the data contains deleted content after the daily deletion', async (t) => {
  await t.server.stop()
  await deleteAllExpired(t.cast.db, t.server.dataDir)
  const kept = new Set((await findInTables(t)).map(({ world, canary }) => `${world.name} ${canary}`))
  await t.cast.db.destroy()
  const { found, pictures, paths } = await scanFiles(t.server.dataDir, t.find)
  // Without a mail server the operator has each mail, that of a deletion too, for a week (docs/privacy.md).
  const stored = found.filter(({ where }) => !where.startsWith('outbox/'))
  const words = stored.filter((each) => isGone(each) && !kept.has(`${each.world.name} ${each.canary}`))
  assert.equal(words.map(describeHit), [])
  assert.ok(pictures.length > 50, `${pictures.length} photos to look at`)
  assert.ok(
    pictures.some(({ where }) => where.startsWith('cache/')),
    'in other sizes too',
  )
  const stateOf = (number: number) => t.worlds[Math.floor(number / 2) - 1]?.photos[number % 2]
  assert.equal(
    pictures
      .filter(({ number }) => stateOf(number) === 'gone')
      .map(({ where, number }) => `${t.worlds[Math.floor(number / 2) - 1]!.name}: ${where}`),
    [],
  )
  const gone = t.worlds.filter(({ photos }) => photos.every((state) => state === 'gone'))
  assert.ok(gone.length > 20)
  assert.equal(
    pluck(
      gone.filter(({ toby }) => paths.some((path) => path.includes(toby.id))),
      'name',
    ),
    [],
    'no file is named after what is gone',
  )
  assert.not.match(t.server.output().toLowerCase(), /zq[a-jl]{3}x/, 'the log')
})
