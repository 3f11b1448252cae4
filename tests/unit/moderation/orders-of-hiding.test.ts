import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRandom } from '#app/demo/random.ts'
import { CONTENT, type HiddenCause } from '#db/content.ts'
import type { TargetKind } from '#db/schema.ts'
import { transact } from '#db/transact.ts'
import { requestDeletion } from '#features/account/deletion/request-deletion.server.ts'
import { restoreBySession } from '#features/account/deletion/restore-account.server.ts'
import { deleteAccount, eraseLeavingAccount } from '#features/account/erase.server.ts'
import { addComment } from '#features/comments/comments.server.ts'
import type { DogsChoice } from '#features/dogs/member-roles.server.ts'
import { like } from '#features/likes/likes.server.ts'
import { ban } from '#features/moderation/bans.server.ts'
import { findHidden } from '#features/moderation/content.server.ts'
import { blockMember } from '#features/reports/blocks/block-member.server.ts'
import { hideTarget, showTarget } from '#features/reports/cases/target-visibility.server.ts'
import { AppError } from '#lib/errors.ts'
import { toCopies, freshDb } from '#tests/support/db.ts'
import { listBrokenReferences } from '#tests/support/rows.ts'
import { sample } from '#tests/support/sample.ts'
import { type CurrentUser, dog, member, seed, withRecentSignIn } from '#tests/support/seed.ts'
import { assert, type Db, isPostgresRun, listDriftedCounts, suite } from '#tests/support/suites.ts'

// Hide, show, leave, undo, erase, ban and block in any order: what is shown is what no cause hides, and counts equal a recount.

const dataDir = mkdtempSync(join(tmpdir(), 'perrario-orders-'))
type Who = 'ana' | 'luis'
/** What there is: whose it is, and what it is in. A like and a photo that stays are only in their dog. */
interface Thing {
  kind: TargetKind | 'like'
  id: string
  of: Who
  dog?: string
}
interface World {
  db: Db
  people: Record<Who, CurrentUser>
  things: Thing[]
}

async function createWorld(): Promise<World & { openCopy: () => Db }> {
  const db = freshDb()
  const [ana, toby, luis, luna] = await seed(db, member(), dog({ photos: 2 }), member(), dog({ photos: 2 }))
  const things: Thing[] = []
  for (const [of, own] of [
    ['ana', toby],
    ['luis', luna],
  ] as const) {
    things.push({ kind: 'dog', id: own.id, of }, { kind: 'profile', id: { ana, luis }[of].id, of })
    things.push({ kind: 'photo', id: own.images[1]!.url, of, dog: own.id })
  }
  for (const [of, who, their] of [
    ['ana', ana, luna],
    ['luis', luis, toby],
  ] as const) {
    await like(db, who, their.id)
    things.push({ kind: 'like', id: their.id, of, dog: their.id })
    things.push({ kind: 'comment', id: (await addComment(db, who, their.id, 'Hola')).id, of, dog: their.id })
  }
  return { db, people: { ana, luis }, things, openCopy: await toCopies(db) }
}

/** What the rules say: why each thing is hidden, and which are gone. */
class Rules {
  readonly #things: readonly Thing[]
  readonly #causes = new Map<string, Set<HiddenCause>>()
  readonly #gone = new Set<string>()
  readonly leaving = new Map<Who, DogsChoice>()

  constructor(things: readonly Thing[]) {
    this.#things = things
    for (const thing of things) this.#causes.set(this.#key(thing), new Set())
  }

