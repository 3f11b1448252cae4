import type { Db } from '#db/client.ts'

/** The dog as the form names it. */
export interface SightedDog {
  id: string
  name: string
  breed: string
  photo_url: string
  path_breed: string
  path_slug: string
  isLost: boolean
}

/** The dog with the id of its case, as others see it; undefined for one that is deleted or hidden. */
export const findSightedDog = (db: Db, id: string) =>
  db
    .selectFrom('dogs')
    .leftJoin('lost_cases', (join) =>
      join.onRef('lost_cases.dog_id', '=', 'dogs.id').onRef('lost_cases.owner_id', '=', 'dogs.owner_id'),
    )
    .select(['dogs.id', 'name', 'breed', 'photo_url', 'path_breed', 'path_slug', 'lost_cases.id as caseId'])
    .where('dogs.id', '=', id)
    .executeTakeFirst()
