import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql, type SqlBool } from 'kysely'
import type { Db } from '#db/client.ts'
import { inTexts } from '#db/dialect/expressions.ts'
import { breedFacts } from '#features/challenges/breed-facts.server.ts'
import { FIRST_OF_BREED } from './badge-list.ts'
import { BadgeDecider, type BadgeState, type Decided } from './decide.ts'

/** Dogs that one query reads. */
const DOGS_PER_PAGE = 500

/** A page of the member's dogs, oldest first, by index member_dogs_list. */
export const selectAlbumDogs = (db: Db, userId: string, after: { createdAt: number; id: string } | null) =>
  db
    .selectFrom('member_dogs as m')
    .innerJoin('dogs as d', 'd.id', 'm.dog_id')
    .select(['d.id', 'm.created_at', 'd.breed_slug', 'd.size', 'd.province', 'd.is_adopted', 'd.age_months'])
    .select(sql<number>`coalesce(length(d.description), 0)`.as('description_chars'))
    .where('m.user_id', '=', userId)
    .$if(after !== null, (query) =>
      query.where((eb) => eb(eb.refTuple('m.created_at', 'm.dog_id'), '>', eb.tuple(after!.createdAt, after!.id))),
    )
    .orderBy('m.created_at')
    .orderBy('m.dog_id')
    .limit(DOGS_PER_PAGE)

/** Decides all badges of a member from their own dogs, in pages between which others are served. Writes nothing. */
export async function decideBadges(db: Db, userId: string, now = Date.now()): Promise<Decided> {
  const facts = breedFacts()
  const decider = new BadgeDecider(now)
  for (let after: { createdAt: number; id: string } | null = null; ; await nextTurn()) {
    const rows = await selectAlbumDogs(db, userId, after).execute()
    for (const row of rows) {
      const breed = facts.get(row.breed_slug)
      if (!breed) continue
      decider.add({
        id: row.id,
        createdAt: row.created_at,
        breed,
        size: row.size,
        province: row.province ?? '',
        descriptionChars: row.description_chars,
        isAdopted: row.is_adopted === 1,
        ageMonths: row.age_months,
      })
    }
    const last = rows.at(-1)
    if (!last || rows.length < DOGS_PER_PAGE) break
    after = { createdAt: last.created_at, id: last.id }
  }
  const first = await findFirstOfBreed(
    db,
    [...decider.oldestOfBreed.values()].map(({ id }) => id),
  )
  const pioneer: BadgeState[] = first
    ? [{ badge: FIRST_OF_BREED, progress: 1, dogId: first.id, earnedAt: first.created_at }]
    : []
  return { badges: [...pioneer, ...decider.states()], weeks: decider.weeks() }
}

/** The oldest of these dogs that is the first of its breed in the community, by index dogs_breed_created. */
async function findFirstOfBreed(db: Db, ids: readonly string[]) {
  const rows = await db
    .selectFrom('dogs as d')
    .select(['d.id', 'd.created_at'])
    .where(inTexts(db, 'd.id', ids))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('dogs as e')
            .select('e.id')
            .whereRef('e.breed_slug', '=', 'd.breed_slug')
            .where(sql<SqlBool>`(e.created_at, e.id) < (d.created_at, d.id)`),
        ),
      ),
    )
    .execute()
  return rows.toSorted((a, b) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1))[0]
}
