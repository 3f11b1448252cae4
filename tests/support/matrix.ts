import { randomUUID } from 'node:crypto'
import type { Db } from '#db/client.ts'
import { askOwnership } from '#features/dogs/ownership.server.ts'
import { addDog } from '#features/dogs/add.server.ts'
import { addComment } from '#features/comments/comments.server.ts'
import type { CurrentUser } from '#features/auth/auth.ts'
import { sessionCookie } from '#features/auth/auth.ts'
import { createSession, openSessions } from '#features/auth/lucia.server.ts'
import type { Dog } from '#features/dogs/dogs.ts'
import { notify } from '#features/notifications/notifications.server.ts'
import { decide } from '#features/reports/deeds.server.ts'
import { report } from '#features/reports/reports.server.ts'
import { photo } from './photo.ts'
import { dog, member, seed } from './seed.ts'

export const ROLES = ['anonymous', 'other', 'owner', 'admin', 'expired'] as const
export type Role = (typeof ROLES)[number]

/** One small community of its own for every try, so that no try finds what another left. */
export interface MatrixWorld {
  /** The Cookie header of each role; empty for nobody. */
  cookies: Record<Role, string>
  owner: CurrentUser
  other: CurrentUser
  /** The owner's. */
  dog: Dog
  /** What the owner discovered and the other says is theirs. */
  found: Dog
  /** Somebody's whom nobody here is, discovered by nobody here. */
  stray: Dog
  /** Nobody's, and the token that claims it. */
  unclaimed: { id: string; token: string }
  /** The owner's. */
  comment: string
  notification: string
  session: string
  /** About the owner's dog, and what was decided in it. */
  case: string
  decision: string
}

/** @param adminEmail who the server takes for the admin; one member is them in every world */
export async function matrixWorld(db: Db, dataDir: string, adminEmail: string): Promise<MatrixWorld> {
  const [owner, toby, other] = await seed(db, member(), dog(), member())
  const [found, stray] = await seed(
    db,
    dog({ owner_id: null, discoverer_id: owner.id }),
    dog({ owner_id: null, discoverer_id: await elsewhere(db) }),
  )
  const admin = await adminOf(db, adminEmail)
  await askOwnership(db, other, found.id)
  const uploads = [new File([await photo()], 'foto.jpg', { type: 'image/jpeg' })]
  const input = { ...NOBODYS_DOG, relationship: 'owner' as const }
  const added = await addDog(db, dataDir, { input, uploads, userId: null })
  const comment = await addComment(db, owner, stray.id, 'Hola')
  await notify(db, { userId: owner.id, type: 'other', title: 'Aviso', content: 'Hola' })
  const line = await db
    .selectFrom('notifications')
    .select('id')
    .where('user_id', '=', owner.id)
    .executeTakeFirstOrThrow()
  const cookie = async (id: string) => `${sessionCookie(false)}=${(await createSession(db, id)).token}`
  const ownCookie = await cookie(owner.id)
  const [session] = await openSessions(db, owner.id, undefined)
  return {
    cookies: {
      anonymous: '',
      other: await cookie(other.id),
      owner: ownCookie,
      admin: await cookie(admin.id),
      expired: await expiredCookie(db, owner.id),
    },
    owner,
    other,
    dog: toby,
    found,
    stray,
    unclaimed: { id: added.dog.id, token: added.association!.token },
    comment: comment.id,
    notification: line.id,
    session: session!.id,
    ...(await caseOf(db, dataDir, { admin, adminEmail }, toby.id)),
  }
}

const NOBODYS_DOG = {
  name: 'Luna',
  breed: 'Beagle',
  age: null,
  age_unit: null,
  weight: null,
  size: null,
  zone: null,
  is_adopted: false,
  description: null,
}

async function elsewhere(db: Db): Promise<string> {
  const [someone] = await seed(db, member())
  return someone.id
}

async function adminOf(db: Db, email: string): Promise<{ id: string }> {
  const known = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()
  return known ?? (await seed(db, member({ email, alias: `Admin ${randomUUID().slice(0, 8)}` })))[0]
}

/** A session that was the owner's and has ended by itself. */
async function expiredCookie(db: Db, userId: string): Promise<string> {
  const before = await db.selectFrom('sessions').select('id').where('user_id', '=', userId).execute()
  const { token } = await createSession(db, userId)
  await db
    .updateTable('sessions')
    .set({ expires_at: Math.floor(Date.now() / 1000) - 60 })
    .where('user_id', '=', userId)
    .where(
      'id',
      'not in',
      before.map((row) => row.id),
    )
    .execute()
  return `${sessionCookie(false)}=${token}`
}

/** Somebody reported the dog, and the admin warned of it. */
async function caseOf(
  db: Db,
  dataDir: string,
  { admin, adminEmail }: { admin: { id: string }; adminEmail: string },
  dogId: string,
): Promise<{ case: string; decision: string }> {
  const someone = { id: await elsewhere(db) }
  await report(db, someone, { kind: 'dog', id: dogId, reason: 'spam', words: '' }, 'x')
  const found = await db.selectFrom('cases').select('id').where('thing_id', '=', dogId).executeTakeFirstOrThrow()
  const asker = { user: { ...admin, email: adminEmail }, adminEmail }
  await decide(db, dataDir, asker, found.id, { deed: 'warn', reason: 'Sin anuncios.', days: null })
  const decision = await db
    .selectFrom('decisions')
    .select('id')
    .where('case_id', '=', found.id)
    .executeTakeFirstOrThrow()
  return { case: found.id, decision: decision.id }
}
