import type { Selectable } from 'kysely'
import type { Db } from '#db/client.ts'
import { prepareQuery } from '#db/prepared.ts'
import type { LostCasesTable } from '#db/schema.ts'
import type { LostMark, PublicLostCase } from './lost.ts'

type PublicRow = Omit<Selectable<LostCasesTable>, 'lat' | 'lon'>

/** Columns of `lost_cases` that anybody may see. */
export const PUBLIC_COLUMNS = [
  'lost_cases.id',
  'lost_cases.dog_id',
  'lost_cases.since',
  'lost_cases.zone',
  'lost_cases.province',
  'lost_cases.shown_lat',
  'lost_cases.shown_lon',
  'lost_cases.help',
  'lost_cases.chip',
  'lost_cases.code',
  'lost_cases.opened_at',
] as const

/** A case as anybody may see it, from PUBLIC_COLUMNS. */
export const toPublicCase = (row: Pick<PublicRow, Unqualified>): PublicLostCase => ({
  id: row.id,
  dog_id: row.dog_id,
  since: row.since,
  zone: row.zone,
  province: row.province,
  shown: { lat: row.shown_lat, lon: row.shown_lon },
  help: row.help,
  chip: row.chip === null ? null : row.chip === 1,
  code: row.code,
  opened_at: row.opened_at,
})
type Unqualified = (typeof PUBLIC_COLUMNS)[number] extends `lost_cases.${infer C}` ? C : never

/**
 * The open cases that others see, to be narrowed by the caller: of dogs in the lists (a hidden one has no row in `dogs`) that still
 * belong to who looks for them (an account that waits for its deletion owns no dog).
 */
export const selectPublicCases = (db: Db) =>
  db
    .selectFrom('lost_cases')
    .innerJoin('dogs', (join) =>
      join.onRef('dogs.id', '=', 'lost_cases.dog_id').onRef('dogs.owner_id', '=', 'lost_cases.owner_id'),
    )

const openCase = prepareQuery((db, { dogId }: { dogId: string }) =>
  selectPublicCases(db).select(PUBLIC_COLUMNS).where('lost_cases.dog_id', '=', dogId),
)

/** The open case of a dog that is in the lists; null where it is not lost. By the unique index of `dog_id`. */
export async function findOpenCase(db: Db, dogId: string): Promise<PublicLostCase | null> {
  const [row] = await openCase(db, { dogId })
  return row ? toPublicCase(row) : null
}

const lostMarks = prepareQuery((db, { ids }: { ids: readonly string[] }) =>
  selectPublicCases(db)
    .select(['lost_cases.dog_id', 'lost_cases.since', 'lost_cases.zone'])
    .where('lost_cases.dog_id', 'in', ids),
)

/** Which of these dogs are lost, by id. One look-up each in the unique index. */
export async function findLostMarks(db: Db, dogIds: readonly string[]): Promise<Map<string, LostMark>> {
  if (dogIds.length === 0) return new Map()
  const rows = await lostMarks(db, { ids: dogIds })
  return new Map(rows.map(({ dog_id, since, zone }) => [dog_id, { since, zone }]))
}

/** The dog of a poster's short link; null where the case has ended. */
export async function findDogByCode(db: Db, code: string): Promise<{ path_breed: string; path_slug: string } | null> {
  const row = await selectPublicCases(db)
    .select(['dogs.path_breed', 'dogs.path_slug'])
    .where('lost_cases.code', '=', code)
    .executeTakeFirst()
  return row ?? null
}

/** Whether the dog's page thanks those who helped to find it: for as long as its history is there. */
export async function wasThanked(db: Db, dogId: string): Promise<boolean> {
  const row = await db
    .selectFrom('lost_history')
    .select('thanked_at')
    .where('dog_id', '=', dogId)
    .where('ended_at', 'is not', null)
    .executeTakeFirst()
  return row?.thanked_at != null
}
