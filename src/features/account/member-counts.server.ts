import type * as z from 'zod/mini'
import type { Db } from '#db/client.ts'
import { prepareQuery } from '#db/prepared.ts'
import { totalBreeds } from '#features/breeds/catalogue.server.ts'
import type { memberCountsAnswer } from './answers.ts'

export type MemberCounts = z.output<typeof memberCountsAnswer>

const selectMemberCounts = prepareQuery((db, { userId }: { userId: string }) =>
  db.selectFrom('profiles').select(['dogs_count', 'breeds_count']).where('id', '=', userId),
)

/** A member's counts for the sidebar: one row, maintained by triggers. */
export async function loadMemberCounts(db: Db, userId: string): Promise<MemberCounts> {
  const [row] = await selectMemberCounts(db, { userId })
  return { dogs: row?.dogs_count ?? 0, breeds: row?.breeds_count ?? 0, total: totalBreeds }
}

const selectFrameMember = prepareQuery((db, { userId }: { userId: string }) =>
  db
    .selectFrom('profiles')
    .innerJoin('users', 'users.id', 'profiles.id')
    .select(['alias', 'emoji', 'email', 'dogs_count', 'breeds_count'])
    .where('profiles.id', '=', userId),
)

/** What the frame shows of a member, in one row of two tables by their primary keys; null for one without a profile. */
export async function loadFrameMember(db: Db, userId: string) {
  const [row] = await selectFrameMember(db, { userId })
  if (!row) return null
  const { alias, emoji, email, dogs_count: dogs, breeds_count: breeds } = row
  return { id: userId, alias, emoji, email, counts: { dogs, breeds, total: totalBreeds } }
}
