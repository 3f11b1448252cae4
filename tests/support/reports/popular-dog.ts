import { createECDH } from 'node:crypto'
import { cpSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Trx as Db } from '#db/client.ts'
import { createSession, toSessionId } from '#features/auth/sessions/sessions.server.ts'
import { addComment } from '#features/comments/comments.server.ts'
import { addDog } from '#features/dogs/write/add.server.ts'
import { dogSchema } from '#features/dogs/write/dog-input.ts'
import type { Dog } from '#features/dogs/dogs.ts'
import { requestOwnership } from '#features/dogs/ownership/ownership.server.ts'
import { like } from '#features/likes/likes.server.ts'
import { ban } from '#features/moderation/bans.server.ts'
import { OPEN_REVIEWS_MAX } from '#features/moderation/moderation.ts'
import { subscribe } from '#features/notifications/push/subscriptions.server.ts'
import type { DecisionInput } from '#features/reports/decisions/decisions.ts'
import { applyCaseAction } from '#features/reports/cases/case-actions.server.ts'
import { submitReport } from '#features/reports/reports.server.ts'
import type { TargetKind } from '#features/reports/target-kinds.ts'
import type { CurrentUser } from '#lib/auth/current-user.ts'
import { freshDb, toCopies } from '#tests/support/db.ts'
import { holdComment } from '#tests/support/moderation/held-comment.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { makeEstablishedMembers } from '#tests/support/reports/established-members.ts'
import { member, seed } from '#tests/support/seed.ts'

export const ADMIN_EMAIL = 'admin@ejemplo.es'
/** A text that the word filter flags. */
export const FLAGGED = 'Se vende, 300 €'

export interface PopularDog {
  db: Db
  dir: string
  admin: CurrentUser
  /** Toby's owner, with a device that gets push messages. */
  ana: CurrentUser
  /** Toby's discoverer. */
  luis: CurrentUser
  /** Found Lía, which `others` say is theirs. */
  eva: CurrentUser
  banned: CurrentUser
  /** Ana's, with two photos, the first described; `others` like it and comment it. */
  toby: Dog
  lia: Dog
  /** Established members. */
  others: CurrentUser[]
  /** Of the first of `others`, on Toby. */
  comment: string
}

const DEVICE_KEYS = { p256dh: createECDH('prime256v1').generateKeys('base64url'), auth: 'a'.repeat(22) }

async function createPopularDog(): Promise<PopularDog> {
  const db = freshDb()
  const dir = mkdtempSync(join(tmpdir(), 'perrario-popular-'))
  const [admin, ana, luis, eva, banned] = await seed(
    db,
    member({ email: ADMIN_EMAIL, alias: 'Admin' }),
    member({ alias: 'Ana' }),
    member({ alias: 'Luis' }),
    member({ alias: 'Eva' }),
    member({ alias: 'Vetada' }),
  )
  const others = await seed(db, ...Array.from({ length: 5 }, () => member()))
  const add = async (userId: string, name: string, relationship: 'owner' | 'discoverer', alts: (string | null)[]) => {
    const input = dogSchema.parse({ name, breed: 'Beagle', age: '3', age_unit: 'años', zone: 'Lugo', relationship })
    return (await addDog(db, dir, { input, uploads: [await photo(30), await photo(200)], alts, userId })).dog
  }
  const toby = await add(ana.id, 'Toby', 'owner', ['En el río', null])
  const lia = await add(eva.id, 'Lía', 'discoverer', [])
  await db.updateTable('dogs_all').set({ discoverer_id: luis.id }).where('id', '=', toby.id).execute()
  for (const user of [ana, luis]) {
    const session = toSessionId((await createSession(db, user.id)).token)
    await subscribe(db, user, session, { endpoint: `https://fcm.googleapis.com/${user.id}`, keys: DEVICE_KEYS }, [])
  }
  const userIds = others.map(({ id }) => id)
  await makeEstablishedMembers(db, userIds, toby.id)
  let comment = ''
  for (const user of others.toReversed())
    for (const { id, name } of [toby, lia]) {
      await like(db, user, id)
      const added = await addComment(db, user, id, `Qué guapo es ${name}`)
      if (id === toby.id) comment = added.id
      if (id === lia.id) await requestOwnership(db, user, id)
    }
  await ban(db, banned.id, { until: null, reason: 'Vende.' })
  return { db, dir, admin, ana, luis, eva, banned, toby, lia, others, comment }
}

let original: Promise<Omit<PopularDog, 'db'> & { openCopy: () => Db }> | undefined

/** A copy of a database and a data directory in which much refers to one dog; they are made once. The caller deletes `dir`. */
export async function copyPopularDog(): Promise<PopularDog> {
  original ??= createPopularDog().then(async ({ db, ...rest }) => ({ ...rest, openCopy: await toCopies(db) }))
  const { openCopy, dir: from, ...rest } = await original
  return { ...rest, db: openCopy(), dir: copyDataDir(from) }
}

/** A copy of a data directory. The caller deletes it. */
export function copyDataDir(from: string): string {
  const dir = mkdtempSync(join(tmpdir(), 'perrario-popular-'))
  cpSync(from, dir, { recursive: true })
  return dir
}

/** One of `others` reports the target. @returns its case */
export async function openCaseOf({ db, others }: PopularDog, kind: TargetKind, id: string): Promise<string> {
  await submitReport(db, others.at(-1)!, { kind, id, reason: 'spam', words: '' }, 'x')
  return (await db.selectFrom('cases').select('id').where('thing_id', '=', id).executeTakeFirstOrThrow()).id
}

/** Applies the admin's decision on a case. @param version that the admin saw; default: the current one */
export async function decideAs(
  { db, dir }: PopularDog,
  user: CurrentUser | null,
  caseId: string,
  deed: DecisionInput['deed'],
  version?: number,
): Promise<void> {
  const found = await db.selectFrom('cases').select('edited_at').where('id', '=', caseId).executeTakeFirst()
  const input = { deed, reason: 'Porque sí.', days: null, version: version ?? found?.edited_at ?? 0 }
  await applyCaseAction(db, dir, { user, adminEmail: ADMIN_EMAIL }, caseId, input)
}

/** As many of the member's texts wait for the admin as may. */
export async function fillReviews({ db, toby }: PopularDog, user: { id: string }): Promise<void> {
  for (let n = 0; n < OPEN_REVIEWS_MAX; n++) await holdComment(db, user, toby.id, FLAGGED)
}
