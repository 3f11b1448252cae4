import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Trx as Db, Trx } from '#db/client.ts'
import { ConcurrencyLimiter } from '#db/concurrency-limiter.ts'
import type { TargetKind } from '#db/schema.ts'
import { addComment } from '#features/comments/comments.server.ts'
import { hideDog, hidePhoto } from '#features/dogs/hidden-dogs.server.ts'
import { requestOwnership } from '#features/dogs/ownership/ownership.server.ts'
import { addDog } from '#features/dogs/write/add.server.ts'
import { dogSchema } from '#features/dogs/write/dog-input.ts'
import { like } from '#features/likes/likes.server.ts'
import { giveOpinion, setOpinionsAsked } from '#features/opinions/opinions.server.ts'
import { applyPhotoMoves } from '#features/photos/planned-moves.server.ts'
import { applyCaseAction } from '#features/reports/cases/case-actions.server.ts'
import type { DecisionInput } from '#features/reports/decisions/decisions.ts'
import { submitReport } from '#features/reports/reports.server.ts'
import type { CurrentUser } from '#lib/auth/current-user.ts'
import { holdComment } from '#tests/support/moderation/held-comment.ts'
import { freshDb, toCopies } from '#tests/support/db.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { makeEstablishedMembers } from '#tests/support/reports/established-members.ts'
import { dog, member, seed } from '#tests/support/seed.ts'
import { readAllRows, type Row } from '#tests/support/rows.ts'

// A member who deletes their account, with something of theirs in every place, and those who act meanwhile.

export const ADMIN_EMAIL = 'admin@ejemplo.es'
const ANA_ID = '11111111-1111-4111-8111-111111111111'

/** What may be left of the member nowhere. */
export const PERSONAL_WORDS = [ANA_ID, 'zqmail', 'zqalias', 'zqcomment', 'zqsays', 'zqabout', 'zqreason']
/** What stands in her own dogs, and stays where the dogs stay. */
export const DOG_WORDS = ['zqtoby', 'zqpaco', 'zqdescription', 'zqsale', 'zqalt']

export interface Leaving {
  db: Db
  dataDir: string
  ana: CurrentUser
  luis: CurrentUser
  eva: CurrentUser
  admin: CurrentUser
  /** Members whose reports hide a target. */
  crowd: CurrentUser[]
  /** Ana's public dog, and her dog that waits for the admin. */
  toby: string
  paco: string
  /** A photo of Toby, hidden by itself. */
  hiddenPhoto: string
  /** Luis' dog that Ana discovered, public and hidden. */
  shared: string
  hiddenShared: string
  /** Discovered by Luis, requested by Ana; and the other way round. */
  requested: string
  found: string
  luna: string
  /** Ana's comments on Luna: public and reported, held by the filter, and hidden by the admin. */
  comment: string
  heldComment: string
  hiddenComment: string
  visitorsDog: { id: string; token: string }
}

const input = (fields: object) => dogSchema.parse({ breed: 'Beagle', relationship: 'owner', ...fields })

/** The admin's decision on the target's case. */
export async function decide(
  { db, dataDir, admin, ana }: Pick<Leaving, 'db' | 'dataDir' | 'admin' | 'ana'>,
  kind: TargetKind,
  targetId: string,
  deed: DecisionInput['deed'],
  reason = '',
): Promise<void> {
  const { id } = await db
    .selectFrom('cases')
    .select('id')
    .where('kind', '=', kind)
    .where('thing_id', '=', targetId)
    .executeTakeFirst()
    .then((found) => found ?? { id: 'none' })
  const requester = { user: admin, adminEmail: ADMIN_EMAIL }
  await applyCaseAction(db, dataDir, requester, id, { deed, reason, days: null, member: ana.id })
}

