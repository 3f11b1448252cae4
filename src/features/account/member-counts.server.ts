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
