import { join } from 'node:path'
import { randomBytes, randomUUID } from 'node:crypto'
import type { Trx as Db } from '#db/client.ts'
import { sessionCookieName } from '#features/auth/auth.ts'
import { issueSecret } from '#features/secrets/secrets.server.ts'
import type { CurrentUser } from '#lib/auth/current-user.ts'
import { listOpenSessions } from '#features/auth/sessions/member-sessions.server.ts'
import { createSession, readSession } from '#features/auth/sessions/sessions.server.ts'
import { logSecurityEvent } from '#features/auth/security-log/security-log.server.ts'
import { addComment } from '#features/comments/comments.server.ts'
import { toClaimSecret } from '#features/dogs/write/add.server.ts'
import { requestOwnership } from '#features/dogs/ownership/ownership.server.ts'
import type { Dog } from '#features/dogs/dogs.ts'
import { like } from '#features/likes/likes.server.ts'
import { giveOpinion, setOpinionsAsked } from '#features/opinions/opinions.server.ts'
import { ban } from '#features/moderation/bans.server.ts'
import { addBlock } from '#features/moderation/blocks.server.ts'
import { saveLostAlerts } from '#features/lost/alerts/alert-settings.server.ts'
import { saveHomeZone } from '#features/nearby/home-zone/home-zone.server.ts'
import { ensureProfile } from '#features/profiles/profiles.server.ts'
import { storeNotification } from '#features/notifications/notifications.server.ts'
import { photoKey } from '#features/photos/files.server.ts'
import { writeFileAtomically } from '#features/storage/files.server.ts'
import { photoName } from '#features/photos/photos.ts'
import { hideTarget } from '#features/reports/cases/target-visibility.server.ts'
import { findReviewTarget } from '#features/reports/report-target.server.ts'
import { reportDog, warnDogOwners } from '#tests/support/reports/reported-dogs.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { addAlertRow } from '#tests/support/auth/alert-row.ts'
import { addPasskeyRow } from '#tests/support/auth/passkey-row.ts'
import { dog, member, seed } from '../seed.ts'
import type { Role } from './roles.ts'

/** The owner's home zone, which no dog here is in. */
export const HOME_ZONE = 'Villaconejos, Madrid'
/** Where the owner is alerted of lost dogs. */
export const LOST_ZONE = 'Belmonte de Tajo, Madrid'

/** One small community of its own for every try, so that no try finds what another left. */
export interface MatrixWorld {
  /** The Cookie header of a role, who is made when first asked for; empty for nobody. */
  cookieOf: (role: Role) => Promise<string>
  /** What a role goes by; of nobody a name that nobody has. */
  aliasOf: (role: Role) => Promise<string>
  owner: CurrentUser
  /** Who says that `found` is theirs. */
  other: CurrentUser
  /** The owner's. */
  dog: Dog
  /** What the owner discovered and the other says is theirs. */
  found: Dog
  /** What the owner discovered and nobody claims. */
  stray: Dog
  /** Somebody's whom nobody here is; the owner likes it and said something of it. */
  loved: Dog
  /** The owner's, out of sight until the admin has looked. */
  held: Dog
  /** Nobody's, and the token that claims it. */
  unclaimed: { id: string; token: string }
  /** Of nobody's dog: `/photos/…`, with its file. */
  photo: string
  /** The owner's. */
  comment: string
  notification: string
  session: string
  passkey: string
  /** About the owner's dog, and what was decided in it. */
  case: string
  decision: string
  /** A word that stands in each of the owner's things and nowhere else. */
  mark: string
}

/** @param adminEmail who the server takes for the admin; one member is them in every world */
export async function createMatrixWorld(db: Db, dataDir: string, adminEmail: string): Promise<MatrixWorld> {
  const mark = randomUUID().slice(0, 8)
  const [owner, toby, other] = await seed(
    db,
    member({ alias: `Ana ${mark}`, email: `ana-${mark}@ejemplo.es` }),
    dog({ name: `Toby ${mark}` }),
    member(),
  )
  const discovered = dog({ owner_id: null, discoverer_id: owner.id })
  const [found, stray, lovedOwner, loved] = await seed(db, discovered, discovered, member(), dog())
  await writePhotos(dataDir, [toby, found, stray, loved])
  const admin = await ensureAdmin(db, adminEmail)
  await requestOwnership(db, other, found.id)
  await like(db, owner, loved.id)
  const comment = await addComment(db, owner, loved.id, `Hola ${mark}`)
  await setOpinionsAsked(db, owner, toby.id, true)
  await giveOpinion(db, other, toby.id, { breed: 'Podenco andaluz' })
  await setOpinionsAsked(db, lovedOwner, loved.id, true)
  await giveOpinion(db, owner, loved.id, { breed: 'Boxer', reason: `Morro ${mark}` })
  await storeNotification(db, { userId: owner.id, title: 'Aviso', content: `Aviso ${mark}` })
  const line = await db
    .selectFrom('notifications')
    .select('id')
    .where('user_id', '=', owner.id)
    .where('content', 'like', 'Aviso %')
    .executeTakeFirstOrThrow()
  const caseId = await reportDog(db, toby.id)
  const decision = await warnDogOwners(db, dataDir, { ...admin, email: adminEmail }, caseId, `Motivo ${mark}`)
  const held = await addHiddenDog(db, dataDir, owner.id, `Oculto ${mark}`)
  const unclaimed = await addUnclaimedDog(db, dataDir)
  const cookie = await createCookie(db, owner.id)
  const [session] = await listOpenSessions(db, owner.id, undefined)
  await addAlertRow(db, owner.id, { sessionId: session!.id })
  await saveHomeZone(db, owner, { zone: HOME_ZONE, alert: 25, digest: true })
  const alerts = { radius_km: 5, breaks_quiet: false, by_mail: true, by_push: true } as const
  await saveLostAlerts(db, owner, { zone: LOST_ZONE, ...alerts })
  const passkey = await addPasskeyRow(db, owner.id, { created_at: 1 })
  await logSecurityEvent(db, owner.id, 'passkey-added', { detail: `Llave ${mark}` })
  const nobodys = { unclaimed: { id: unclaimed.dog.id, token: unclaimed.token }, photo: unclaimed.dog.photo_url }
  const things = { dog: toby, found, stray, loved, held, ...nobodys }
  const ids = { comment: comment.id, notification: line.id, session: session!.id, passkey, case: caseId, decision }
  const cookies: Partial<Record<Role, string>> = { owner: cookie }
  const cookieOf = async (role: Role) =>
    (cookies[role] ??= await ROLE_MAKERS[role]({ db, owner, other, admin, cookie }))
  const aliasOf = async (role: Role) => {
    const token = (await cookieOf(role)).split('=')[1]
    const session = token ? await readSession(db, token) : null
    return session ? (await ensureProfile(db, session.userId)).alias : 'nadie'
  }
  return { cookieOf, aliasOf, owner, other, mark, ...things, ...ids }
}