  #key = ({ kind, id, of }: Thing) => `${kind} ${id} ${of}`
  hide = (thing: Thing, cause: HiddenCause) => void this.#causes.get(this.#key(thing))!.add(cause)
  show = (thing: Thing, ...causes: HiddenCause[]) => {
    for (const cause of causes) this.#causes.get(this.#key(thing))!.delete(cause)
  }
  /** What goes with a member: their photos with the dog. */
  ownOf = (who: Who, dogs: DogsChoice) =>
    this.#things.filter(({ of, kind }) => of === who && kind !== 'photo' && (kind !== 'dog' || dogs === 'delete'))
  erase = (thing: Thing): void => {
    this.#gone.add(this.#key(thing))
    if (thing.kind === 'dog')
      for (const each of this.#things) if (each.dog === thing.id) this.#gone.add(this.#key(each))
  }

  #isShown = (thing: Thing): boolean => {
    const own = this.#things.find(({ kind, id }) => kind === 'dog' && id === thing.dog)
    const isOut = this.#gone.has(this.#key(thing)) || this.#causes.get(this.#key(thing))!.size > 0
    return !isOut && (!own || this.#isShown(own))
  }
  shown = () => this.#things.filter(this.#isShown).map(this.#key).toSorted()
}

/** What readers get. */
async function readShown({ db, things }: World): Promise<string[]> {
  const shown: string[] = []
  const dogs = new Set((await db.selectFrom('dogs').select('id').execute()).map(({ id }) => id))
  for (const { kind, id, of, dog: dogId } of things) {
    const rows =
      kind === 'like'
        ? await db.selectFrom('dog_likes').selectAll().where('dog_id', '=', id).execute()
        : await db
            .selectFrom(CONTENT[kind].view as 'comments')
            .selectAll()
            .where(CONTENT[kind].key as 'id', '=', id)
            .execute()
    if (rows.length > 0 && (dogId === undefined || dogs.has(dogId))) shown.push(`${kind} ${id} ${of}`)
  }
  return shown.toSorted()
}

type Action = (world: World, rules: Rules) => Promise<void>
const nothing = async () => {}

const ACTIONS: Record<string, Action> = {}
for (const index of Array.from({ length: 10 }, (_, i) => i)) {
  const at = ({ things }: World) => things.filter(({ kind }) => kind !== 'like')[index % 8]!
  const cause = index < 8 ? 'admin' : 'reports'
  ACTIONS[`hide ${index}`] = async (world, rules) => {
    const thing = at(world)
    await hideTarget(world.db, thing as { kind: TargetKind; id: string }, cause, nothing)
    rules.hide(thing, cause)
  }
  if (index < 8)
    ACTIONS[`show ${index}`] = async (world, rules) => {
      const thing = at(world)
      const item = await findHidden(world.db, thing.kind as TargetKind, thing.id)
      if (!item) return
      await showTarget(world.db, item, nothing)
      rules.show(thing, 'admin', 'reports')
    }
}
for (const who of ['ana', 'luis'] as const) {
  for (const dogs of ['delete', 'keep'] as const) {
    ACTIONS[`${who} leaves, ${dogs}`] = async ({ db, people }, rules) => {
      const user = people[who]
      const profile = await db.selectFrom('profiles').select('alias').where('id', '=', user.id).executeTakeFirst()
      const typed = { dogs, alias: profile?.alias ?? 'Usuario' }
      await requestDeletion(db, withRecentSignIn(user), typed, nothing)
      rules.leaving.set(who, dogs)
      for (const thing of rules.ownOf(who, dogs)) rules.hide(thing, 'deletion')
    }
    ACTIONS[`${who} is erased, ${dogs}`] = async ({ db, people }, rules) => {
      const user = withRecentSignIn(people[who])
      const profile = await db.selectFrom('profiles').select('alias').where('id', '=', user.id).executeTakeFirst()
      const left = rules.leaving.get(who)
      if (left) await eraseLeavingAccount(db, dataDir, user)
      else await deleteAccount(db, dataDir, user, { dogs, alias: profile?.alias ?? 'Usuario' })
      for (const thing of rules.ownOf(who, left ?? dogs)) rules.erase(thing)
    }
  }
  ACTIONS[`${who} returns`] = async ({ db, people }, rules) => {
    await restoreBySession(db, people[who])
    rules.leaving.delete(who)
    for (const thing of rules.ownOf(who, 'delete')) rules.show(thing, 'deletion')
  }
  ACTIONS[`${who} is banned`] = ({ db, people }) =>
    transact(db, (trx) => ban(trx, people[who].id, { until: null, reason: 'Porque sí.' }))
  ACTIONS[`${who} blocks`] = ({ db, people }) =>
    blockMember(db, people[who], people[who === 'ana' ? 'luis' : 'ana'].id).then(nothing)
}

/** What may not be done changes nothing. */
async function attempt(step: string, world: World, rules: Rules): Promise<void> {
  // Whose account is gone has no session, and the review finds nobody.
  const id = world.people[step.split(' ')[0] as Who]?.id
  if (id && !(await world.db.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst())) return
  await ACTIONS[step]!(world, rules).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error
  })
}

async function assertConsistent(world: World, order: readonly string[]): Promise<void> {
  assert.equal(await listDriftedCounts(world.db), [], order.join(' · '))
  if (!isPostgresRun) assert.equal(listBrokenReferences(world.db), [], order.join(' · '))
}

const orders = suite<{ open: () => World }>('unit/moderation/orders-of-hiding')
orders.before(async (t) => {
  const { openCopy, ...world } = await createWorld()
  t.open = () => ({ ...world, db: openCopy() })
})
orders.after(() => rmSync(dataDir, { recursive: true }))

const NAMES = Object.keys(ACTIONS)
const PAIRS = NAMES.flatMap((a) => NAMES.map((b) => [a, b]))
const dice = createRandom(20)
/** Each order has a database of its own, which PostgreSQL takes a second for. */
const PART = isPostgresRun ? 8 : 1
const RANDOM = Array.from({ length: 2000 }, () => Array.from({ length: 3 + dice.int(6) }, () => dice.pick(NAMES)))

for (const [name, cases] of [
  ['in every order of two', sample(PAIRS, 120 / PART)],
  ['in random orders of up to eight', sample(RANDOM, Math.ceil(100 / PART))],
] as const)
  orders(`${name}, what is shown is what no cause hides`, async ({ open }) => {
    for (const order of cases) {
      const world = open()
      const rules = new Rules(world.things)
      for (const [place, step] of order.entries()) {
        await attempt(step, world, rules)
        assert.equal(await readShown(world), rules.shown(), order.slice(0, place + 1).join(' · '))
      }
      await assertConsistent(world, order)
      await world.db.destroy()
    }
  })

orders('by two people at once, counts equal a recount', async ({ open }) => {
  for (const order of sample(PAIRS, Math.ceil(60 / PART))) {
    const world = open()
    const rules = new Rules(world.things)
    await Promise.all(order.map((step) => attempt(step, world, rules)))
    await assertConsistent(world, order)
    await world.db.destroy()
  }
})