async function createLeaving(dataDir: string): Promise<Leaving> {
  const db = freshDb()
  const [admin, ana, luis, eva] = await seed(
    db,
    member({ email: ADMIN_EMAIL, alias: 'Admin' }),
    member({ id: ANA_ID, email: 'zqmail@ejemplo.es', alias: 'zqalias' }),
    member({ alias: 'Luis' }),
    member({ alias: 'Eva' }),
  )
  const [luna, shared, hiddenShared, requested, found, kira] = await seed(
    db,
    dog({ name: 'Luna', owner_id: luis.id }),
    dog({ name: 'Suya', owner_id: luis.id, discoverer_id: ana.id }),
    dog({ name: 'Oculta', owner_id: luis.id, discoverer_id: ana.id }),
    dog({ name: 'Vista', owner_id: null, discoverer_id: luis.id }),
    dog({ name: 'Zqtoby', owner_id: null, discoverer_id: ana.id }),
    dog({ name: 'Kira', owner_id: eva.id }),
  )
  const crowd = await seed(db, ...Array.from({ length: 5 }, () => member()))
  await makeEstablishedMembers(db, [eva.id, ...crowd.map(({ id }) => id)], kira.id)
  const add = async (name: string, description: string, userId: string | null) =>
    addDog(db, dataDir, {
      input: input({ name, description }),
      uploads: [await photo(), await photo(90)],
      alts: ['zqalt', 'zqalt'].map((alt) => (userId ? alt : null)),
      userId,
      idempotency: { sender: userId ?? 'anonymous', key: name.padEnd(40, 'k') },
    })
  const toby = (await add('Zqtoby', 'zqdescription', ana.id)).dog
  const paco = (await add('Zqpaco', 'Se vende por 300 euros, zqsale', ana.id)).dog
  const visitors = await add('Suelto', '', null)
  const leaving: Omit<Leaving, 'comment' | 'heldComment' | 'hiddenComment' | 'hiddenPhoto'> = {
    db,
    dataDir,
    ana,
    luis,
    eva,
    admin,
    crowd,
    toby: toby.id,
    paco: paco.id,
    luna: luna.id,
    shared: shared.id,
    hiddenShared: hiddenShared.id,
    requested: requested.id,
    found: found.id,
    visitorsDog: { id: visitors.dog.id, token: visitors.association!.token },
  }
  await requestOwnership(db, ana, requested.id)
  await requestOwnership(db, luis, found.id)
  for (const each of [luna, toby])
    for (const who of [ana, luis]) {
      await like(db, who, each.id)
      if (who === luis) await addComment(db, luis, each.id, 'Qué guapo')
    }
  const [comment, heldComment, hiddenComment] = [
    await addComment(db, ana, luna.id, 'zqcomment'),
    await holdComment(db, ana, luna.id, 'Se vende por 300 euros, zqcomment'),
    await addComment(db, ana, luna.id, 'Otro zqcomment'),
  ]
  await setOpinionsAsked(db, luis, luna.id, true)
  for (const who of [ana, eva]) await giveOpinion(db, who, luna.id, { breed: 'Boxer', reason: 'Por el morro.' })
  const report = (who: CurrentUser, kind: TargetKind, id: string, words: string) =>
    submitReport(db, who, { kind, id, reason: 'otra', words }, '203.0.113.9')
  await report(ana, 'dog', luna.id, 'zqsays')
  for (const { id } of [comment, hiddenComment]) await report(eva, 'comment', id, 'zqabout')
  for (const id of [toby.id, shared.id]) await report(eva, 'dog', id, '')
  await report(eva, 'profile', ana.id, 'zqabout')
  const hiddenPhoto = toby.images[1]!.url
  await report(eva, 'photo', hiddenPhoto, '')
  await decide(leaving, 'comment', comment.id, 'warn', 'zqreason')
  await decide(leaving, 'comment', hiddenComment.id, 'hide', 'zqreason')
  await decide(leaving, 'profile', ana.id, 'hide', 'zqreason')
  await db.transaction().execute((trx) => hidePhoto(trx, hiddenPhoto, 'admin'))
  await report(eva, 'dog', hiddenShared.id, '')
  await db.transaction().execute((trx) => hideDog(trx, hiddenShared.id, 'admin'))
  await applyPhotoMoves(db, dataDir, toby.id)
  return { ...leaving, comment: comment.id, heldComment: heldComment.id, hiddenComment: hiddenComment.id, hiddenPhoto }
}

let original: Promise<{ openCopy: () => Db } & Omit<Leaving, 'db'>> | undefined

/** A copy of all of it, which is made once; the caller removes its `dataDir`. */
export async function copyLeaving(): Promise<Leaving> {
  original ??= createLeaving(mkdtempSync(join(tmpdir(), 'perrario-leaving-'))).then(async ({ db, ...rest }) => ({
    openCopy: await toCopies(db),
    ...rest,
  }))
  const { openCopy, ...rest } = await original
  const dataDir = mkdtempSync(join(tmpdir(), 'perrario-leaving-'))
  cpSync(rest.dataDir, dataDir, { recursive: true })
  return { ...rest, db: openCopy(), dataDir }
}

export async function disposeOriginal(): Promise<void> {
  const made = await original
  // Another file of the same process makes its own.
  original = undefined
  if (made) rmSync(made.dataDir, { recursive: true, force: true })
}

/** Places of the database that contain one of the words: `table.column: word`. Addresses of former dogs stay taken. */
export const findWords = async (db: Db, words: readonly string[]): Promise<string[]> =>
  findWordsIn(await readAllRows(db), words)

export const findWordsIn = (tables: Record<string, Row[]>, words: readonly string[]): string[] =>
  Object.entries(tables).flatMap(([table, rows]) =>
    rows.flatMap((row) =>
      Object.entries(row)
        .filter(([column]) => `${table}.${column}` !== 'dog_paths.slug')
        .flatMap(([column, value]) =>
          words
            .filter((word) => String(value).toLowerCase().includes(word))
            .map((word) => `${table}.${column}: ${word}`),
        ),
    ),
  )

/**
 * Has the database do `work` before the transactions that `isNow` chooses. It gets the places, in the files that erase, hide or bring back, from which the
 * transaction was begun. The database stays the same object, to which its pool and its locks belong.
 */
export function workBefore(db: Db, isNow: (place: string) => boolean, work: () => Promise<void>): Db {
  const begin = db.transaction.bind(db)
  const transaction = () => {
    const place =
      new Error().stack
        ?.match(/[\w-]+\/(?:erase|hide-account|restore-account|request-deletion)\.server\.ts:\d+/g)
        ?.join(' ') ?? ''
    const execute = async (use: (trx: Trx) => Promise<unknown>) => {
      if (isNow(place)) await withoutTurns(work)
      return begin().execute(use)
    }
    return { execute }
  }
  return Object.assign(db, { transaction })
}

/** On PostgreSQL the transaction that begins afterwards has its turn in this process already: `work` needs none. It has not the lock yet. */
async function withoutTurns(work: () => Promise<void>): Promise<void> {
  const { acquire } = ConcurrencyLimiter.prototype
  ConcurrencyLimiter.prototype.acquire = async () => () => {}
  try {
    await work()
  } finally {
    ConcurrencyLimiter.prototype.acquire = acquire
  }
}

/** The database, with `work` done before the transaction that `isNow` chooses first. */
export function onceBefore(db: Db, isNow: (place: string) => boolean, work: () => Promise<void>) {
  const state = { isDone: false }
  const isFirst = (place: string) => !state.isDone && isNow(place)
  const doOnce = async () => {
    state.isDone = true
    await work()
  }
  return { db: workBefore(db, isFirst, doOnce), state }
}
