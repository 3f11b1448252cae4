import { createHash, randomUUID } from 'node:crypto'
import type { Trx as Db } from '#db/client.ts'
import type { CurrentUser } from '#lib/auth/current-user.ts'
import { sessionCookieName } from '#features/auth/auth.ts'
import { createSession } from '#features/auth/sessions/sessions.server.ts'
import { insertDog } from '#features/dogs/write/add.server.ts'
import { getDog } from '#features/dogs/dog.server.ts'

import { noteUnknownChanges } from '#db/table-changes.ts'
import { transact } from '#db/transact.ts'
import { DOG_FIELD_NAMES, DOG_FIELDS, type DogInput, normaliseAge } from '#features/dogs/write/dog-fields.ts'
import type { Dog } from '#features/dogs/dogs.ts'
import { aliasKey } from '#features/profiles/profiles.ts'
import { ensureProfile } from '#features/profiles/profiles.server.ts'
import { writeMemberWords } from '#features/profiles/member-words.server.ts'
import { openServerDatabase, type ServerData } from '#tests/support/server-database.ts'

/** What `seed` makes. */
export type { CurrentUser, Dog }

/** Something to put in the database; `last` is the member seeded before it, who owns dogs by default. */
export type Seed<T> = (db: Db, last: CurrentUser | null) => Promise<T>
type Seeded<S extends Seed<unknown>[]> = { [I in keyof S]: S[I] extends Seed<infer T> ? T : never }

/** `const [ana, toby] = await seed(db, member(), dog())`: in order, each dog owned by the member before it. */
export async function seed<S extends Seed<unknown>[]>(db: Db, ...seeds: S): Promise<Seeded<S>> {
  const made: unknown[] = []
  let last: CurrentUser | null = null
  for (const each of seeds) {
    const thing = await each(db, last)
    if (isMember(thing)) last = thing
    made.push(thing)
  }
  // They are written outside `transact`, as another process would.
  noteUnknownChanges()
  return made as Seeded<S>
}

const isMember = (thing: unknown): thing is CurrentUser =>
  typeof thing === 'object' && thing !== null && 'email' in thing

let count = 0

/** The member as who has just signed in. */
export const withRecentSignIn = <T extends object>(user: T) => ({ ...user, authenticatedAt: Date.now() })

/** A member with a profile. */
export const member =
  (fields: Partial<Pick<CurrentUser, 'id' | 'email' | 'alias' | 'emoji'>> = {}): Seed<CurrentUser> =>
  async (db) => {
    const n = ++count
    const user: CurrentUser = {
      id: fields.id ?? randomUUID(),
      email: fields.email ?? `persona${n}@ejemplo.es`,
      alias: fields.alias ?? `Persona ${n}`,
      emoji: fields.emoji ?? '🐶',
      verified: false,
    }
    const now = Date.now()
    await db.insertInto('users').values({ id: user.id, email: user.email, created_at: now }).execute()
    await db
      .insertInto('profiles_all')
      .values({ id: user.id, alias: user.alias, alias_key: aliasKey(user.alias), emoji: user.emoji, created_at: now })
      .execute()
    await writeMemberWords(db, user.id, user.alias)
    return user
  }

export interface DogSeed extends Partial<Omit<DogInput, 'relationship'>> {
  /** Default: a random one. It places the dog on the map. */
  id?: string
  /** Default: the member seeded before; null for nobody. */
  owner_id?: string | null
  discoverer_id?: string | null
  user_id?: string | null
  created_at?: number
  /** How many images it has (rows only, no files). */
  photos?: number
}

/** A dog with one photo's row. Written as `addDog` writes it, without the photo pipeline. */
export const dog =
  (fields: DogSeed = {}): Seed<Dog> =>
  async (db, last) => {
    const id = fields.id ?? randomUUID()
    const n = ++count
    const owner_id =
      fields.owner_id === undefined ? (fields.discoverer_id ? null : (last?.id ?? null)) : fields.owner_id
    const discoverer_id = fields.discoverer_id ?? null
    const created_at = fields.created_at ?? Date.now()
    const values = { name: `Perro ${n}`, breed: 'Beagle', ...fields } as Record<string, unknown>
    const input = normaliseAge(
      Object.fromEntries(DOG_FIELD_NAMES.map((name) => [name, values[name] ?? DOG_FIELDS[name].empty])) as DogInput,
    )
    const images = Array.from({ length: fields.photos ?? 1 }, (_, i) => ({
      url: `/photos/${id}_1700000000000_${String(i).padStart(8, '0')}.jpg`,
      width: 800,
      height: 600,
      // Any colours: as many bytes on a page as a photo's own.
      blur: createHash('sha256').update(`${id}${i}`).digest('base64').slice(0, 43),
    }))
    await transact(db, (trx) =>
      insertDog(trx, {
        id,
        input,
        images,
        user_id: fields.user_id === undefined ? (owner_id ?? discoverer_id) : fields.user_id,
        owner_id,
        discoverer_id,
        created_at,
      }),
    )
    return getDog(db, id)
  }

/** What a program sends to delete the account behind `cookie` at once: the alias confirms it. */
export const accountDeletionBody = async (
  server: { url: string },
  cookie: string,
  dogs: 'delete' | 'keep' = 'delete',
) => {
  const response = await fetch(`${server.url}/api/session`, { headers: { Cookie: cookie } })
  const { user } = (await response.json()) as { user: { alias: string } }
  return { dogs, alias: user.alias, now: true }
}

/** A member signed in at a running test server: send `cookie` as the Cookie header. A new address makes a new member. */
export async function signIn(server: ServerData, email: string): Promise<{ id: string; cookie: string }> {
  await using db = openServerDatabase(server)
  const known = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()
  const id = known?.id ?? randomUUID()
  if (!known) await db.insertInto('users').values({ id, email, created_at: Date.now() }).execute()
  await ensureProfile(db, id)
  const { token } = await createSession(db, id)
  return { id, cookie: `${sessionCookieName(false)}=${token}` }
}