interface Cast {
  db: Db
  owner: CurrentUser
  other: CurrentUser
  admin: { id: string }
  /** The owner's. */
  cookie: string
}

const ROLE_MAKERS: Record<Role, (cast: Cast) => Promise<string>> = {
  visitor: async () => '',
  expired: ({ db, owner }) => createExpiredCookie(db, owner.id),
  member: ({ db, other }) => createCookie(db, other.id),
  holder: async ({ db }) => createCookie(db, (await newMember(db)).id),
  owner: async ({ cookie }) => cookie,
  // From then on the owner of this world may not write.
  bannedOwner: async ({ db, owner, cookie }) => {
    await ban(db, owner.id, { until: null, reason: 'Insultos.' })
    return cookie
  },
  admin: ({ db, admin }) => createCookie(db, admin.id),
  banned: async ({ db }) => {
    const { id } = await newMember(db)
    await ban(db, id, { until: null, reason: 'Insultos.' })
    return createCookie(db, id)
  },
  blocked: async ({ db, owner }) => {
    const someone = await newMember(db)
    await addBlock(db, owner, someone.id)
    return createCookie(db, someone.id)
  },
  blocker: async ({ db, owner }) => {
    const someone = await newMember(db)
    await addBlock(db, someone, owner.id)
    return createCookie(db, someone.id)
  },
}

const newMember = async (db: Db): Promise<CurrentUser> => (await seed(db, member()))[0]

const createCookie = async (db: Db, userId: string) =>
  `${sessionCookieName(false)}=${(await createSession(db, userId)).token}`

/** Seeded dogs are rows alone: the doctor would miss their photos. */
async function writePhotos(dataDir: string, dogs: readonly Dog[]): Promise<void> {
  const jpeg = await photo()
  for (const { url } of dogs.flatMap(({ images }) => images))
    await writeFileAtomically(join(dataDir, photoKey(photoName(url)!)), jpeg)
}

/** As `addDog` writes it for a visitor, without the photo pipeline, which was most of a world's work. */
async function addUnclaimedDog(db: Db, dataDir: string): Promise<{ dog: Dog; token: string }> {
  const [luna] = await seed(db, dog({ owner_id: null, name: 'Luna' }))
  await writePhotos(dataDir, [luna])
  const token = randomBytes(32).toString('base64url')
  await issueSecret(db, 'dog-claim', { dog_id: luna.id }, luna.created_at, { secret: toClaimSecret(token) })
  return { dog: luna, token }
}

/** Out of sight by reports that the admin has not looked at. */
async function addHiddenDog(db: Db, dataDir: string, ownerId: string, name: string): Promise<Dog> {
  const [hidden] = await seed(db, dog({ owner_id: ownerId, name }))
  await writePhotos(dataDir, [hidden])
  await reportDog(db, hidden.id)
  const nothing = async () => {}
  await hideTarget(db, (await findReviewTarget(db, 'dog', hidden.id))!, 'reports', nothing)
  return hidden
}

async function ensureAdmin(db: Db, email: string): Promise<{ id: string }> {
  const known = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()
  return known ?? (await seed(db, member({ email, alias: `Admin ${randomUUID().slice(0, 8)}` })))[0]
}

/** A session that was the owner's and has ended by itself. */
async function createExpiredCookie(db: Db, userId: string): Promise<string> {
  const before = (await db.selectFrom('sessions').select('id').where('user_id', '=', userId).execute()).map((s) => s.id)
  const cookie = await createCookie(db, userId)
  await db
    .updateTable('sessions')
    .set({ expires_at: Math.floor(Date.now() / 1000) - 60 })
    .where('user_id', '=', userId)
    .where('id', 'not in', before)
    .execute()
  return cookie
}
