import type { Trx } from './client.ts'

/** Photos that one transaction deletes: each has some hundred kB, which are overwritten. */
export const PHOTOS_PER_BATCH = 10

/** Whose photos: of the case of a dog; of the cases of a member, and what they sent themselves. */
type Target = { dogId: string } | { userId: string }

/**
 * Deletes photos of sightings, at most `limit`. They would also go with their sightings, with those of a case in one statement of a second: so
 * whatever deletes many sightings takes the photos in batches before. Call it inside a transaction. @returns how many
 */
export async function deleteSightingPhotos(trx: Trx, target: Target, limit: number): Promise<number> {
  const photos = trx
    .selectFrom('sighting_photos as p')
    .innerJoin('sightings_all as s', 's.id', 'p.sighting_id')
    .select('p.sighting_id')
    .limit(limit)
  const cases = trx.selectFrom('lost_cases').select('id')
  const wanted =
    'dogId' in target
      ? photos.where('s.case_id', 'in', cases.where('dog_id', '=', target.dogId))
      : photos.where(({ eb, or }) =>
          or([
            eb('s.member_id', '=', target.userId),
            eb('s.case_id', 'in', cases.where('owner_id', '=', target.userId)),
          ]),
        )
  const { numDeletedRows } = await trx
    .deleteFrom('sighting_photos')
    .where('sighting_id', 'in', wanted)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
